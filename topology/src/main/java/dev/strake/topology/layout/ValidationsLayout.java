package dev.strake.topology.layout;

import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;

/**
 * The validation results posted for revisions, in the store of revisions.
 *
 * <pre>
 * result     key     6  workspace  revision  number
 *            value   1  time (ms): number  name, status: texts  validator: value  errors: list of values
 * </pre>
 *
 * The results of a revision are numbered from 0 without gaps, in the order of arrival. Each has a separate entry, so
 * posting a result costs the same with any number of results. They are removed with their revision.
 */
public final class ValidationsLayout {

    private static final int RESULT = 6;

    private ValidationsLayout() {}

    /** Returns the key of a result. The keys of 0 and the greatest number are the bounds of a revision's results. */
    public static byte[] key(String workspace, long revision, int number) {
        return KeyWriter.of(RESULT, workspace).number(revision).number(number).bytes();
    }

    /** Returns the number in a key. */
    public static int number(byte[] key) {
        KeyReader reader = KeyReader.afterWorkspace(key);
        reader.number();
        return (int) reader.number();
    }

    public static byte[] write(ValidationResult result) {
        return new ValueWriter(1, 256)
                .number(result.time())
                .text(result.name())
                .text(result.status())
                .value(result.validator())
                .list(result.errors(), ValueWriter::value)
                .bytes();
    }

    public static ValidationResult read(byte[] key, byte[] value) {
        return ValueReader.read(RevisionsLayout.STORE, key, value, 1, reader -> {
            long time = reader.number();
            return new ValidationResult(
                    reader.text(),
                    reader.text(),
                    (MapValue) reader.value(),
                    reader.list(each -> (MapValue) each.value()),
                    time);
        });
    }
}
