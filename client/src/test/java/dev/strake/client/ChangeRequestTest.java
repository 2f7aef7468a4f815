package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.change.ChangeType;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeRequestTest {

    @Test
    void shouldPostTheResultOfAValidationToItsRevision() {
        MapValue result = MapValue.of("status", new Text("success"))
                .with("validator", MapValue.of("name", new Text("robot")))
                .with("errors", ListValue.EMPTY);
        NewChange change = NewChange.validation("site-a", "id", 3, "site-validation", result);

        HttpRequest request = new ChangeRequest(URI.create("http://strake:8080"), change)
                .publish(Duration.ZERO)
                .build();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.uri().getPath()).isEqualTo("/workspaces/site-a/revisions/3/validations/site-validation");
        assertThat(request.bodyPublisher().orElseThrow().contentLength())
                .as("the path has the revision and the name")
                .isEqualTo("{'status':'success','validator':{'name':'robot'},'errors':[]}".length());
    }

    @Test
    void shouldSendTheLimitOfRemovals() {
        NewChange change = NewChange.ofBucket("site-a", "id", ChangeType.BUCKET_PUT, "b", List.of());
        ChangeRequest request = new ChangeRequest(URI.create("http://strake:8080"), change);
        assertThat(request.publish(Duration.ZERO).build().uri().getQuery()).contains("max-removals=100%");
        assertThat(request.plan(Optional.empty(), false).build().uri().getQuery())
                .contains("max-removals=100%");
    }
}
