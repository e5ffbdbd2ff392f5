package io.kvern.app.cli;

import io.kvern.model.BlockId;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.MatchResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says how much of a chain is stored. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        header = "Says how many leading blocks of a chain are stored.",
        description = "A block behind the first absent one does not count, wherever it is.")
final class MatchCommand implements Callable<Integer> {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "Any text, such as org/model.")
    private String namespace = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "Blocks of one prompt, in order.")
    private List<String> ids = new ArrayList<>();

    @Override
    public Integer call() {
        List<BlockId> chain = ids.stream().map(BlockId::of).toList();
        try (BlockLoader loader = node.loader(NodeOptions.namespace(namespace))) {
            MatchResult match = loader.match(chain, node.timeout());
            PrintWriter out = spec.commandLine().getOut();
            out.printf("%d of %d blocks, %d bytes%n", match.length(), chain.size(), match.bytes());
            out.flush();
            if (!match.certain()) {
                PrintWriter err = spec.commandLine().getErr();
                err.printf("kvern: not certain: more may be stored (is a node running at %s?)%n", node.address());
                err.flush();
                return ExitCodes.UNAVAILABLE;
            }
            return ExitCodes.OK;
        }
    }
}
