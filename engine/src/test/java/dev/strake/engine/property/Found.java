package dev.strake.engine.property;

import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** A random value of a tree, and a path that leads to it. */
record Found(Text path, Value value) {

    static Found in(Value tree, Dice dice) {
        String path = "";
        Value value = tree;
        for (int depth = dice.below(5);
                depth > 0 && value instanceof Container container && !container.isEmpty();
                depth--) {
            int next = dice.below(container.size());
            path += container instanceof MapValue map
                    ? Place.ROOT.at(map.keyAt(next)).path()
                    : "[" + (dice.chance(0.8) ? next : next - container.size()) + "]";
            value = container.valueAt(next);
        }
        return new Found(new Text((dice.chance(0.9) ? "" : "$") + (path.isEmpty() ? "." : path)), value);
    }
}
