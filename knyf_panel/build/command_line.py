"""The words of build.py."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from knyf_panel.build import checks, lock, make, measure
from knyf_panel.build.steps import StepFailed

_ABOUT = """\
knyf_panel: three Polish games, their exact odds, their rules in two languages.

Every command sets up what it needs by itself: the first one makes .venv and installs the
versions that the lock file names; later ones start at once.
"""

_EXAMPLES = """\
examples:
  python build.py serve                      the site on this machine, at the address that it prints
  python build.py build                      the site as files in dist/, ready for any web host
  python build.py test                       lint, types and all tests
  python build.py test tests/engine -k knyf  the same, then only these tests (any pytest arguments)
  python build.py bench engine               random games per second, cost of one move
  python build.py bench odds --json          our odds beside icepool's, for a program
  python build.py bench boot                 how fast the site starts, in each browser
  python build.py bench players              how strong the computer players are
  python build.py lock --upgrade             newest versions of everything, then run the tests
"""
_PASSING_ON = ("test", "bench")  # the words that they do not know themselves


def main(words: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")  # a Windows console may not speak UTF-8 by itself
    parser = _parser()
    arguments, rest = parser.parse_known_args(words)
    if rest and arguments.command not in _PASSING_ON:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    try:
        _do(arguments, rest)
    except StepFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="build.py", description=_ABOUT, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("build", help="make the site: dist/, with a zip and a single file of it")
    serve = commands.add_parser("serve", help="make the site and serve it to this machine")
    serve.add_argument("--port", type=int, default=8000, help="0 for any that is free (default: 8000)")
    serve.add_argument("--base", default="/", help="a sub-path to serve it under, such as /knyf/")
    serve.add_argument("--show", action="store_true", help="open it in a browser")
    commands.add_parser("test", help="lint, types and all tests; further arguments go to pytest", add_help=False)
    bench = commands.add_parser("bench", help="a measurement; further arguments go to it (--json, --help)")
    bench.add_argument("name", choices=measure.BENCHES)
    commands.add_parser("screenshots", help="take the pictures in the README anew")
    renew = commands.add_parser("lock", help="write the lock file anew after a change of pyproject.toml")
    renew.add_argument("--upgrade", action="store_true", help="take the newest version of everything")
    return parser


def _do(arguments: argparse.Namespace, rest: Sequence[str]) -> None:
    match arguments.command:
        case "build":
            make.build()
        case "serve":
            make.serve(arguments.port, arguments.base, arguments.show)
        case "test":
            checks.test(rest)
        case "bench":
            measure.bench(arguments.name, rest)
        case "screenshots":
            measure.screenshots()
        case "lock":
            lock.renew(arguments.upgrade)
