package io.kvern.format;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        List<String> wrong = new ArrayList<>();
        for (Path file : sources(root)) {
            String text = Files.readString(file);
            try {
                String laidOut = formatter.formatSourceAndFixImports(text);
                if (laidOut.equals(text)) {
                    continue;
                }
                if (apply) {
                    Files.writeString(file, laidOut);
                } else {
                    wrong.add(root.relativize(file).toString());
                }
            } catch (FormatterException e) {
                wrong.add(root.relativize(file) + ": " + e.getMessage());
            }
        }
        if (!wrong.isEmpty()) {
            wrong.forEach(name -> System.err.println("not formatted: " + name));
            System.err.println("Run: mvn -q -pl format process-classes -Dformat=apply");
            System.exit(1);
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
