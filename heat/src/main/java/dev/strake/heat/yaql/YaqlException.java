package dev.strake.heat.yaql;

/** An expression is invalid, or has no value for its data. */
public final class YaqlException extends RuntimeException {

    YaqlException(String message) {
        super(message, null, false, false);
    }
}
