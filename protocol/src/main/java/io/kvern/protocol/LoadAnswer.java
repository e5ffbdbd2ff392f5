package io.kvern.protocol;

import io.kvern.model.InvalidInputException;

/** Why a block that was asked for does not come. The codes are the places among the schema's symbols. */
public enum LoadAnswer {
    /** The node is sure that it is not stored. */
    MISS(0),
    /** The node cannot tell now. */
    UNSURE(1),
    /** The stored copy was damaged, and is gone. */
    CORRUPT(2),
    /** The deadline had passed. */
    LATE(3),
    /** It will not be sent; the detail says why. */
    REFUSED(4);

    private static final LoadAnswer[] ALL = values();

    private final int code;

    LoadAnswer(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static LoadAnswer ofCode(int code) {
        for (LoadAnswer answer : ALL) {
            if (answer.code == code) {
                return answer;
            }
        }
        throw new InvalidInputException(
                "load status %d is unknown; 0 to %d are possible".formatted(code, ALL.length - 1));
    }
}
