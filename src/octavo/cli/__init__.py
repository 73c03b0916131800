"""The command line: reads arguments, asks `octavo.app`, and shows what comes back.

    program.py    the root command, its help, and the list of commands
    command.py    what all commands share: options, examples in the help
    outcome.py    the one place where errors become exit codes and messages
    output.py     writing: clean text, JSON, styled lines
    layout.py     widths, folding of authors, marking of words, snippets (pure)
    texts.py      pasted text into the texts to identify (pure)
    progress.py   the progress bar
    *_command.py  a module for each group of commands

Only click is imported at the start; all else when a command runs, so that `octavo search` answers at once.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    # Read by numpy and faiss as they are loaded. What is multiplied here is small: with a second thread related papers
    # took the processor twice as long, and the reader no less.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from octavo.cli.program import octavo
    except KeyboardInterrupt:  # so early that what would tell it is not there yet
        if sys.stderr is not None:
            sys.stderr.write("octavo: Stopped. Nothing was changed.\n")
        sys.exit(130)
    octavo.main()
