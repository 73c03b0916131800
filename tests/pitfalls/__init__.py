"""The pitfalls that others fell into, as a reader would meet them: a file is added, and looked at by what comes out.

Each entry of the project's list has a number (B04) and trigger cases. The tests of a module under `records`, `sources` and
so on hold the cases for that module; those here take them the whole way. `test_all_there.py` sees to it that no number of
these groups is without a test:

    B identifiers      test_identifiers.py
    C text and names   test_text.py, test_names.py
    D10 dates          test_dates.py
    F import security  test_hostile_files.py
    G01, G05 news      test_news.py
    H07 large files    test_hostile_files.py
    J import formats   test_references.py
"""
