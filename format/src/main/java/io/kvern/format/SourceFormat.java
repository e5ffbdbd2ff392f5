package io.kvern.format;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks or rewrites the layout of every Java source below a directory.
 *
 * <p>Usage: {@code SourceFormat check|apply ROOT}. Exit code 1 names each file that is not laid out, or does not parse.
 */
public final class SourceFormat {
    private SourceFormat() {}

    public static void main(String[] args) throws IOException {
        boolean apply = args[0].equals("apply");
        Path root = Path.of(args[1]);
        Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .build());
        List<String> wrong = sources(root).parallelStream()
                .map(file -> format(formatter, root, file, apply))
                .flatMap(Optional::stream)
                .toList();
        if (!wrong.isEmpty()) {
            wrong.forEach(name -> System.err.println("not formatted: " + name));
            System.err.println("Run: mvn -q -pl format process-classes -Dformat=apply");
            System.exit(1);
        }
    }

    /** What is wrong with the file and was not mended. */
    private static Optional<String> format(Formatter formatter, Path root, Path file, boolean apply) {
        try {
            String text = Files.readString(file);
            String laidOut = formatter.formatSourceAndFixImports(text);
            if (laidOut.equals(text)) {
                return Optional.empty();
            }
            if (apply) {
                Files.writeString(file, laidOut);
                return Optional.empty();
            }
            return Optional.of(root.relativize(file).toString());
        } catch (FormatterException e) {
            return Optional.of(root.relativize(file) + ": " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> modules = Files.list(root)) {
            List<Path> files = new ArrayList<>();
            for (Path tree : modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> walk = Files.walk(tree)) {
                    walk.filter(file -> file.toString().endsWith(".java"))
                            .sorted()
                            .forEach(files::add);
                }
            }
            return files;
        }
    }
}
