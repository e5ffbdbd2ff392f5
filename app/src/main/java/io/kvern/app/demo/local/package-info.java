/** What the demo runs on: broker, node and workers in this process. The story itself may not come in. */
@NullMarked
package io.kvern.app.demo.local;

import org.jspecify.annotations.NullMarked;
