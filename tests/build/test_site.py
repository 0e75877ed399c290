"""dist/ as the build left it: complete, relative, checked by hashes, small, and the same from every build."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZIP_STORED, ZipFile

import pytest

from knyf_panel.build import javascript
from knyf_panel.build.steps import DIST, ROOT
from knyf_panel.dashboards import PAGES
from knyf_panel.texts import LANGUAGES, load

ZIP, SINGLE = "knyf-site.zip", "knyf.single.html"
BESIDE_THE_SITE = {ZIP, SINGLE}
PAGE_FILES = ("index.html", *(f"{name}.html" for name in PAGES))
HASHED = re.compile(r"assets/[\w-]+\.([0-9a-f]{12})\.[\w.]+")
FIRST_VISIT = 15_000_000  # bytes


@pytest.fixture(autouse=True, scope="module")
def _built() -> None:
    if not (DIST / SINGLE).exists():
        pytest.fail("There is no complete dist/: run `python build.py build` first.", pytrace=False)


class Reader(HTMLParser):
    """What a test asks of a page: addresses, the policy, scripts, and the texts of its first view by language."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.policy = ""
        self.inline_events: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.languages: dict[str, str] = dict.fromkeys(LANGUAGES, "")
        self._open: list[str | None] = []  # the language of each open element
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.addresses += [value for name, value in attrs if name in ("href", "src") and value]
        self.inline_events += [name for name, _ in attrs if name.startswith("on")]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag == "script":
            self.scripts.append((values, ""))
        if tag not in ("meta", "link", "br", "input", "img"):
            self._open.append(values.get("data-language") or (self._open[-1] if self._open else None))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "link", "br", "input", "img"):
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            values, text = self.scripts[-1]
            self.scripts[-1] = (values, text + data)
        elif self._open and (language := self._open[-1]):
            self.languages[language] += data


def read(name: str) -> Reader:
    return Reader((DIST / name).read_text(encoding="utf-8"))


def json_in(name: str, id_: str) -> Any:
    return next(json.loads(text) for values, text in read(name).scripts if values.get("id") == id_)


def files() -> set[str]:
    return {path.relative_to(DIST).as_posix() for path in DIST.rglob("*") if path.is_file()}


def directives(policy: str) -> dict[str, list[str]]:
    return {words[0]: words[1:] for part in policy.split(";") if (words := part.split())}


def sha256(content: bytes) -> str:
    return base64.b64encode(hashlib.sha256(content).digest()).decode()


def runtime() -> Any:
    return json_in("index.html", "kp-config")["runtime"]


def addresses() -> dict[str, str]:
    """Of the parts, by name."""
    found: dict[str, str] = runtime()["parts"]
    return found


def service_worker_list() -> dict[str, str]:
    script = (DIST / "service-worker.js").read_text(encoding="utf-8")
    site, _ = json.JSONDecoder().raw_decode(script.removeprefix("const SITE = "))
    listed: dict[str, str] = site["files"]
    return listed


class TestAddresses:
    def check(self, address: str, beside: str = "") -> None:
        parts = urlsplit(address)
        is_absolute = parts.scheme or parts.netloc or address.startswith("/")
        assert not is_absolute, f"{address} is not relative"
        if parts.path:
            assert (DIST / beside / parts.path).is_file(), f"{address} does not exist"

    @pytest.mark.parametrize("name", PAGE_FILES)
    def test_every_address_in_a_page_is_relative_and_exists(self, name: str) -> None:
        addresses = read(name).addresses
        assert len(addresses) > 10
        for address in addresses:
            self.check(address)

    @pytest.mark.parametrize("name", PAGE_FILES)
    def test_so_is_every_address_that_scripts_are_given(self, name: str) -> None:
        config = json_in(name, "kp-config")
        for address in (config["worker"], config["serviceWorker"], *config["runtime"]["parts"].values()):
            self.check(address)

    def test_so_is_every_address_in_the_manifest_and_in_style_sheets(self) -> None:
        manifest = json.loads((DIST / "manifest.webmanifest").read_text(encoding="utf-8"))
        for address in (manifest["start_url"], *(icon["src"] for icon in manifest["icons"])):
            self.check(address)
        for path in DIST.rglob("*.css"):
            for address in re.findall(r"""url\(\s*["']?([^"')]+)""", path.read_text(encoding="utf-8")):
                if not address.startswith(("data:", "#")):
                    self.check(address, path.parent.relative_to(DIST).as_posix())

    def test_no_page_and_no_script_of_ours_knows_another_host(self) -> None:
        for path in [*(DIST / name for name in PAGE_FILES), *(DIST / "assets").glob("page.*.js"), DIST / "panel"]:
            for file in path.rglob("*.css") if path.is_dir() else [path]:
                found = re.findall(r"cdn\.|unpkg|jsdelivr|googleapis", file.read_text(encoding="utf-8"))
                assert not found, f"{file.name}: {found}"

    def test_every_dashboard_has_a_page(self) -> None:
        assert {path.name for path in DIST.glob("*.html")} == {*PAGE_FILES, SINGLE}


class TestHashes:
    def test_names_of_assets_tell_their_contents(self) -> None:
        assets = {name for name in files() if name.startswith("assets/")}
        assert assets > set(addresses().values())
        for name in assets:
            match = HASHED.fullmatch(name)
            assert match, name
            assert hashlib.sha256((DIST / name).read_bytes()).hexdigest().startswith(match[1]), name

    def test_the_service_worker_keeps_all_that_a_visit_needs(self) -> None:
        only_for_the_plain_start = {addresses()[name] for name in ("stdlib.zip", "packages.zip")}
        unlisted = files() - set(service_worker_list())
        assert unlisted == {"service-worker.js", ".nojekyll", *BESIDE_THE_SITE, *only_for_the_plain_start}

    def test_the_service_worker_knows_the_hash_of_every_file(self) -> None:
        listed = service_worker_list()
        assert listed == {name: sha256((DIST / name).read_bytes()) for name in listed}

    def test_pages_tell_the_sizes_of_the_parts(self, parts: Path) -> None:
        for page in PAGE_FILES:
            told = json_in(page, "kp-config")["runtime"]
            for name, address in addresses().items():
                assert told["packed"][name] == (DIST / address).stat().st_size
                assert told["sizes"][name] == (parts / name).stat().st_size


class TestPolicy:
    @pytest.mark.parametrize("name", [*PAGE_FILES, SINGLE])
    def test_scripts_run_only_if_they_are_ours(self, name: str) -> None:
        page = read(name)
        allowed = directives(page.policy)
        assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"} & set(allowed["script-src"])
        assert "'wasm-unsafe-eval'" in allowed["script-src"]
        assert allowed["default-src"] in (["'self'"], ["'none'"])
        assert allowed["base-uri"] == allowed["form-action"] == ["'none'"]
        assert not page.inline_events

    @pytest.mark.parametrize("name", PAGE_FILES)
    def test_a_page_of_the_site_has_no_script_inside(self, name: str) -> None:
        for values, text in read(name).scripts:
            assert "src" in values or values["type"] == "application/json"
            assert "src" not in values or not text

    def test_the_single_file_names_the_hash_of_every_script_inside(self) -> None:
        page = read(SINGLE)
        programs = [text for values, text in page.scripts if values.get("type") in (None, "module")]
        hashes = {word for word in directives(page.policy)["script-src"] if word.startswith("'sha256-")}
        assert len(programs) == 5
        assert hashes == {f"'sha256-{sha256(program.encode())}'" for program in programs}

    def test_the_single_file_needs_no_other_file(self) -> None:
        assert {urlsplit(address).scheme for address in read(SINGLE).addresses if ".html" not in address} <= {
            "data",
            "",
        }
        assert not [values for values, _ in read(SINGLE).scripts if "src" in values]


@pytest.mark.parametrize("name", PAGE_FILES)
def test_both_languages_can_be_read_in_every_page(name: str) -> None:
    texts = read(name).languages
    page = name.removesuffix(".html")
    for language in LANGUAGES:
        assert len(texts[language].split()) > 60, language
        assert load(language)("site.shell.no_scripts") in texts[language]
    assert texts["pl"] != texts["en"]
    if page in PAGES:
        spoken = json_in(name, "kp-texts")
        for language in LANGUAGES:
            assert spoken[language][f"title.{page}"] == PAGES[page].title(language)


def test_github_leaves_the_files_alone() -> None:
    assert (DIST / ".nojekyll").read_bytes() == b""


def test_the_zip_holds_the_site() -> None:
    with ZipFile(DIST / ZIP) as archive:
        inside = {name.removeprefix("knyf/"): archive.read(name) for name in archive.namelist()}
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert inside == {name: (DIST / name).read_bytes() for name in files() - BESIDE_THE_SITE}


def test_a_first_visit_is_small() -> None:
    """Everything that the service worker keeps, as a host sends it that compresses text."""
    contents = {name: (DIST / name).read_bytes() for name in (*service_worker_list(), "service-worker.js")}
    sent = {
        name: len(content) if name.endswith(".zst") else len(gzip.compress(content))
        for name, content in contents.items()
    }
    assert sum(sent.values()) <= FIRST_VISIT, sorted(sent.items(), key=lambda item: -item[1])[:5]


# ---- The snapshot ----------------------------------------------------------------------------------------------------

UNPACK = """
const [zlib, fs] = [require("node:zlib"), require("node:fs")];
const [packed, unpacked] = process.argv.slice(1);
fs.writeFileSync(unpacked, zlib.zstdDecompressSync(fs.readFileSync(packed)));
"""


def run_node(*words: str | Path) -> str:
    command = [str(javascript.node()), "--no-warnings", *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The parts of the site, unpacked."""
    folder = tmp_path_factory.mktemp("parts")
    for name, address in addresses().items():
        run_node("-e", UNPACK, DIST / address, folder / name)
    yield folder
    for path in folder.iterdir():  # pytest keeps its folders for a while, and these are large
        path.unlink()


def test_archives_are_as_the_page_can_unpack_them(parts: Path) -> None:
    for name in (name for name in addresses() if name.endswith(".zip")):
        with ZipFile(parts / name) as archive:
            assert {entry.compress_type for entry in archive.infolist()} == {ZIP_STORED}
            assert {entry.flag_bits & 0x08 for entry in archive.infolist()} == {0}  # sizes stand before the contents


def test_the_same_inputs_give_the_same_snapshot(parts: Path, tmp_path: Path) -> None:
    again = tmp_path / "snapshot.bin"
    script = ROOT / "knyf_panel" / "build" / "node" / "snapshot.mjs"
    libraries = (parts / "stdlib.zip", parts / "packages.zip")
    run_node(script, javascript.fetch("pyodide"), *libraries, again, tmp_path / "imported.txt")
    first, second = (parts / "snapshot.bin").read_bytes(), again.read_bytes()
    again.unlink()
    assert len(first) == len(second)
    differing = [at for at in range(0, len(first), 4096) if first[at : at + 4096] != second[at : at + 4096]]
    assert not differing, f"{len(differing)} blocks differ, the first ones at {differing[:10]}"


def test_the_snapshot_names_no_folder_of_the_machine_that_made_it(parts: Path) -> None:
    assert str(ROOT).encode() not in (parts / "snapshot.bin").read_bytes()


def restored(folder: Path, *programs: list[str]) -> list[list[str]]:
    """What programs print in Pythons restored as the site does it; before each last one the later modules come."""
    script = folder / "restored.mjs"
    javascript.bundle(Path(__file__).with_name("restored.mjs"), script, module=True)
    printed = run_node(script, DIST, json.dumps(runtime()), json.dumps(programs))
    results: list[list[str]] = json.loads(printed)
    return results


LAZY = ("csv", "configparser", "panel.io.location", "panel.models.ace")
BEFORE = f"import json, sys; json.dumps([name for name in {LAZY} if name in sys.modules])"
DATA = """
import panel
from pathlib import Path
json.dumps([len((Path(panel.__file__).parent / name).read_text()) for name in ("package.json", "theme/css/native.css")])
"""
LATER = f"""
from importlib import import_module
for name in {LAZY}:
    import_module(name)
import csv, io
json.dumps([*csv.reader(io.StringIO('1,"2,3"'))])
"""


def test_a_restored_python_has_data_files_at_once_and_further_modules_later(tmp_path: Path) -> None:
    [[before, data, later]] = [
        [json.loads(value) for value in values] for values in restored(tmp_path, [BEFORE, DATA, LATER])
    ]
    assert before == [], "choose modules that nobody has imported"
    assert min(data) > 500
    assert later == [["1", "2,3"]]


def drawn(entropy: int | None) -> str:
    begin = f"import knyf_panel.browser.start as start; start.begin(print, {entropy})"
    return f"import random\n{begin if entropy else ''}\nstr(random.random())"


def test_two_visitors_do_not_share_their_luck(tmp_path: Path) -> None:
    """Without `begin` they would: both restore the same memory."""
    seeds = "import knyf_panel.browser.bridge as bridge; str(bridge.fresh_seed())"
    visits = [[drawn(None), drawn(entropy), seeds] for entropy in (1, 2)]
    (first_before, first, first_seed), (second_before, second, second_seed) = restored(tmp_path, *visits)
    assert first_before == second_before
    assert first != second
    assert first_seed != second_seed
