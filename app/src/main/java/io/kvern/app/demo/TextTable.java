package io.kvern.app.demo;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns: the first to the left, all others to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a row; its cells may be fewer than those of others. */
    public TextTable row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** Appends the rows, each with a line end; a row may be shorter than others. */
    public void appendTo(StringBuilder out) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int width = row.get(i).length();
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(GAP);
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                String padding = " ".repeat(widths.get(i) - cell.length());
                line.append(i == 0 ? cell + padding : GAP + padding + cell);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }
}
