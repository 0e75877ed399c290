"""The one command line of the project. Needs a Python 3.11 or newer and nothing else: `python build.py --help`."""

import sys

if sys.version_info < (3, 11):  # said in words that an old Python can still read
    sys.exit("build.py needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])

from knyf_panel.build.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
