package dev.strake.cli.remote;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.FetchListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Prints what a fetcher does: a line for each change, and for the start and end of each problem. */
public final class FetchReport implements FetchListener {

    private final Terminal terminal;
    private final Map<String, String> last = new ConcurrentHashMap<>();

    public FetchReport(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void attempted(String workspace, MapValue status) {
        String name = text(status.map("metadata"), "name");
        MapValue data = status.map("data");
        MapValue change = data.map("change");
        MapValue problem = data.map("problem");
        MapValue counts = data.map("documents");
        String line;
        if (!problem.isEmpty()) {
            line = "%s, %s: %s".formatted(text(data, "state"), text(problem, "code"), text(problem, "message"));
        } else if (!change.isEmpty()) {
            line = "%s, revision %s: %s, %s removed"
                    .formatted(
                            text(change, "outcome"),
                            text(change, "revision"),
                            documents(counts),
                            text(counts, "removed"));
        } else {
            line = "unchanged: " + documents(counts);
        }
        String before = last.put(workspace + "/" + name, line);
        if (!change.isEmpty() || !line.equals(before)) {
            say(workspace, name, line);
        }
    }

    @Override
    public void released(String workspace, String name) {
        last.remove(workspace + "/" + name);
        say(workspace, name, "removed, with its documents");
    }

    private synchronized void say(String workspace, String name, String line) {
        terminal.print(Location.inOneLine(workspace + " " + name + ": " + line));
        terminal.out().flush();
    }

    @Override
    public void failed(Exception reason, Duration pause) {
        terminal.say("strake: %s Trying again in %d s.".formatted(reason.getMessage(), pause.toSeconds()));
    }

    private static String documents(MapValue counts) {
        String source = text(counts, "source");
        return source + (source.equals("1") ? " document" : " documents");
    }

    private static String text(MapValue map, String key) {
        Value value = map.get(key);
        return value instanceof Text text ? text.value() : value instanceof Num number ? number.literal() : "-";
    }
}
