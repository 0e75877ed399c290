"""Serve all pages with Panel: python -m knyf_panel.dashboards [--port 5006] [--show]"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from random import SystemRandom

import panel as pn
from panel.viewable import Viewable

from knyf_panel.dashboards import PAGES, Dashboard, Visit
from knyf_panel.dashboards.components import element
from knyf_panel.dashboards.components.style import TEXT

SEEDS = 1_000_000  # short enough to be read aloud in a classroom


def fresh_seed() -> int:
    return SystemRandom().randrange(SEEDS)


def page(dashboard: type[Dashboard]) -> Callable[[], Viewable]:
    """What Panel calls for each visitor."""

    def build() -> Viewable:
        arguments = {name: values[-1].decode("utf-8", "replace") for name, values in pn.state.session_args.items()}
        visit = Visit.from_link(arguments)
        title = element("h1", dashboard.title(visit.language))
        return pn.Column(
            pn.pane.HTML(title, stylesheets=[TEXT]),
            dashboard(visit, fresh_seed).view(),
            sizing_mode="stretch_width",
            styles={"max-width": "90rem", "margin": "0 auto", "padding": "0 1rem"},
        )

    return build


def main() -> None:
    parser = ArgumentParser(prog="python -m knyf_panel.dashboards", description="Serve all pages with Panel.")
    parser.add_argument("--port", type=int, default=5006)
    parser.add_argument("--show", action="store_true", help="open a browser")
    chosen = parser.parse_args()
    titles = {name: dashboard.title("pl") for name, dashboard in PAGES.items()}
    pn.serve({name: page(dashboard) for name, dashboard in PAGES.items()}, chosen.port, title=titles, show=chosen.show)


if __name__ == "__main__":
    main()
