"""The computer players: the optimum of Kości, mean points with standard errors, win rates, and times for a move.

All games are seeded, so that a figure can be had again. The default takes about an hour on one core.
`--games` sets how many games each player of Knister plays; Kości and Karciany Knyf take a twentieth of that.
"""

from __future__ import annotations

import json
from typing import Any

from bench import players_knister, players_knyf, players_kosci
from bench.table import Row, parser, show


def measure(games: int) -> dict[str, Any]:
    """All figures; among them kosci.optimum, kosci.sd, knister.mean, knister.se, knyf.win_rate_vs_greedy."""
    fewer = max(20, games // 20)
    knyf = players_knyf.measure(fewer)
    against_greedy = next(row for row in knyf["two players"] if (row["player"], row["against"]) == GREEDY)
    return {
        "kosci": players_kosci.measure(fewer),
        "knister": players_knister.measure(games),
        "knyf": {"win_rate_vs_greedy": against_greedy["wins"], **knyf},
    }


GREEDY = ("strong", "skilled")  # the skilled player of Karciany Knyf is the greedy one


def tables(figures: dict[str, Any]) -> dict[str, list[Row]]:
    kosci, knister, knyf = (dict(figures[game]) for game in ("kosci", "knister", "knyf"))
    del knyf["win_rate_vs_greedy"]
    return {
        "Kości, seeded games": [{"player": name, **row} for name, row in kosci.pop("strengths").items()],
        "Kości, the best player": [kosci],
        f"Knister alone, {knister['games']} games (published: {players_knister.PUBLISHED})": [
            {"player": name, **row} for name, row in knister["strengths"].items()
        ],
        **{f"Karciany Knyf, {name}": rows for name, rows in knyf.items()},
    }


def main() -> None:
    arguments_parser = parser(__doc__)
    arguments_parser.add_argument("--games", type=int, default=10_000, help="of each Knister player (default: 10000)")
    arguments = arguments_parser.parse_args()
    figures = measure(arguments.games)
    if arguments.json:
        print(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        show(tables(figures), as_json=False)


if __name__ == "__main__":
    main()
