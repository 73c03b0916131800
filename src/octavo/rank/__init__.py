"""Numbers in, ordered papers and their Explanations out."""
