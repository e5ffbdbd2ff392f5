package io.kvern.store.segment;

import io.kvern.model.Component;
import io.kvern.model.WriteMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A block location in bytes, the same in a frame of a segment's log and as a value of the index. Big-endian.
 *
 * <pre>
 *  0          8         16       20     24     25       33          41
 *  +----------+---------+--------+------+------+--------+-----------+-------+-------------------------+
 *  | segment  | place   | length | crc  | mode | epoch  | logOffset | n: u8 | n x (kind u8, length u32)|
 *  +----------+---------+--------+------+------+--------+-----------+-------+-------------------------+
 * </pre>
 */
public final class LocationCodec {
    private static final int FIXED = 42;
    private static final int PER_COMPONENT = 5;

    /** Longest encoded location. */
    public static final int MAX_BYTES = FIXED + PER_COMPONENT * Component.MAX_PER_BLOCK;

    private LocationCodec() {}

    public static int size(BlockLocation location) {
        return FIXED + PER_COMPONENT * location.components().size();
    }

    public static void write(BlockLocation location, ByteBuffer to) {
        to.putLong(location.segment())
                .putLong(location.place())
                .putInt(location.length())
                .putInt(location.crc())
                .put((byte) location.mode().code())
                .putLong(location.epoch())
                .putLong(location.logOffset())
                .put((byte) location.components().size());
        for (Component component : location.components()) {
            to.put((byte) component.kind().code()).putInt(component.length());
        }
    }

    /** @throws RuntimeException if the bytes are no location */
    public static BlockLocation read(ByteBuffer from) {
        long segment = from.getLong();
        long place = from.getLong();
        int length = from.getInt();
        int crc = from.getInt();
        WriteMode mode = WriteMode.ofCode(from.get());
        long epoch = from.getLong();
        long logOffset = from.getLong();
        int count = from.get() & 0xff;
        List<Component> components = count == 0 ? List.of() : new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            components.add(new Component(Component.Kind.ofCode(from.get()), from.getInt()));
        }
        return new BlockLocation(segment, place, length, crc, mode, epoch, logOffset, components);
    }
}
