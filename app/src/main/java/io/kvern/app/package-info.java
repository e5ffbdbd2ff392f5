/** The command {@code kvern}: command line, configuration, wiring, embedded broker, demo. Whatever has logic of its own belongs to another module. */
@NullMarked
package io.kvern.app;

import org.jspecify.annotations.NullMarked;
