package dev.strake.heat;

import dev.strake.heat.source.FaultException;
import dev.strake.heat.template.TemplateAnswer;
import dev.strake.heat.template.Validation;
import dev.strake.heat.template.Validation.Environments;
import java.util.List;
import java.util.Map;

/** Validates trees of templates. An answer depends on its request alone: on what its files hold, and on nothing else. */
public final class TemplateValidator {

    private TemplateValidator() {}

    public static TemplateAnswer validate(TemplateRequest request) {
        boolean deep = request.mode() == TemplateRequest.Mode.DEEP;
        Validation validation =
                new Validation(request.template(), request.files(), request.limits(), deep, request.showNested());
        try {
            validation.requireKnownCodes(request.ignoreErrors());
            return validation.run(
                    new Environments(request.environment(), request.environmentFiles(), request.parameters()));
        } catch (FaultException e) {
            return new TemplateAnswer(null, null, Map.of(), List.of(e.fault()), List.of(), List.of());
        }
    }
}
