package dev.strake.cli.command;

import dev.strake.cli.output.Table;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.keyset.UnusableKeysetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = {
            "Make and replace the keys of an installation.",
            "",
            "The keyset is a file that strake.secrets.keyset names. It encrypts documents with storagePolicy encrypted. "
                    + "Keep a copy where nothing else is: without it such documents are lost.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake keys create /etc/strake/keyset",
            "  strake keys create keyset --kms hcvault://vault:8200/transit/keys/strake",
            "  strake keys public /etc/strake/keyset > publishing-key",
            "  strake keys rotate /etc/strake/keyset --prepare",
            "",
            "Exit codes: 0 fine, 2 a file or key that cannot be used.",
        })
final class KeysCommand implements Runnable {

    @Spec
    private CommandSpec command;

    static CommandLine of(Terminal terminal) {
        return new CommandLine(new KeysCommand())
                .addSubcommand(new Create(terminal))
                .addSubcommand(new List(terminal))
                .addSubcommand(new Public(terminal))
                .addSubcommand(new Rotate(terminal))
                .addSubcommand(new Remove(terminal))
                .addSubcommand(new Rewrap(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Which command? 'strake keys --help' lists them.");
    }

    /** What all of them share: the file, and how what goes wrong with it is said. */
    abstract static class OfFile extends TerminalCommand {

        @Parameters(index = "0", paramLabel = "FILE", description = "The keyset.")
        private Path file;

        OfFile(Terminal terminal) {
            super(terminal);
        }

        abstract void work(Path keyset) throws IOException, UnusableKeysetException;

        @Override
        public final Integer call() throws IOException {
            try {
                work(file);
                terminal.out().flush();
                return ExitCode.FINE;
            } catch (UnusableKeysetException e) {
                throw new MisconfiguredException("The keyset " + file + " cannot be used: " + e.getMessage(), e);
            } catch (IllegalArgumentException e) {
                String message = e.getMessage();
                throw usage(Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".");
            }
        }

        final void change(Path keyset, UnaryOperator<Keyset> change) throws IOException, UnusableKeysetException {
            KeysetFile before = KeysetFile.read(keyset);
            Keyset after = change.apply(before.keyset());
            new KeysetFile(after, before.kms()).replace(keyset);
            print(after);
        }

        final void print(Keyset keys) {
            Table table = new Table("PURPOSE", "KEY", "STATE", "ALGORITHM");
            keys.keys()
                    .forEach(key -> table.add(
                            key.purpose().text(),
                            key.id(),
                            key.state().name().toLowerCase(Locale.ROOT),
                            key.purpose().algorithm()));
            table.print(terminal);
        }
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Make a keyset with new keys. A file that is there is never overwritten.")
    private static final class Create extends OfFile {

        @Option(
                names = "--kms",
                paramLabel = "URI",
                description = "Encrypt the keyset with this key of a key management service.")
        private Optional<String> kms = Optional.empty();

        Create(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            Keyset keys = Keyset.create();
            new KeysetFile(keys, kms).create(keyset);
            print(keys);
            terminal.say("Keep a copy of " + keyset
                    + " apart from everything else. Without it, documents that it encrypted are lost.");
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Show the keys of a keyset, without their secrets.")
    private static final class List extends OfFile {

        List(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            print(KeysetFile.read(keyset).keyset());
        }
    }

    @Command(
            name = "public",
            mixinStandardHelpOptions = true,
            description = "Print the key with which publishers encrypt. It is no secret.")
    private static final class Public extends OfFile {

        Public(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            byte[] key = KeysetFile.read(keyset).keyset().publishingKey().file();
            terminal.out().print(new String(key, StandardCharsets.UTF_8));
        }
    }

    /** What keys can be replaced for. */
    enum Replaceable {
        STORAGE(Purpose.STORAGE),
        PUBLISHING(Purpose.PUBLISHING),
        OUTPUT(Purpose.OUTPUT);

        private final Purpose purpose;

        Replaceable(Purpose purpose) {
            this.purpose = purpose;
        }

        @Override
        public String toString() {
            return purpose.text();
        }
    }

    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description = {
                "Let another key encrypt from now on. Older ones still decrypt.",
                "",
                "Where several instances run, let all of them have the new key before the first one uses it: --prepare adds "
                        + "it, and the next rotation without that option begins to use it.",
            })
    private static final class Rotate extends OfFile {

        @Option(
                names = "--purpose",
                paramLabel = "PURPOSE",
                defaultValue = "storage",
                description = "What the key is for: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
        private Replaceable purpose;

        @Option(names = "--prepare", description = "Only add the next key.")
        private boolean prepare;

        Rotate(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            change(keyset, keys -> prepare ? keys.prepared(purpose.purpose) : keys.rotated(purpose.purpose));
        }
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Delete an old key. What it encrypted cannot be read any more.")
    private static final class Remove extends OfFile {

        @Parameters(index = "1", paramLabel = "KEY", description = "The key, as 'strake keys list' shows it.")
        private String key;

        Remove(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            change(keyset, keys -> keys.without(key));
        }
    }

    @Command(
            name = "rewrap",
            mixinStandardHelpOptions = true,
            description = {
                "Encrypt a keyset anew: with another key of a key management service, or with the newest version of the same.",
                "",
                "The keys in it stay the same.",
            })
    private static final class Rewrap extends OfFile {

        @Option(
                names = "--kms",
                paramLabel = "URI",
                description = "The key to encrypt with. Without it, the one that is in use.")
        private Optional<String> kms = Optional.empty();

        @Option(names = "--clear", description = "Keep the keyset in clear from now on.")
        private boolean clear;

        Rewrap(Terminal terminal) {
            super(terminal);
        }

        @Override
        void work(Path keyset) throws IOException, UnusableKeysetException {
            if (clear && kms.isPresent()) {
                throw new IllegalArgumentException("give --kms or --clear, not both");
            }
            KeysetFile before = KeysetFile.read(keyset);
            new KeysetFile(before.keyset(), clear ? Optional.empty() : kms.or(before::kms)).replace(keyset);
            print(before.keyset());
        }
    }
}
