"""The pictures in the README, taken of the built site in Chromium: python build.py screenshots"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knyf_panel.build import browsers, site
from knyf_panel.build.serving import HostingServer
from knyf_panel.build.steps import DIST
from tests.browser.drivers import Engine, Options, make_engine
from tests.browser.playing import Player, wait_until_ready

FOLDER = Path(__file__).parent / "screenshots"
PHONE, LAPTOP, PROJECTOR = (360, 740), (1280, 800), (1920, 1080)


@dataclass(frozen=True)
class Picture:
    name: str
    address: str
    size: tuple[int, int]
    pressed: tuple[str, ...] = ()  # buttons by their names, one after the other
    keys: tuple[str, ...] = ()  # pressed after that
    color_scheme: Literal["light", "dark"] = "light"


PICTURES = (
    Picture("home", "index.html?lang=en", LAPTOP),
    Picture("knyf", "knyf.html?seed=7", LAPTOP, keys=("1", "2")),
    Picture("kosci-phone", "kosci.html?seed=7&lang=en", PHONE, ("Roll the dice",), ("4", "5")),
    Picture("knister-projector", "knister.html?seed=7&mode=projector", PROJECTOR, ("Rzuć kostkami",)),
    Picture("rules-dark", "rules.html?lang=en", LAPTOP, color_scheme="dark"),
)


def take(engine: Engine, server: HostingServer, picture: Picture) -> None:
    with engine.fresh(Options(color_scheme=picture.color_scheme, reduced_motion=True)) as browser:
        page = browser.new_page()
        page.resize(*picture.size)
        page.open(server.url + picture.address)
        wait_until_ready(page)
        player = Player(page, by_keyboard=False)
        for name in picture.pressed:
            player.press(name)
        for key in picture.keys:
            page.press(key)
        page.wait_for("new Promise(done => setTimeout(() => done(true), 600))")  # until the charts are drawn
        print(page.screenshot(FOLDER / f"{picture.name}.png"))


def main() -> None:
    site.main()
    engine = make_engine("chromium", browsers.ensure())
    with HostingServer(DIST) as server:
        for picture in PICTURES:
            take(engine, server, picture)
    engine.close()


if __name__ == "__main__":
    main()
