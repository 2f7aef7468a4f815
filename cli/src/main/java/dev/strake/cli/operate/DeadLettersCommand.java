package dev.strake.cli.operate;

import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.KeysetOption;
import dev.strake.cli.option.ListFormatOption;
import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.KafkaWait;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.Cluster;
import dev.strake.client.DeadLetters;
import dev.strake.client.DeadLetters.Letter;
import dev.strake.client.DeadLetters.Whole;
import dev.strake.client.MisconfiguredException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.SealedLetter;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dead-letters",
        description = {
            "List the records that belong to no workspace, or print the value of one.",
            "",
            "They have no key, or one that is not a workspace name. The list shows where each record is and what is "
                    + "wrong with it.",
            "",
            "A value may contain secrets, so it is printed only with --cleartext-secrets. An installation with a "
                    + "keyset encrypts values; --secrets-keyset decrypts them.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake dead-letters --last 5",
            "  strake dead-letters strake.document-changes-3@17 --cleartext-secrets",
            "",
            "Exit codes: 0 printed, 1 there is no such record, 4 Kafka unreachable.",
        })
public final class DeadLettersCommand extends TerminalCommand {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TOPIC-PARTITION@OFFSET",
            description = "Print the value of this record unchanged; as Base64 if it is not text.")
    private Optional<String> place = Optional.empty();

    @Option(
            names = "--last",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many, the newest ones. Default: ${DEFAULT-VALUE}")
    private int last;

    @Option(names = "--cleartext-secrets", description = "Print the value, which may hold secrets.")
    private boolean cleartext;

    @Mixin
    private KeysetOption keyset;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private ListFormatOption format;

    @Override
    public Integer call() {
        if (last < 1 || last > 100_000) {
            throw usage("--last has to be 1 to 100000.");
        }
        if (place.isPresent() != cleartext) {
            throw usage(
                    cleartext
                            ? "--cleartext-secrets is for one record: name it, as TOPIC-PARTITION@OFFSET."
                            : "The value of a record may hold secrets; give --cleartext-secrets to print it.");
        }
        Cluster cluster = kafka.settings(System.getenv()).cluster();
        DeadLetters letters = new DeadLetters(cluster, kafka.topicPrefix(), PATIENCE);
        return place.isPresent()
                ? print(place.get(), KafkaWait.until(cluster, terminal, () -> letters.at(place.get())))
                : list(KafkaWait.until(cluster, terminal, () -> letters.last(last)));
    }

    private int list(List<Letter> letters) {
        Table table = new Table("TIME", "RECORD", "BYTES", "KEY", "REASON");
        letters.forEach(each -> table.add(
                Instant.ofEpochMilli(each.time()).truncatedTo(ChronoUnit.SECONDS),
                each.place(),
                each.bytes() < 0 ? null : each.bytes(),
                each.sealedWith().orElse(null),
                each.reason()));
        format.value()
                .print(terminal, letters.stream().map(DeadLettersCommand::tree).toList(), () -> table);
        return ExitCode.FINE;
    }

    private static Value tree(Letter letter) {
        return MapValue.builder()
                .put("record", letter.place())
                .put("time", Instant.ofEpochMilli(letter.time()).toString())
                .put("reason", letter.reason())
                .put("bytes", letter.bytes() < 0 ? Null.NULL : Num.of(letter.bytes()))
                .put("sealedWith", letter.sealedWith().orElse(null))
                .build();
    }

    private int print(String wanted, Optional<Whole> found) {
        if (found.isEmpty()) {
            terminal.say("strake: there is no dead letter of record %s. 'strake dead-letters' lists the latest ones."
                    .formatted(wanted));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        byte[] value = opened(found.get());
        if (value == null) {
            terminal.say("strake: the record has no value.");
            return ExitCode.FINE;
        }
        terminal.out().print(text(value));
        return ExitCode.FINE;
    }

    private byte[] opened(Whole whole) {
        Letter letter = whole.letter();
        if (letter.sealedWith().isEmpty() || whole.value() == null) {
            return whole.value();
        }
        Keyset keys = keyset.keys()
                .orElseThrow(() -> new MisconfiguredException("The value is encrypted with the key "
                        + letter.sealedWith().get() + ". Give the keyset that has it: --secrets-keyset FILE."));
        try {
            return SealedLetter.open(keys, whole.value(), letter.topic(), letter.partition(), letter.offset());
        } catch (SecretKeyNotFoundException e) {
            throw new MisconfiguredException(
                    "The value is encrypted with the key " + e.key() + ", which is not in the keyset.", e);
        } catch (DoesNotOpenException e) {
            throw new MisconfiguredException("The value cannot be decrypted: " + e.getMessage() + ".", e);
        }
    }

    private String text(byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            terminal.say("strake: the value is not text, so it is printed as Base64.");
            return Base64.getEncoder().encodeToString(value) + System.lineSeparator();
        }
    }
}
