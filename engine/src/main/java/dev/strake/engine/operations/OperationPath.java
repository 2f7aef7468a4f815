package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.operations.Component.AfterLast;
import dev.strake.engine.operations.Component.Index;
import dev.strake.engine.operations.Component.MapKey;
import dev.strake.engine.operations.Component.Match;
import dev.strake.engine.operations.Component.Modifier;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * A path in BOSH operations files, as go-patch parses it:
 *
 * <pre>
 *   path      = "" | { "/" component }          "" is the document; "/" is the key ""
 *   component = text { ":" ( "prev" | "next" | "before" | "after" ) }
 *   text      = "-"           after the last item; only as the last component
 *             | integer       an item by its index
 *             | key "=" value the item that has this entry     [ "?" ]
 *             | key                                            [ "?" ]
 * </pre>
 *
 * <p>In a text {@code ~0} is a tilde, {@code ~1} a slash, {@code ~7} a colon. From the first {@code ?} on, every key
 * and every match is optional.
 */
public final class OperationPath {

    /** The default depth limit of rendered documents. A longer path cannot match. */
    private static final int MAX_COMPONENTS = 256;

    /** The path of the whole document. */
    static final OperationPath ROOT = new OperationPath("", List.of());

    private final String text;
    private final List<Component> components;
    private final boolean secret;

    private OperationPath(String text, List<Component> components) {
        this(text, components, false);
    }

    private OperationPath(String text, List<Component> components, boolean secret) {
        this.text = text;
        this.components = List.copyOf(components);
        this.secret = secret;
    }

    /** This path, secret if so. A map in which a secret path creates a key becomes secret, with its keys. */
    OperationPath secretIf(boolean isSo) {
        return isSo ? new OperationPath(text, components, true) : this;
    }

    boolean isSecret() {
        return secret;
    }

    /**
     * Parses a path.
     *
     * @throws OperationPathException if the text is not a path; the message is the same as in go-patch
     */
    public static OperationPath of(String text) throws OperationPathException {
        if (text.isEmpty()) {
            return ROOT;
        }
        if (!text.startsWith("/")) {
            throw new OperationPathException("Expected to start with '/'");
        }
        List<Component> components = new ArrayList<>();
        boolean optional = false;
        int slash = 0;
        while (slash < text.length()) {
            if (components.size() == MAX_COMPONENTS) {
                throw new OperationPathException("Expected to find at most " + MAX_COMPONENTS + " components");
            }
            int next = text.indexOf('/', slash + 1);
            int end = next < 0 ? text.length() : next;
            Component component = component(text.substring(slash + 1, end), next < 0, optional);
            optional |= component.isOptional();
            components.add(component);
            slash = end;
        }
        return new OperationPath(text, components);
    }

    private static Component component(String written, boolean isLast, boolean optionalBefore)
            throws OperationPathException {
        String[] pieces = written.split(":", -1);
        List<Modifier> modifiers = modifiers(pieces);
        String text = unescaped(pieces[0]);
        if (isLast && text.equals("-")) {
            refuseModifiers(modifiers, "after last index token");
            return new AfterLast();
        }
        Long index = index(text);
        if (index != null) {
            return new Index(index, modifiers);
        }
        boolean marked = text.endsWith("?");
        boolean optional = optionalBefore || marked;
        String bare = marked ? text.substring(0, text.length() - 1) : text;
        int equals = bare.indexOf('=');
        if (equals >= 0) {
            return new Match(bare.substring(0, equals), bare.substring(equals + 1), optional, modifiers);
        }
        refuseModifiers(modifiers, "key token");
        return new MapKey(bare, optional);
    }

    private static List<Modifier> modifiers(String[] pieces) throws OperationPathException {
        List<Modifier> modifiers = new ArrayList<>(pieces.length - 1);
        for (int i = 1; i < pieces.length; i++) {
            Modifier modifier = Modifier.of(pieces[i]);
            if (modifier == null) {
                throw new OperationPathException(
                        "Expected to find one of the following modifiers: 'prev', 'next', 'before', or 'after' but found '"
                                + pieces[1] + "'"); // go-patch names the first modifier, even if a later one is wrong
            }
            modifiers.add(modifier);
        }
        return List.copyOf(modifiers);
    }

    private static void refuseModifiers(List<Modifier> modifiers, String where) throws OperationPathException {
        if (!modifiers.isEmpty()) {
            throw new OperationPathException("Expected not to find any modifiers with " + where);
        }
    }

    /* ASCII digits only: Java would accept the digits of every script. */
    private static Long index(String text) {
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        if (start == text.length()) {
            return null;
        }
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return null;
            }
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null; // too long for an index, so it is a key
        }
    }

    private static String unescaped(String text) {
        if (text.indexOf('~') < 0) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int code = c == '~' && i + 1 < text.length() ? "017".indexOf(text.charAt(i + 1)) : -1;
            result.append(code < 0 ? c : "~/:".charAt(code));
            i += code < 0 ? 0 : 1;
        }
        return result.toString();
    }

    /** A key or value, escaped for a path. */
    public static String escaped(String text) {
        return text.replace("~", "~0").replace("/", "~1").replace(":", "~7");
    }

    /** A path of plain keys, for the dotted names of variables. With indexes, names that are integers are indexes. */
    public static OperationPath ofNames(List<String> names, boolean withIndexes) throws OperationPathException {
        if (names.size() > MAX_COMPONENTS) {
            throw new OperationPathException("Expected to find at most " + MAX_COMPONENTS + " components");
        }
        List<Component> components = new ArrayList<>();
        for (String name : names) {
            Long index = withIndexes ? index(name) : null;
            components.add(index == null ? new MapKey(name, false) : new Index(index, List.of()));
        }
        return new OperationPath(printed(components, components.size()), components);
    }

    /**
     * The value at this path. A missing optional key gives null. A missing optional item gives a map with only the
     * entry that the path matches.
     *
     * @throws OperationPathException if the path does not lead through the document
     */
    public Value find(Value document, Budget budget) throws OperationPathException {
        return new Walk(this, budget).find(document);
    }

    List<Component> components() {
        return components;
    }

    /** The path up to and including a component, in the normal form that go-patch uses in messages. */
    String upTo(int component) {
        return printed(components, Math.min(component + 1, components.size()));
    }

    /** A component as it appears in the normal form. */
    String component(int component) {
        return upTo(component).substring(upTo(component - 1).length() + 1);
    }

    /** The whole path in normal form. */
    String normal() {
        return printed(components, components.size());
    }

    private static String printed(List<Component> components, int count) {
        StringBuilder text = new StringBuilder();
        boolean optional = false;
        for (Component component : components.subList(0, count)) {
            String mark = component.isOptional() && !optional ? "?" : "";
            optional |= component.isOptional();
            text.append('/');
            if (component instanceof MapKey key) {
                text.append(escaped(key.name())).append(mark);
            } else if (component instanceof Index index) {
                text.append(index.index());
                append(text, index.modifiers());
            } else if (component instanceof Match match) {
                text.append(escaped(match.key())).append('=').append(escaped(match.value()));
                append(text.append(mark), match.modifiers());
            } else {
                text.append('-');
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<Modifier> modifiers) {
        modifiers.forEach(modifier -> text.append(':').append(modifier.text()));
    }

    @Override
    public String toString() {
        return text;
    }
}
