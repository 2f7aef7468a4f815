package dev.strake.heat.parameter;

/** The types of parameters. */
public enum ParameterType {
    STRING("string", "String", "String"),
    NUMBER("number", "Number", "Number"),
    COMMA_DELIMITED_LIST("comma_delimited_list", "CommaDelimitedList", "List"),
    JSON("json", "Json", "Map"),
    BOOLEAN("boolean", "Boolean", "Boolean");

    private final String written;
    private final String answered;
    private final String property;

    ParameterType(String written, String answered, String property) {
        this.written = written;
        this.answered = answered;
        this.property = property;
    }

    /** Returns the type as written in templates. */
    public String written() {
        return written;
    }

    /** Returns the type as shown in Heat's answer. */
    public String answered() {
        return answered;
    }

    /** Returns the type of the property that a template resource has for the parameter. */
    public String property() {
        return property;
    }

    /** Returns the type with this name; null if there is none. */
    static ParameterType of(String written) {
        for (ParameterType type : values()) {
            if (type.written.equals(written)) {
                return type;
            }
        }
        return null;
    }
}
