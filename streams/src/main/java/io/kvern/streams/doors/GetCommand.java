package io.kvern.streams.doors;

/** {@code GET id}: the block, verified; nil where it is certainly not stored. */
final class GetCommand implements Command {
    private final BlockLookup lookup;
    private final BlockFetch fetch;

    GetCommand(BlockLookup lookup, BlockFetch fetch) {
        this.lookup = lookup;
        this.fetch = fetch;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        fetch.answer(call.key(1), lookup.deadline(), call.reply());
    }
}
