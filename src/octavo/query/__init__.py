"""Queries: text to a tree of what is asked, and two of its three compilers (the index has the third).

    words      the one analyser: what a word is, in indexed text, in a query and in the predicate
    compounds  its grammar: where words begin and end
    fields     the table of the fields that a query may name
    values     their values that are no words: categories, identifiers, tags
    spans      ranges of dates and of numbers
    holdings   what a paper may have
    languages  the rule by which a language is told
    ast        the tree
    parser     text to tree, lenient for people and strict for programs
    topic_names  the names of the bundled topics and terms
    wording    values that are words, as parts of the tree
    group      what stands in one pair of brackets while it is read
    match      tree to a predicate over one document
    sql        tree to a WHERE expression of SQLite

Pure values: nothing here reads or writes anything.
"""
