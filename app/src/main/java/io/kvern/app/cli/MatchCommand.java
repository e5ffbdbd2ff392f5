package io.kvern.app.cli;

import io.kvern.model.BlockId;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.MatchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says how much of a chain is stored. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        header = "Says how many leading blocks of a chain are stored.",
        description = "A block behind the first absent one does not count, wherever it is.")
final class MatchCommand implements Callable<Integer> {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "Any text, such as org/model.")
    private String namespace = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "Blocks of one prompt, in order.")
    private List<String> ids = new ArrayList<>();

    @Override
    public Integer call() {
        List<BlockId> chain = ids.stream().map(BlockId::of).toList();
        try (BlockLoader loader = node.loader(NodeOptions.namespace(namespace))) {
            MatchResult match = loader.match(chain, node.timeout());
            System.out.printf("%d of %d blocks, %d bytes%n", match.length(), chain.size(), match.bytes());
            if (!match.certain()) {
                System.err.printf(
                        "kvern: not certain: more may be stored (is a node running at %s?)%n", node.address());
                return ExitCodes.UNAVAILABLE;
            }
            return ExitCodes.OK;
        }
    }
}
