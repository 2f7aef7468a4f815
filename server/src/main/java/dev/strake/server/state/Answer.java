package dev.strake.server.state;

import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.server.state.DocumentQuestions.NoSuchDocumentException;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionLeases;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** What a {@link WorkspaceService} answers. */
sealed interface Answer {

    /**
     * A list, of which one item is on the heap at a time. To be closed.
     *
     * @param what what it is a list of
     * @param items to the end of the revision, whatever the page
     * @param whole how many items the list has to have where all of it is read; -1 if that is not known
     * @param origin where it comes from, if the client wants to know
     * @param enough whether the answer has taken as much work as one may, so that its page ends
     */
    record Listing(MapValue what, Stream<Item> items, long whole, Page page, MapValue origin, BooleanSupplier enough)
            implements Answer, AutoCloseable {

        /** The same list, which says one thing more of what it is a list of. */
        Listing with(String name, Value value) {
            return new Listing(what.with(name, value), items, whole, page, origin, enough);
        }

        /** The same list, which keeps what it reads until it is closed. */
        Listing keeping(RevisionLeases.Lease lease) {
            return new Listing(what, items.onClose(lease::close), whole, page, origin, enough);
        }

        @Override
        public void close() {
            items.close();
        }
    }

    /**
     * An item of a list.
     *
     * @param name what it is found by again, see {@link Page}
     * @param json null for one that was looked at, and is not wanted
     */
    record Item(List<String> name, Value json) {

        static Item passedOver(List<String> name) {
            return new Item(name, null);
        }
    }

    /** An answer that is small enough for the heap. */
    record Whole(MapValue json) implements Answer {}

    /** Another instance has the workspace. */
    record AskAt(String address) implements Answer {}

    /** There is no answer. */
    record Refused(Reason reason, String code, String message) implements Answer {

        static Refused noWorkspace(String workspace) {
            return new Refused(
                    Reason.MISSING,
                    "WorkspaceNotFound",
                    "There is no workspace " + workspace + ", or it never had a document.");
        }

        static Refused forbidden(String message) {
            return new Refused(Reason.FORBIDDEN, "Forbidden", message);
        }

        static Refused notHere() {
            return new Refused(
                    Reason.NOT_NOW,
                    "NotHere",
                    "This instance does not have the workspace, or not yet, and cannot say which one has. Ask again in a "
                            + "moment; with several instances, each needs strake.http.advertised.");
        }

        static Refused tooLarge() {
            return new Refused(
                    Reason.TOO_MUCH,
                    "TooLarge",
                    "The documents that have to be looked at take more memory or work than there is for one answer. Ask the "
                            + "same of files: strake explain and strake affected with --document.");
        }

        static Refused changing() {
            return new Refused(
                    Reason.NOT_NOW,
                    "NotReady",
                    "The workspace changes faster than it can be read. Ask again in a moment.");
        }

        /**
         * What a failure means to the client.
         *
         * @throws RuntimeException the failure, if it is none that can be foreseen
         */
        static Refused of(RuntimeException failure, boolean fromStandby) {
            if (failure instanceof NamedRevision.UnknownException) {
                return new Refused(Reason.MISSING, "RevisionNotFound", failure.getMessage());
            } else if (failure instanceof NoSuchDocumentException) {
                return new Refused(Reason.MISSING, "DocumentNotFound", failure.getMessage());
            } else if (failure instanceof RevisionGoneException) {
                return new Refused(
                        Reason.NOT_NOW,
                        "RevisionGone",
                        "The revision was pruned while it was read: later ones took its place. Ask again, and read faster.");
            } else if (failure instanceof InvalidStateStoreException) {
                return new Refused(Reason.NOT_NOW, "NotReady", "The state is being restored. Ask again in a moment.");
            } else if (failure instanceof Derivations.BusyException) {
                return new Refused(
                        Reason.NOT_NOW, "Busy", "Too many earlier revisions are being read. Ask again in a moment.");
            } else if (failure instanceof WorkspaceService.TooFarApartException) {
                return new Refused(Reason.TOO_MUCH, "TooFarApart", failure.getMessage());
            } else if (failure instanceof LockedException) {
                return new Refused(Reason.KEYLESS, "SecretKeyNotFound", failure.getMessage());
            } else if (failure instanceof UnderivableException) {
                // The stores of a copy follow one by one, so what it has of a revision may not fit together for a
                // moment.
                return fromStandby
                        ? new Refused(
                                Reason.NOT_NOW, "NotReady", "The copy is between two revisions. Ask again in a moment.")
                        : new Refused(Reason.DAMAGED, "RenderingLost", failure.getMessage());
            }
            throw failure;
        }
    }

    /** Why there is no answer. */
    enum Reason {
        /** Whoever asks may not have it. */
        FORBIDDEN,
        /** There is no such thing. */
        MISSING,
        /** Asking again in a moment may help. */
        NOT_NOW,
        /** It takes more than there is room for; asking again does not help. */
        TOO_MUCH,
        /** It is made of something encrypted, and the key is gone. */
        KEYLESS,
        /** Stored state is damaged. */
        DAMAGED
    }
}
