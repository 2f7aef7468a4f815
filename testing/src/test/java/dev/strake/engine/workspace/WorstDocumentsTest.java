package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.EffortExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.validation.DataSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Documents of many shapes end within their budget, or are told that they exceed it. */
class WorstDocumentsTest {

    private static final RenderLimits SMALL = new RenderLimits(1L << 20, 256, 1024, 50_000, 50_000);
    private static final DocumentId SOURCE = new DocumentId("t/S/v1", "l", "s");

    private static final String[] PATHS = {
        ".",
        ".l",
        ".m",
        ".t",
        ".l[*]",
        ".m.*",
        "..k",
        "..a",
        "..a.k",
        "..*",
        "..[*]",
        "..[0]",
        ".l[-1]",
        ".m.k7",
        "..a..a..a..x",
        ".deep..a..k",
        ".l[*].k"
    };
    private static final String[] PATTERNS = {
        "x",
        "xxxxxxxxxxxxxxxy",
        "x*",
        "(?:x.*z|x)",
        "[a-z]{1,200}!",
        "(a?){500}",
        "\\w+\\d",
        "(x)(x)?(x)?",
        "(?:(?:x?){20}){20}$",
        "^.*$"
    };
    private static final String[] SCHEMAS = {
        "{'properties':{'l':{'uniqueItems':true}}}",
        "{'properties':{'l':{'items':{'enum':[1,2,3,'a',{'k':1}]}}}}",
        "{'properties':{'m':{'patternProperties':{'^k[0-9]{1,40}$':{},'a':{'type':'integer'}},'additionalProperties':false}}}",
        "{'properties':{'t':{'pattern':'(?:x.*z|x)y$'},'l':{'items':{'type':'string'}}}}",
        "{'definitions':{'n':{'additionalProperties':{'$ref':'#/definitions/n'},'items':{'$ref':'#/definitions/n'}}},'$ref':'#/definitions/n'}",
        "{'properties':{'l':{'items':{'anyOf':[{'type':'string'},{'minimum':5},{'multipleOf':0.1}]}}}}"
    };

    /** One way to spend effort, as small as its genes say. */
    private record Candidate(int shape, int size, int path, int pattern, int schema, int times) {

        static Candidate random(SplittableRandom random, int most) {
            return new Candidate(
                    random.nextInt(5),
                    1 + random.nextInt(most),
                    random.nextInt(PATHS.length),
                    random.nextInt(PATTERNS.length),
                    random.nextInt(SCHEMAS.length),
                    1 + random.nextInt(most));
        }

        Value data() {
            Value[] items = new Value[size];
            Arrays.setAll(items, i -> i % 3 == 0 ? MapValue.of("k", Num.of(i)) : new Text("x" + i));
            MapValue.Builder map = MapValue.builder();
            for (int i = 0; i < size; i++) {
                map.put("k" + i, Num.of(i));
            }
            Value deep = Num.of(1);
            for (int i = 0; i < Math.min(size, 200); i++) {
                deep = MapValue.builder().put("a", deep).put("k", Num.of(i)).build();
            }
            return MapValue.builder()
                    .put("l", ListValue.of(items))
                    .put("m", map.build())
                    .put("t", new Text("x".repeat(size)))
                    .put("deep", deep)
                    .build();
        }

        /* The whole of it within one budget; true if it came to an end. */
        boolean run(Value data, Budget budget) {
            try {
                switch (shape) {
                    case 0 -> substitute(data, "", budget);
                    case 1 ->
                        substitute(
                                data,
                                ",'pattern':'" + PATTERNS[pattern].replace("\\", "\\\\") + "','recurse':{'depth':-1}",
                                budget);
                    case 2 -> operate(data, budget);
                    case 3 -> DataSchema.of(Json.map(SCHEMAS[schema]), budget).check(data, budget);
                    default -> read(data, budget);
                }
                return true;
            } catch (EffortExceededException e) {
                return false;
            } catch (EvaluationException | OperationException | PathSyntaxException | IllegalArgumentException e) {
                return true;
            }
        }

        private Substitution substitution(String extra) {
            MapValue tree = Json.map(
                    "{'schema':'t/D/v1','metadata':{'schema':'metadata/Document/v1','name':'d','storagePolicy':'cleartext','layeringDefinition':{'layer':'l'},'substitutions':[{'src':{'schema':'t/S/v1','name':'s','path':'"
                            + PATHS[path] + "'},'dest':{'path':'" + PATHS[path] + "'" + extra + "}}]},'data':{}}");
            return Document.ofValid(tree).substitutions().get(0);
        }

        private void substitute(Value data, String extra, Budget budget) throws EvaluationException {
            Substitution substitution = substitution(extra);
            Value result = data;
            for (int i = 0; i < times; i++) {
                result =
                        Substituting.write(substitution.destinations().get(0), i, 0, Num.of(i), result, SOURCE, budget);
                budget.check(result);
            }
        }

        private void read(Value data, Budget budget) throws PathSyntaxException {
            Substitution substitution = substitution("");
            for (int i = 0; i < times; i++) {
                Substituting.select(substitution.source(), data, budget);
            }
        }

        private void operate(Value data, Budget budget) throws OperationException {
            String[] kinds = {
                "{'type':'replace','path':'/l/-','value':1}",
                "{'type':'replace','path':'/m/new%d?','value':1}",
                "{'type':'remove','path':'/m/k%d?'}",
                "{'type':'test','path':'/m/none%d','absent':true}",
                "{'type':'test','path':'/l/k=%d?/k','value':'%d'}",
                "{'type':'remove','path':'/l/0'}"
            };
            List<Value> list = new ArrayList<>();
            for (int i = 0; i < Math.min(times, 20_000); i++) {
                list.add(Json.value(kinds[path % kinds.length].replace("%d", Integer.toString(i))));
            }
            Operations.of(ListValue.of(list)).applyTo(data, budget);
        }
    }

    @Test
    void shouldEndEveryDocumentInAResultOrAtItsLimit() {
        SplittableRandom random = new SplittableRandom(21);
        int limited = 0;
        for (int i = 0; i < 400; i++) {
            Candidate candidate = Candidate.random(random, 300);
            Value data = candidate.data();
            Budget budget = SMALL.budget();
            boolean ended = candidate.run(data, budget);
            limited += ended ? 0 : 1;
            assertThat(budget.spent()).as("%s", candidate).isLessThanOrEqualTo(SMALL.effort());
            Budget again = SMALL.budget();
            assertThat(candidate.run(data, again)).as("%s", candidate).isEqualTo(ended);
            assertThat(again.spent()).as("%s", candidate).isEqualTo(budget.spent());
        }
        assertThat(limited).as("documents at their limit").isBetween(40, 360);
    }
}
