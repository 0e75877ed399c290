"""The steps of the build: nothing is done twice, nothing by half, and only with the packages that are pinned."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest

from knyf_panel.build import cache, javascript
from knyf_panel.build.cache import fingerprint, kept
from knyf_panel.build.steps import ROOT, StepFailed, run, step


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    return tmp_path / "cache"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


class TestSteps:
    def test_a_step_is_announced_and_says_how_it_ended(self, capsys: pytest.CaptureFixture[str]) -> None:
        with step("Cutting cards"):
            pass
        with pytest.raises(ValueError, match="blunt"), step("Cutting more"):
            raise ValueError("blunt")
        begun, done, begun_again, failed = capsys.readouterr().out.splitlines()
        assert begun == "· Cutting cards …"
        assert re.fullmatch(r"✓ Cutting cards \(\d+\.\d s\)", done)
        assert (begun_again, failed) == ("· Cutting more …", "✗ Cutting more")

    def test_a_command_that_fails_says_what_to_do(self) -> None:
        with pytest.raises(StepFailed, match="Sharpen the knife"):
            run([sys.executable, "-c", "raise SystemExit(3)"], "Sharpen the knife.")


class TestWhatIsKept:
    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        folder = tmp_path / "source"
        folder.mkdir()
        (folder / "a.txt").write_text("raz")
        return folder

    @pytest.fixture
    def made(self) -> list[str]:
        return []

    @pytest.fixture
    def make(self, source: Path, made: list[str]) -> Callable[[Path], None]:
        def copy(folder: Path) -> None:
            made.append((source / "a.txt").read_text())
            (folder / "copy.txt").write_text(made[-1])

        return copy

    @pytest.mark.usefixtures("empty_cache")
    def test_unchanged_inputs_repeat_nothing(self, source: Path, make: Callable[[Path], None], made: list[str]) -> None:
        first = kept("Copying", [source, "text"], make)
        again = kept("Copying", [source, "text"], make)
        assert made == ["raz"]
        assert first == again
        assert (again / "copy.txt").read_text() == "raz"

    def test_one_byte_repeats_the_step_and_the_old_result_goes(
        self, empty_cache: Path, source: Path, make: Callable[[Path], None], made: list[str]
    ) -> None:
        old = kept("Copying", [source], make)
        (source / "a.txt").write_text("raz!")
        new = kept("Copying", [source], make)
        assert made == ["raz", "raz!"]
        assert new != old
        assert names(empty_cache) == [new.name]

    def test_a_failure_leaves_nothing_and_the_next_try_begins_afresh(
        self, empty_cache: Path, source: Path, make: Callable[[Path], None]
    ) -> None:
        def fail(folder: Path) -> None:
            (folder / "half.txt").write_text("half")
            raise StepFailed("the other half is missing")

        with pytest.raises(StepFailed, match="other half"):
            kept("Copying", [source], fail)
        assert names(empty_cache) == []
        assert names(kept("Copying", [source], make)) == ["copy.txt"]

    def test_a_failure_does_not_take_an_older_result_away(
        self, empty_cache: Path, source: Path, make: Callable[[Path], None]
    ) -> None:
        old = kept("Copying", [source], make)
        with pytest.raises(ZeroDivisionError):
            kept("Copying", [source, "new"], lambda _: print(1 / 0))
        assert names(empty_cache) == [old.name]

    def test_what_python_leaves_behind_is_no_input(self, source: Path) -> None:
        before = fingerprint([source])
        (source / "__pycache__").mkdir()
        (source / "__pycache__" / "a.pyc").write_bytes(b"\0")
        assert fingerprint([source]) == before

    def test_names_and_borders_count(self, source: Path) -> None:
        before = fingerprint([source])
        (source / "a.txt").rename(source / "b.txt")
        assert fingerprint([source]) != before
        assert fingerprint(["a", "b"]) != fingerprint(["ab"])


class TestPackagesFromNpm:
    @pytest.fixture
    def registry(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, empty_cache: Path) -> Callable[..., None]:
        """A package called knife, and a lock file that expects some archive."""
        assert not empty_cache.exists()

        def offer(content: bytes, expected: bytes) -> None:
            digest = hashlib.sha512(archive(expected)).hexdigest()
            (tmp_path / "npm.toml").write_text(f'[knife]\nversion = "1.0.0"\nsha512 = "{digest}"\n')

            def pack(*words: str) -> None:
                assert words[:2] == ("pack", "knife@1.0.0")
                (Path(words[-1]) / "knife-1.0.0.tgz").write_bytes(archive(content))

            monkeypatch.setattr(javascript, "LOCKS", tmp_path)
            monkeypatch.setattr(javascript, "_npm", pack)

        return offer

    def test_the_pinned_one_is_unpacked(self, registry: Callable[..., None]) -> None:
        registry(b"sharp", expected=b"sharp")
        package = javascript.fetch("knife")
        assert (package / "index.js").read_bytes() == b"sharp"
        assert names(package.parent) == ["package"]

    def test_one_with_another_hash_is_refused(self, registry: Callable[..., None], empty_cache: Path) -> None:
        registry(b"poisoned", expected=b"sharp")
        with pytest.raises(StepFailed, match=r"knife-1\.0\.0\.tgz is not what locks/npm\.toml says"):
            javascript.fetch("knife")
        assert names(empty_cache) == []

    def test_every_package_is_pinned_by_version_and_hash(self) -> None:
        text = (ROOT / "locks" / "npm.toml").read_text(encoding="utf-8")
        assert "://" not in text
        pins = re.findall(r'^version = "\d+\.\d+\.\d+"\nsha512 = "[0-9a-f]{128}"$', text, re.MULTILINE)
        assert len(pins) == len(re.findall(r"^\[", text, re.MULTILINE)) == 3


def archive(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        entry = tarfile.TarInfo("package/index.js")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


UNPACK = """
import fs from "node:fs";
const { unpack } = await import(process.argv[1]);
const folders = [], files = {};
unpack(new Uint8Array(fs.readFileSync(process.argv[2])), {
  mkdirTree: (path) => folders.push(path),
  writeFile: (path, bytes) => { files[path] = Buffer.from(bytes).toString("hex"); },
}, "/there");
console.log(JSON.stringify({ folders, files }));
"""


class TestArchives:
    FILES: Mapping[str, bytes] = {
        "top.txt": b"top",
        "a/empty.txt": b"",
        "a/b/every byte.bin": bytes(range(256)) * 300,
        "a/zażółć.txt": "gęślą jaźń PK\3\4".encode(),
    }

    def test_the_page_unpacks_what_python_packs(self, tmp_path: Path) -> None:
        packed = tmp_path / "packed.zip"
        with ZipFile(packed, "w", ZIP_STORED) as target:
            for name, content in self.FILES.items():
                target.writestr(name, content)
        script = (ROOT / "site" / "archive.mjs").as_uri()
        command: list[str | Path] = [javascript.node(), "--input-type=module", "-e", UNPACK, script, packed]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
        there = json.loads(done.stdout)
        assert there["files"] == {f"/there/{name}": content.hex() for name, content in self.FILES.items()}
        assert there["folders"] == ["/there", "/there/a", "/there/a/b"]
