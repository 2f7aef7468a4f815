package dev.strake.engine.operations;

import java.util.List;

/** One component of an {@link OperationPath}: leads from a container to one of its entries or items. */
sealed interface Component {

    /** An entry of a map. An optional entry may be missing: replace creates it, remove skips it. */
    record MapKey(String name, boolean optional) implements Component {}

    /** An item of a list by its index; a negative index counts from the end. */
    record Index(long index, List<Modifier> modifiers) implements Component {}

    /** The only item of a list that is a map with this entry. */
    record Match(String key, String value, boolean optional, List<Modifier> modifiers) implements Component {}

    /** The place after the last item of a list; always the last component. */
    record AfterLast() implements Component {}

    /** Whether the component may be missing. */
    default boolean isOptional() {
        return (this instanceof MapKey key && key.optional()) || (this instanceof Match match && match.optional());
    }

    /** Moves from the found item to a neighbouring place. The names are the keywords of the path language. */
    enum Modifier {
        PREV,
        NEXT,
        BEFORE,
        AFTER;

        String text() {
            return switch (this) {
                case PREV -> "prev";
                case NEXT -> "next";
                case BEFORE -> "before";
                case AFTER -> "after";
            };
        }

        /** The modifier with this name; null if there is none. */
        static Modifier of(String text) {
            for (Modifier modifier : values()) {
                if (modifier.text().equals(text)) {
                    return modifier;
                }
            }
            return null;
        }

        /** The name of this modifier in the messages of go-patch. */
        String typeName() {
            String text = text();
            return "patch." + Character.toUpperCase(text.charAt(0)) + text.substring(1) + "Modifier";
        }
    }
}
