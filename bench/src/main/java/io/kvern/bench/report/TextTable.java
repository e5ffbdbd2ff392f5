package io.kvern.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns: the first ones to the left, all others to the right. */
final class TextTable {
    private static final String GAP = "  ";

    private final int leftColumns;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(int leftColumns) {
        this.leftColumns = leftColumns;
    }

    TextTable row(String... cells) {
        rows.add(new ArrayList<>(List.of(cells)));
        return this;
    }

    /** More cells for the last row. */
    TextTable append(String... cells) {
        rows.getLast().addAll(List.of(cells));
        return this;
    }

    /** Appends the rows, each with a line end; a row may be shorter than others. */
    void appendTo(StringBuilder out) {
        List<Integer> widths = widths();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                String padding = " ".repeat(widths.get(i) - cell.length());
                line.append(GAP).append(i < leftColumns ? cell + padding : padding + cell);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private List<Integer> widths() {
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
        return widths;
    }
}
