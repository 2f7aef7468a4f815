package dev.strake.cli.output;

import java.io.PrintWriter;

/** What results are written on: a terminal, a pipe or a file. */
public interface Screen {

    PrintWriter out();

    /** A line that stands out, where that can be shown. */
    String bold(String line);
}
