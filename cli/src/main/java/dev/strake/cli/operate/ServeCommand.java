package dev.strake.cli.operate;

import dev.strake.cli.option.ClusterOptions;
import dev.strake.cli.option.SettingOptions;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.terminal.UntilStopped;
import dev.strake.server.Server;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "serve",
        description = {
            "Run the pipeline against an existing Kafka cluster.",
            "",
            "Creates missing topics. Instances with the same --application-id share the work; each needs its own data "
                    + "directory. Settings of Kafka clients come from --kafka-config and KAFKA_*, except those that "
                    + "exactly-once processing fixes.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake serve --bootstrap-servers kafka-1:9092,kafka-2:9092",
            "  strake serve --bootstrap-servers kafka:9094 --kafka-config client.properties",
            "  KAFKA_SECURITY_PROTOCOL=SASL_SSL KAFKA_SASL_MECHANISM=SCRAM-SHA-512 \\",
            "  KAFKA_SASL_JAAS_CONFIG=\"$JAAS\" strake serve --bootstrap-servers kafka:9094",
        })
public final class ServeCommand extends TerminalCommand {

    /** Every setting with an option. */
    public static final List<Setting<?>> OPTIONS = Catalogue.ALL.stream()
            .filter(Setting::isOption)
            .<Setting<?>>map(setting -> setting)
            .toList();

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private SettingOptions options;

    @Override
    public Integer call() throws Exception {
        Settings settings = options.settings(System.getenv());
        PipelineSettings pipeline = new PipelineSettings(cluster.settings(System.getenv()), settings);
        Server server = Server.start(pipeline);
        UntilStopped.serve(server, server.pipeline(), () -> {
            terminal.out().println("Kafka  " + pipeline.kafka().cluster().bootstrapServers());
            String scheme = settings.get(Catalogue.HTTP_TLS_CERTIFICATE).isPresent() ? "https" : "http";
            terminal.out()
                    .println("HTTP   " + scheme + "://" + settings.get(Catalogue.HTTP_HOST) + ":" + server.httpPort());
            terminal.out().flush();
        });
        return ExitCode.FINE;
    }
}
