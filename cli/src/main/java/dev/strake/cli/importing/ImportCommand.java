package dev.strake.cli.importing;

import dev.strake.cli.output.Counted;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.YamlOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = {
            "Convert Kubernetes manifests, kustomizations or Helm values to documents.",
            "",
            "In a folder with kustomizations, each becomes a layer, and overlays layer on their bases. Any other "
                    + "folder becomes one layer. Helm values become a layer for the chart and one for each file. The "
                    + "documents are rendered and compared with their sources. What cannot be translated is printed, "
                    + "one item per line: where, what, why.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake import k8s/ --to site",
            "  strake render site/policy.yaml site/base site/production",
            "  strake import --values chart/values.yaml \\",
            "    --environment dev=values-dev.yaml \\",
            "    --environment eu=values-production.yaml,values-eu.yaml --to site",
            "",
            "Exit codes: 0 all translated, 2 wrong usage, 5 all except what is printed.",
        })
public final class ImportCommand extends TerminalCommand {

    @Parameters(
            paramLabel = "FOLDER",
            arity = "0..1",
            description = "Manifests, or a folder with kustomizations in it or below.")
    private Optional<Path> folder = Optional.empty();

    @Option(names = "--values", paramLabel = "FILE", description = "The values.yaml of a chart, instead of FOLDER.")
    private Optional<Path> values = Optional.empty();

    @Option(
            names = {"-e", "--environment"},
            paramLabel = "NAME=FILES",
            description = "An environment and its values files, separated by commas, in the order of Helm's -f. May be "
                    + "given several times.")
    private List<String> given = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "values",
            description = "The name of the documents with values. Default: ${DEFAULT-VALUE}.")
    private String name;

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "A new or empty folder for documents.")
    private Path to;

    @Override
    public Integer call() throws IOException {
        refuseToOverwrite();
        Set<Untranslated> left = new LinkedHashSet<>();
        List<Layer> environments = environments(left);
        LayeredDocuments documents = new LayeredDocuments(environments);
        if (left.isEmpty()
                && documents.layers().stream().allMatch(layer -> layer.items().isEmpty())) {
            throw usage(
                    "There is nothing to import in %s: no %s, and no *.yaml, *.yml or *.json with a Kubernetes object."
                            .formatted(folder.map(Terminal::pasted).orElse("these files"), Kustomize.FILES.get(0)));
        }
        environments.forEach(each -> left.addAll(documents.differences(each)));
        int written = write(documents);
        left.stream().sorted(Untranslated.BY_PLACE).forEach(each -> terminal.print(each.describe()));
        terminal.say("%s in %s, %d not translated"
                .formatted(
                        Counted.of(written, "document"),
                        Counted.of(documents.layers().size(), "layer"),
                        left.size()));
        long secrets = documents.encrypted();
        if (secrets > 0) {
            terminal.say(
                    "%s written in clear text. Before you commit %s, encrypt each file with 'strake seal -w WORKSPACE FILE'."
                            .formatted(
                                    secrets == 1 ? "1 secret is" : secrets + " secrets are",
                                    secrets == 1 ? "it" : "them"));
        }
        sayNext(environments);
        return left.isEmpty() ? ExitCode.FINE : ExitCode.INCOMPLETE;
    }

    private void sayNext(List<Layer> environments) {
        List<String> folders = environments.stream()
                .map(environment -> environment.withParents().stream()
                        .filter(layer -> !layer.items().isEmpty())
                        .map(layer -> Terminal.pasted(to.resolve(layer.name())))
                        .collect(Collectors.joining(" ")))
                .filter(each -> !each.isEmpty())
                .toList();
        if (!folders.isEmpty()) {
            terminal.say("Now try:");
            folders.forEach(each -> terminal.sayCommand(
                    "  strake render %s %s".formatted(Terminal.pasted(to.resolve("policy.yaml")), each)));
        }
    }

    private void refuseToOverwrite() throws IOException {
        if (Files.exists(to)) {
            try (Stream<Path> there = Files.list(to)) {
                if (there.findAny().isPresent()) {
                    throw new FileAlreadyExistsException(
                            to.toString(), null, "it is not empty, so nothing was written");
                }
            }
        }
    }

    private List<Layer> environments(Set<Untranslated> left) throws IOException {
        if (folder.isPresent() == values.isPresent() || values.isPresent() == given.isEmpty()) {
            throw usage(
                    "Give a folder; or --values with the values of a chart, and --environment for each environment.");
        }
        if (values.isPresent()) {
            return HelmValues.environments(name, values.get(), valuesOf(), left);
        }
        Path from = folder.get();
        if (!Files.isDirectory(from)) {
            throw usage((Files.exists(from) ? "%s is not a folder." : "There is no folder %s.")
                    .formatted(Terminal.pasted(from)));
        }
        List<Layer> environments = Kustomize.environments(from, left);
        return environments.isEmpty() ? List.of(Manifests.layer(from, left)) : environments;
    }

    private Map<String, List<Path>> valuesOf() {
        Map<String, List<Path>> files = new LinkedHashMap<>();
        for (String each : given) {
            if (!each.matches("[A-Za-z0-9_][A-Za-z0-9._-]*=[^,]+(,[^,]+)*")) {
                throw usage(
                        "'%s' is not NAME=FILES: write a name of letters, digits, dots, underscores and dashes, and files with commas between them."
                                .formatted(each));
            }
            String environment = each.substring(0, each.indexOf('='));
            List<Path> its = Stream.of(each.substring(environment.length() + 1).split(","))
                    .map(Path::of)
                    .toList();
            if (files.put(environment, its) != null) {
                throw usage("--environment %s is given twice. Give all its files at once, with commas between them."
                        .formatted(environment));
            }
        }
        return files;
    }

    private int write(LayeredDocuments documents) throws IOException {
        write(to.resolve("policy.yaml"), List.of(documents.policy()));
        int written = 1;
        for (Layer layer : documents.layers()) {
            Set<Path> files = new HashSet<>();
            for (List<MapValue> made : documents.of(layer).values()) {
                String name = made.get(0).map("metadata").text("name");
                String plain = name.substring(
                                layer.isEnvironment() ? 0 : layer.name().length() + 1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9.-]+", "-");
                Path file = to.resolve(layer.name()).resolve(plain + ".yaml");
                for (int i = 2; !files.add(file); i++) {
                    file = to.resolve(layer.name()).resolve(plain + "-" + i + ".yaml");
                }
                write(file, made);
                written += made.size();
            }
        }
        return written;
    }

    private static void write(Path file, List<MapValue> documents) throws IOException {
        Files.createDirectories(file.getParent());
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            YamlOutput.printAll(out, documents);
        }
    }
}
