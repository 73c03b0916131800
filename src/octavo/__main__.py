"""`python -m octavo`."""

from octavo.cli import main

if __name__ == "__main__":
    main()
