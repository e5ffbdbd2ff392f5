/** What a run found, as plain records, and how it is told: JSON, a table, an HTML page. Knows nothing of how it was measured. */
@NullMarked
package io.kvern.bench.report;

import org.jspecify.annotations.NullMarked;
