/** The only importer of RocksDB: the persisted index. Nothing native leaves this room. */
@NullMarked
package io.kvern.store.rocks;

import org.jspecify.annotations.NullMarked;
