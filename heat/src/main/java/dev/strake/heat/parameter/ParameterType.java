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

    /** The type as templates write it. */
    public String written() {
        return written;
    }

    /** The type as Heat's answer shows it. */
    public String answered() {
        return answered;
    }

    /** The type of the property that a template-typed resource has for such a parameter. */
    public String property() {
        return property;
    }

    /** The type of this name, or null. */
    static ParameterType of(String written) {
        for (ParameterType type : values()) {
            if (type.written.equals(written)) {
                return type;
            }
        }
        return null;
    }
}
