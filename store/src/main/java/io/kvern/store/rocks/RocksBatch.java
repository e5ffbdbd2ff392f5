package io.kvern.store.rocks;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.LocationCodec;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** One write batch; see {@link RocksIndex} for the keys. */
final class RocksBatch implements BlockIndex.Batch {
    private static final byte[] META_SYNC = {RocksIndex.META, 'Q'};
    private static final byte[] META_TOPIC = {RocksIndex.META, 'T'};

    private final RocksIndex index;
    private final WriteBatch batch = new WriteBatch();

    RocksBatch(RocksIndex index) {
        this.index = index;
    }

    @Override
    public void put(BlockKey key, BlockLocation location) {
        ByteBuffer value = ByteBuffer.allocate(LocationCodec.size(location));
        LocationCodec.write(location, value);
        put(key.toBytes(), value);
    }

    @Override
    public void delete(BlockKey key) {
        delete(key.toBytes());
    }

    @Override
    public void lastSync(long sync) {
        put(META_SYNC, ByteBuffer.allocate(8).putLong(sync));
    }

    @Override
    public void topic(UUID topicId, int partitions) {
        put(
                META_TOPIC,
                ByteBuffer.allocate(20)
                        .putLong(topicId.getMostSignificantBits())
                        .putLong(topicId.getLeastSignificantBits())
                        .putInt(partitions));
    }

    @Override
    public void offset(int partition, long offset) {
        put(
                key('R', ByteBuffer.allocate(4).putInt(partition)),
                ByteBuffer.allocate(8).putLong(offset));
    }

    @Override
    public void deleteOffset(int partition) {
        delete(key('R', ByteBuffer.allocate(4).putInt(partition)));
    }

    @Override
    public void segment(long id, BlockIndex.SegmentState state) {
        put(
                key('S', ByteBuffer.allocate(8).putLong(id)),
                ByteBuffer.allocate(16).putLong(state.log()).putLong(state.data()));
    }

    @Override
    public void deleteSegment(long segment) {
        delete(key('S', ByteBuffer.allocate(8).putLong(segment)));
    }

    @Override
    public void usage(Fingerprint namespace, BlockIndex.UsageTotals totals) {
        byte[] key = key('U', ByteBuffer.allocate(16).putLong(namespace.high()).putLong(namespace.low()));
        if (totals.blocks() == 0) {
            delete(key);
        } else {
            put(key, ByteBuffer.allocate(16).putLong(totals.blocks()).putLong(totals.bytes()));
        }
    }

    private static byte[] key(char kind, ByteBuffer rest) {
        byte[] key = new byte[2 + rest.flip().remaining()];
        key[0] = RocksIndex.META;
        key[1] = (byte) kind;
        rest.get(key, 2, rest.remaining());
        return key;
    }

    private void put(byte[] key, ByteBuffer value) {
        try {
            byte[] bytes = new byte[value.flip().remaining()];
            value.get(bytes);
            batch.put(key, bytes);
        } catch (RocksDBException e) {
            throw RocksIndex.failure("written", e);
        }
    }

    private void delete(byte[] key) {
        try {
            batch.delete(key);
        } catch (RocksDBException e) {
            throw RocksIndex.failure("written", e);
        }
    }

    @Override
    public void write(boolean durable) {
        index.write(this, durable);
    }

    void writeTo(RocksDB db, boolean durable) throws RocksDBException {
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            db.write(options, batch);
        }
        if (durable) {
            try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
                db.flush(options);
            }
        }
    }

    @Override
    public void close() {
        batch.close();
    }
}
