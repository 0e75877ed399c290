"""The frame: build.py, the lock file, the package as others install it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)


def test_help_lists_every_command_with_an_example() -> None:
    shown = run(sys.executable, "build.py", "--help").stdout
    commands = re.findall(r"^    (\w+) ", shown, flags=re.MULTILINE)
    assert {"test", "bench", "lock"} <= set(commands)
    for command in commands:
        assert f"python build.py {command}" in shown


@pytest.mark.parametrize("words", [[], ["no-such-command"], ["bench", "no-such-bench"], ["lock", "--no-such-option"]])
def test_a_wrong_command_is_explained(words: list[str]) -> None:
    done = run(sys.executable, "build.py", *words)
    assert done.returncode == 2
    assert "usage: build.py" in done.stderr


def test_the_lock_file_names_versions_and_hashes_and_no_addresses() -> None:
    text = (ROOT / "locks" / "test.txt").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 10
    for entry in entries:
        assert re.match(r"[a-z0-9_.-]+==\S+", entry)
        assert "--hash=sha256:" in entry


def test_ci_runs_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == "python build.py test"
    assert script[-1] in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_texts_and_not_the_workshop(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {f"knyf_panel/texts/knyf/{name}.toml" for name in ("facts", "pl", "en")} <= names
    assert "knyf_panel/py.typed" in names
    assert "knyf_panel/engine/knister/values.bin" in names
    assert not {
        name for name in names if name.startswith(("knyf_panel/build", "knyf_panel/training", "tests", "bench"))
    }


def test_the_wheel_works_far_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "from knyf_panel.engine import knyf; from knyf_panel.texts import rule\n"
        "print(knyf.score('full_house', [3, 3, 3, 1, 1]), rule('knyf', 'full_house').name, knyf.__file__)"
    )
    done = run(sys.executable, "-I", "-S", "-c", program, cwd=tmp_path)
    assert done.stdout.startswith("25 full"), done.stderr
    assert ".whl" in done.stdout
