package dev.strake.engine.template.tree;

import dev.strake.engine.tree.TextHash;

/** A part of what a tree is made from. A validation is due again if a part that it looked at differs. */
public sealed interface Part {

    /** The content of a file, or that there is none. */
    record File(String name) implements Part {

        @Override
        public int hashCode() {
            return TextHash.of(name);
        }
    }

    /**
     * What a file declares if it is a template: the parameters and their types. Environments are merged by them, even if
     * nothing uses the template.
     */
    record Declarations(String name) implements Part {

        @Override
        public int hashCode() {
            return TextHash.of(name);
        }
    }

    /** The default that the environments give a parameter, or that there is none. */
    record Default(String parameter) implements Part {

        @Override
        public int hashCode() {
            return TextHash.of(parameter);
        }
    }

    /** The mappings of the registry that fit a type. */
    record Mapping(String type) implements Part {

        @Override
        public int hashCode() {
            return TextHash.of(type);
        }
    }

    /** The mappings of the registry for resources by name. */
    record MappingsByName() implements Part {}

    /** The values that the environments and the request give to the template at the top. */
    record Values() implements Part {}
}
