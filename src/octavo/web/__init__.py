"""The pages, on loopback: values of a request, one call of the facade, a template.

    server.py    the socket, and what ends the server
    syncing.py   `--sync`: brings the catalogue up to date beside the pages
    site.py      routes; errors as pages; what comes before and after every page
    pool.py      threads that each have an Octavo of their own
    safety.py    whose requests are answered, and what a browser may do with an answer
    asked.py     what a browser asks for, and what a page answers
    pages/       a module for each page
    render.py    templates, and the functions that they may call
    markup.py    a paper's text as HTML that can do nothing
    links.py     where a paper can be read
    language.py  the reader's language: words, numbers, dates
    phrases.py   what is said below in English, in that language
    sentences.py, sentences_of_faults.py   all that is said so
    templates/   Jinja; `base.html` is the frame, `parts.html` what several pages have in common
    static/      one style sheet, one small script, one icon
    locale/      gettext's catalogues

Pages work without the script; nothing is loaded from elsewhere, and nothing is fetched for a page.
"""
