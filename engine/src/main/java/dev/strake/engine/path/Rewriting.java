package dev.strake.engine.path;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Predicate;

/**
 * One pass over a tree that replaces or removes the value in every place to which a path leads.
 *
 * <p>Each value is visited once, together with the set of steps that may come next. For {@code ..a.b}, every value is
 * searched for an {@code a}, and the value of an {@code a} for a {@code b} as well. If places are nested, only the
 * outermost counts, because it is replaced with all that is inside. Deckhand's library does the same.
 */
final class Rewriting {

    private final List<PathStep> steps;
    private final Value replacement; // null to remove
    private final Budget budget;
    private long places;
    private long characters;

    Rewriting(List<PathStep> steps, Value replacement, Budget budget) {
        this.steps = steps;
        this.replacement = replacement;
        this.budget = budget;
    }

    /** The number of places found. */
    long places() {
        return places;
    }

    /** The number of characters of texts to which the path leads. They can be read, but not written or removed. */
    long characters() {
        return characters;
    }

    /** The tree with every place rewritten; the same object if no place matches. The path has at least one step. */
    Value of(Value root) {
        return below(root, 1);
    }

    /*
     * Rewrites the places below a value that is not rewritten itself. Bit i of "next" is set if step i may come next. A
     * path has at most as many steps as a long has bits.
     */
    private Value below(Value from, long next) {
        budget.spend(Long.bitCount(next));
        PathStep only = Long.bitCount(next) == 1 ? steps.get(Long.numberOfTrailingZeros(next)) : null;
        if (from instanceof MapValue map) {
            if (only instanceof PathStep.Field field) {
                return entry(map, field.name(), next);
            }
            if (only == null || only.entersMaps()) {
                budget.spend((1L + Long.bitCount(next)) * map.size());
                return map.withEach((key, value) -> child(value, next, step -> step.leadsTo(key)));
            }
        } else if (from instanceof ListValue list) {
            if (only instanceof PathStep.Index index) {
                return item(list, index.position(list.size()), next);
            }
            if (only == null || only.entersLists()) {
                budget.spend((1L + Long.bitCount(next)) * list.size());
                return list.withEach((i, value) -> child(value, next, step -> step.leadsTo(i, list.size())));
            }
        } else if (Text.isSealed(from)) {
            places++; // the place may exist below; a write there changes nothing visible
        } else if (from instanceof Text text) {
            countCharacters(text, next);
        }
        return from;
    }

    private Value entry(MapValue map, String key, long next) {
        Value value = map.get(key);
        if (value == null) {
            return map;
        }
        long before = places;
        Value result = child(value, next, step -> true);
        if (places == before) {
            return map;
        }
        budget.spend(map.size());
        return result == null ? map.without(key) : map.with(key, result);
    }

    private Value item(ListValue list, int position, long next) {
        if (position < 0) {
            return list;
        }
        long before = places;
        Value result = child(list.get(position), next, step -> true);
        if (places == before) {
            return list;
        }
        budget.spend(list.size());
        return result == null ? list.without(position) : list.with(position, result);
    }

    /* The new value for a child of a container. The steps in "next" may lead from the container to the child. */
    private Value child(Value value, long next, Predicate<PathStep> leadsHere) {
        long onwards = 0;
        for (long left = next; left != 0; left &= left - 1) {
            int i = Long.numberOfTrailingZeros(left);
            PathStep step = steps.get(i);
            if (leadsHere.test(step)) {
                if (i == steps.size() - 1) {
                    places++;
                    return replacement;
                }
                onwards |= 1L << (i + 1);
            }
            if (step instanceof PathStep.Anywhere) {
                onwards |= 1L << i;
            }
        }
        return onwards == 0 ? value : below(value, onwards);
    }

    private void countCharacters(Text text, long next) {
        for (long left = next; left != 0; left &= left - 1) {
            int i = Long.numberOfTrailingZeros(left);
            PathStep step = steps.get(i) instanceof PathStep.Anywhere anywhere ? anywhere.inner() : steps.get(i);
            Text character = step instanceof PathStep.Index index ? index.characterOf(text, budget) : null;
            if (character != null && i == steps.size() - 1) {
                characters++;
            } else if (character != null) {
                countCharacters(character, 1L << (i + 1));
            }
        }
    }
}
