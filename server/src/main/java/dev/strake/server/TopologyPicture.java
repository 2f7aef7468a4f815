package dev.strake.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;

/** Formats the topology as a Mermaid flowchart or as JSON. */
final class TopologyPicture {

    private TopologyPicture() {}

    /** A Mermaid flowchart: topics rounded, processors square, stores as cylinders. */
    static String mermaid(TopologyDescription topology) {
        Set<String> lines = new TreeSet<>(); // sorted, because the sets of the description have no order
        for (Node node : nodes(topology)) {
            lines.add("  %s[%s]".formatted(id(node.name()), node.name()));
            if (node instanceof Source source && source.topicSet() != null) {
                source.topicSet().forEach(topic -> lines.add(topic(topic) + " --> " + id(node.name())));
            }
            if (node instanceof Sink sink && sink.topic() != null) {
                lines.add("  %s --> %s"
                        .formatted(id(node.name()), topic(sink.topic()).strip()));
            }
            if (node instanceof Processor processor) {
                processor
                        .stores()
                        .forEach(store -> lines.add(
                                "  %s <--> %s[(%s)]".formatted(id(node.name()), "store-" + id(store), store)));
            }
            node.successors().forEach(next -> lines.add("  %s --> %s".formatted(id(node.name()), id(next.name()))));
        }
        return "flowchart TD\n" + String.join("\n", lines) + "\n";
    }

    private static String topic(String topic) {
        return "  topic-%s([%s])".formatted(id(topic), topic);
    }

    /* Mermaid interprets dots and the word "end"; Strake's names contain neither. */
    private static String id(String name) {
        return name.replaceAll("[^A-Za-z0-9-]", "-");
    }

    static Map<String, Object> json(TopologyDescription topology) {
        List<Object> nodes = new ArrayList<>();
        for (Node node : nodes(topology)) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("name", node.name());
            if (node instanceof Source source) {
                content.put("type", "source");
                content.put("topics", List.copyOf(new TreeSet<>(source.topicSet())));
            } else if (node instanceof Sink sink) {
                content.put("type", "sink");
                content.put("topics", List.of(sink.topic()));
            } else if (node instanceof Processor processor) {
                content.put("type", "processor");
                content.put("stores", List.copyOf(new TreeSet<>(processor.stores())));
            }
            content.put(
                    "successors",
                    node.successors().stream().map(Node::name).sorted().toList());
            nodes.add(content);
        }
        return Map.of("nodes", nodes);
    }

    private static List<Node> nodes(TopologyDescription topology) {
        return topology.subtopologies().stream()
                .map(Subtopology::nodes)
                .flatMap(Set::stream)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }
}
