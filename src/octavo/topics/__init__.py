"""What a paper is about (the tree of topics), and what its words mean (the glossary)."""
