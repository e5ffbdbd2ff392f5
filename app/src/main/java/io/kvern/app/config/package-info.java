/**
 * The one configuration model: settings with their defaults, and their values from a file, the environment and flags, in
 * that order. No command and no wiring may come in.
 */
@NullMarked
package io.kvern.app.config;

import org.jspecify.annotations.NullMarked;
