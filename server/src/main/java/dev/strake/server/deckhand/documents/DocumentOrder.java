package dev.strake.server.deckhand.documents;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.http.RefusedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sorts and limits the documents of a response.
 *
 * <pre>
 *  sort    a path with dots, for example metadata.name; if repeated, the first one takes precedence
 *  order   desc reverses the order
 *  limit   an integer, whose sign is ignored
 * </pre>
 *
 * <p>Documents with equal sort values are in the order of their creation, and so are all if none has a sort value. A
 * document without a value comes before one with a value.
 */
public final class DocumentOrder {

    private static final String SORT = "sort";
    private static final String ORDER = "order";
    private static final String LIMIT = "limit";

    /** The query parameters of routes with this order. */
    public static final List<String> PARAMETERS = List.of(SORT + "*", ORDER, LIMIT);

    /** In Deckhand a row number, so it stands for the order of creation. */
    private static final String ID = "id";

    private static final Pattern INTEGER = Pattern.compile("\\s*[-+]?([0-9]+)\\s*"); // a plus in a URL is a blank

    /** A response never has that many documents. */
    private static final int DIGITS = 9;

    private final List<List<String>> paths;
    private final boolean isDescending;
    private final int limit;

    /**
     * A document and its creation.
     *
     * @param revision that last changed it
     * @param place among the documents of that change
     */
    public record Created(MapValue document, long revision, int place) {

        static final Comparator<Created> ORDER =
                Comparator.comparingLong(Created::revision).thenComparingInt(Created::place);
    }

    /**
     * Parses the order from a request.
     *
     * @param parameters returns all values of a parameter
     * @throws RefusedException if the limit is not a number
     */
    public DocumentOrder(Function<String, List<String>> parameters) {
        this.paths = parameters.apply(SORT).stream()
                .filter(path -> !path.equals(ID))
                .map(path -> List.of(path.split("\\.", -1)))
                .toList();
        this.isDescending = first(parameters, ORDER).filter("desc"::equals).isPresent();
        this.limit = first(parameters, LIMIT).map(DocumentOrder::limit).orElse(Integer.MAX_VALUE);
    }

    private static Optional<String> first(Function<String, List<String>> parameters, String name) {
        return parameters.apply(name).stream().findFirst();
    }

    private static int limit(String text) {
        Matcher integer = INTEGER.matcher(text);
        if (!integer.matches()) {
            throw new RefusedException(
                    400, "HTTPInvalidParam", "The \"limit\" parameter is invalid. The value must be an integer.");
        }
        String digits = integer.group(1).replaceFirst("^0+(?=.)", "");
        return digits.length() > DIGITS ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    /** Returns the documents in this order, up to the limit. */
    public List<MapValue> of(List<Created> documents) {
        List<Created> sorted = new ArrayList<>(documents);
        sorted.sort(Created.ORDER);
        List<List<String>> known = paths.stream()
                .filter(path -> documents.stream().anyMatch(each -> at(each.document(), path) != null))
                .toList();
        if (known.isEmpty()) {
            sorted.sort(directed(Created.ORDER));
        } else {
            sorted.sort(directed((one, other) -> compare(known, one.document(), other.document())));
        }
        return sorted.stream().limit(limit).map(Created::document).toList();
    }

    private Comparator<Created> directed(Comparator<Created> ascending) {
        return isDescending ? ascending.reversed() : ascending;
    }

    private static int compare(List<List<String>> paths, MapValue one, MapValue other) {
        int order = 0;
        for (int i = 0; i < paths.size() && order == 0; i++) {
            order = compare(at(one, paths.get(i)), at(other, paths.get(i)));
        }
        return order;
    }

    private static Value at(Value document, List<String> path) {
        Value value = document;
        for (String key : path) {
            value = value instanceof MapValue map ? map.get(key) : null;
        }
        return value;
    }

    private static int compare(Value one, Value other) {
        if (one instanceof Text text && other instanceof Text otherText) {
            return text.value().compareTo(otherText.value());
        }
        int order = Integer.compare(rank(one), rank(other));
        return order == 0 ? Double.compare(number(one), number(other)) : order;
    }

    /* Orders values of different types. Absent values come first, containers last. */
    private static int rank(Value value) {
        if (value == null || value instanceof Null) {
            return 0;
        }
        return value instanceof Num || value instanceof Bool ? 1 : value instanceof Text ? 2 : 3;
    }

    private static double number(Value value) {
        if (value instanceof Bool bool) {
            return bool.value() ? 1 : 0;
        }
        return value instanceof Num num ? Double.parseDouble(num.literal()) : 0;
    }
}
