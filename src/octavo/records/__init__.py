"""Pure values: identifiers, names, text, records and papers. No I/O."""
