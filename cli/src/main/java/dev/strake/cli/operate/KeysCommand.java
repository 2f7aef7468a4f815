package dev.strake.cli.operate;

import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.keyset.UnusableKeysetException;
import dev.strake.serdes.secret.Purpose;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "keys",
        description = {
            "Create and rotate the keys of an installation.",
            "",
            "The keyset is a file that strake.secrets.keyset names. It encrypts documents with storagePolicy "
                    + "encrypted. Keep a copy in a separate place: without the keyset, such documents are lost.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake keys create /etc/strake/keyset",
            "  strake keys create keyset --kms hcvault://vault:8200/transit/keys/strake",
            "  strake keys public /etc/strake/keyset > publishing-key",
            "  strake keys rotate /etc/strake/keyset --prepare",
            "",
            "Exit codes: 0 success, 2 a file or key that cannot be used.",
        })
public final class KeysCommand extends TerminalCommand {

    private static final String FILE = "The keyset.";

    @Override
    public Integer call() {
        throw usage("Missing command.");
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Create a keyset with new keys. An existing file is never overwritten.")
    int create(
            @Parameters(paramLabel = "FILE", description = FILE) Path file,
            @Option(
                            names = "--kms",
                            paramLabel = "URI",
                            description = "Encrypt the keyset with this key of a key management service.")
                    String kms)
            throws IOException {
        return work(file, () -> {
            Keyset keys = Keyset.create();
            new KeysetFile(keys, Optional.ofNullable(kms)).create(file);
            print(keys);
            terminal.say("Keep a copy of " + file
                    + " in a separate place. Without it, documents that it encrypted are lost.");
        });
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Show the keys of a keyset, without their secrets.")
    int list(@Parameters(paramLabel = "FILE", description = FILE) Path file) throws IOException {
        return work(file, () -> print(KeysetFile.read(file).keyset()));
    }

    @Command(
            name = "public",
            mixinStandardHelpOptions = true,
            description = "Print the public key with which publishers encrypt.")
    int publishingKey(@Parameters(paramLabel = "FILE", description = FILE) Path file) throws IOException {
        return work(file, () -> {
            byte[] key = KeysetFile.read(file).keyset().publishingKey().file();
            terminal.out().print(new String(key, StandardCharsets.UTF_8));
        });
    }

    /** The purposes whose keys can be replaced. */
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
                "Encrypt with another key from now on. Older keys still decrypt.",
                "",
                "With several instances, all need the new key before the first one uses it: --prepare adds it, and "
                        + "the next rotation without --prepare starts using it.",
            })
    int rotate(
            @Parameters(paramLabel = "FILE", description = FILE) Path file,
            @Option(
                            names = "--purpose",
                            paramLabel = "PURPOSE",
                            defaultValue = "storage",
                            description = "What the key is for: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
                    Replaceable of,
            @Option(names = "--prepare", description = "Only add the next key.") boolean prepare)
            throws IOException {
        return change(file, keys -> prepare ? keys.prepared(of.purpose) : keys.rotated(of.purpose));
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Delete an old key. What it encrypted can no longer be read.")
    int remove(
            @Parameters(index = "0", paramLabel = "FILE", description = FILE) Path file,
            @Parameters(index = "1", paramLabel = "KEY", description = "The key, as 'strake keys list' shows it.")
                    String key)
            throws IOException {
        return change(file, keys -> keys.without(key));
    }

    @Command(
            name = "rewrap",
            mixinStandardHelpOptions = true,
            description = {
                "Encrypt a keyset again: with another key of a key management service, or with the newest version of "
                        + "its key.",
                "",
                "The keys in it stay the same.",
            })
    int rewrap(
            @Parameters(paramLabel = "FILE", description = FILE) Path file,
            @Option(
                            names = "--kms",
                            paramLabel = "URI",
                            description = "The key to encrypt with. Without it, the one that is in use.")
                    String kms,
            @Option(names = "--clear", description = "Store the keyset in clear text from now on.") boolean clear)
            throws IOException {
        return work(file, () -> {
            if (clear && kms != null) {
                throw new IllegalArgumentException("give --kms or --clear, not both");
            }
            KeysetFile before = KeysetFile.read(file);
            Optional<String> wrapping = Optional.ofNullable(kms).or(before::kms);
            new KeysetFile(before.keyset(), clear ? Optional.empty() : wrapping).replace(file);
            print(before.keyset());
        });
    }

    private int change(Path file, UnaryOperator<Keyset> change) throws IOException {
        return work(file, () -> {
            KeysetFile before = KeysetFile.read(file);
            Keyset after = change.apply(before.keyset());
            new KeysetFile(after, before.kms()).replace(file);
            print(after);
        });
    }

    private interface Work {

        void run() throws IOException, UnusableKeysetException;
    }

    private int work(Path file, Work work) throws IOException {
        try {
            work.run();
            return ExitCode.FINE;
        } catch (UnusableKeysetException e) {
            throw new MisconfiguredException("The keyset " + file + " cannot be used: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw usage(e);
        }
    }

    private void print(Keyset keys) {
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
