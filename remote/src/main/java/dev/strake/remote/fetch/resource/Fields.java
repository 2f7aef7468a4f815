package dev.strake.remote.fetch.resource;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the members of a mapping in a resource. Errors name the member and its place, never its value, which may be
 * secret.
 *
 * @param at the place of the mapping, {@code .requests[0].options}
 */
record Fields(MapValue map, String at) {

    static FetchException wrong(String at, String message) {
        return new FetchException(Code.INVALID_RESOURCE, at + " " + message);
    }

    /** Rejects members with other names. */
    Fields only(Set<String> known) throws FetchException {
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                throw wrong(
                        at + "." + key,
                        "is an unknown key; use one of "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        return this;
    }

    boolean has(String key) {
        return map.has(key) && !(map.get(key) instanceof Null);
    }

    String at(String key) {
        return at + "." + key;
    }

    String text(String key) throws FetchException {
        return optionalText(key).orElseThrow(() -> wrong(at(key), "is missing"));
    }

    /** Returns a text; a number is converted. */
    Optional<String> optionalText(String key) throws FetchException {
        if (!has(key)) {
            return Optional.empty();
        }
        if (map.get(key) instanceof Text text && !text.value().isEmpty()) {
            return Optional.of(text.value());
        }
        if (map.get(key) instanceof Num number) {
            return Optional.of(number.literal());
        }
        throw wrong(at(key), "has to be a text that is not empty");
    }

    boolean flag(String key) throws FetchException {
        if (!has(key)) {
            return false;
        }
        if (map.get(key) instanceof Bool flag) {
            return flag.value();
        }
        throw wrong(at(key), "has to be true or false");
    }

    Fields fields(String key) throws FetchException {
        return optionalFields(key).orElseThrow(() -> wrong(at(key), "is missing"));
    }

    Optional<Fields> optionalFields(String key) throws FetchException {
        return has(key) ? Optional.of(of(map.get(key), at(key))) : Optional.empty();
    }

    ListValue list(String key) throws FetchException {
        if (!has(key)) {
            return ListValue.EMPTY;
        }
        if (map.get(key) instanceof ListValue list) {
            return list;
        }
        throw wrong(at(key), "has to be a list");
    }

    /** Returns which one of several members is present. */
    String one(String... keys) throws FetchException {
        String found = null;
        for (String key : keys) {
            if (has(key)) {
                if (found != null) {
                    throw wrong(at, "has both " + found + " and " + key + "; one of them is enough");
                }
                found = key;
            }
        }
        if (found == null) {
            throw wrong(at.isEmpty() ? "the data" : at, "needs one of " + String.join(", ", keys));
        }
        return found;
    }

    static Fields of(Value value, String at) throws FetchException {
        if (value instanceof MapValue map) {
            return new Fields(map, at);
        }
        throw wrong(at.isEmpty() ? "the data" : at, "has to be a mapping, not a " + value.kind());
    }

    @Override
    public String toString() {
        return "Fields[" + at + "]";
    }
}
