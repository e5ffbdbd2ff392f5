/** The processes of a run: started, metered and stopped here, each with an explicit heap. Knows nothing of lanes. */
@NullMarked
package io.kvern.bench.site;

import org.jspecify.annotations.NullMarked;
