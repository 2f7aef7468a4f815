package dev.strake.engine.template;

import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.tree.Validation;
import dev.strake.engine.template.tree.Validation.Environments;
import dev.strake.engine.template.tree.Validation.Outcome;
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
            Outcome outcome = validation.run(
                    new Environments(request.environment(), request.environmentFiles(), request.parameters()));
            return new TemplateAnswer(
                    outcome.root(),
                    outcome.environment(),
                    outcome.typesMet(),
                    outcome.faults(),
                    outcome.unusedDefaults(),
                    outcome.unusedMappings());
        } catch (FaultException e) {
            return new TemplateAnswer(
                    null, null, Map.of(), List.<Fault>of(e.fault()), List.of(), List.<Registry.Entry>of());
        }
    }
}
