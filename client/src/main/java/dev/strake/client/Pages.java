package dev.strake.client;

import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The items of a list, all of one revision, requested page by page. */
final class Pages implements Iterator<Value> {

    private static final String REVISION = "revision";

    private final URI base;
    private final List<Parameter> parameters;
    private final Request request;
    private MapValue page;
    private Iterator<Value> items;

    /** Requests the page after a cursor. */
    interface Request {

        MapValue page(List<Parameter> parameters, Optional<String> after)
                throws NotFoundException, InterruptedException;
    }

    /** @param base the address of the service, for messages */
    Pages(URI base, List<Parameter> parameters, MapValue first, Request request) {
        this.base = base;
        this.parameters = new ArrayList<>(parameters);
        this.request = request;
        if (first.get(REVISION) instanceof Num number) { // the head may move between pages
            this.parameters.removeIf(each -> each.name().equals(REVISION));
            this.parameters.add(new Parameter(REVISION, number.literal()));
        }
        turnTo(first);
    }

    private void turnTo(MapValue next) {
        if (!(next.get("items") instanceof ListValue all)) {
            throw new KafkaUnavailableException("The server at %s is not Strake.".formatted(base));
        }
        page = next;
        items = all.items().iterator();
    }

    @Override
    public boolean hasNext() {
        while (!items.hasNext() && page.get("next") instanceof Text cursor) {
            try {
                turnTo(request.page(parameters, Optional.of(cursor.value())));
            } catch (NotFoundException e) {
                throw new KafkaUnavailableException(
                        "Strake at %s: the revision was pruned while it was read. Try again.".formatted(base), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaUnavailableException("Reading from %s was interrupted.".formatted(base), e);
            }
        }
        return items.hasNext();
    }

    @Override
    public Value next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return items.next();
    }
}
