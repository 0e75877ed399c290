"""Makes dist/: pages, hashed assets, the service worker with its list of files, the zip and the single file.

Runs in the project's environment: `python -m knyf_panel.build.site`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from knyf_panel.build import pages, runtime, single_file
from knyf_panel.build.cache import kept
from knyf_panel.build.environment import LOCKS, packages
from knyf_panel.build.javascript import bundle
from knyf_panel.build.steps import DIST, ROOT, StepFailed, step

SITE = ROOT / "site"
ONLY_FOR_THE_PLAIN_START = ("stdlib.zip", "packages.zip")  # fetched when needed, not kept for visits without a network
ZIP, SINGLE_FILE = "knyf-site.zip", "knyf.single.html"

_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'"
)


def main() -> None:
    parts = runtime.make()
    scripts = kept("Joining JavaScript", [SITE, LOCKS / "npm.toml"], _join)
    with step("Writing dist"):
        shutil.rmtree(DIST, ignore_errors=True)
        site = _Site(parts, scripts)
        site.write_pages()
        site.write_service_worker()
        site.write_zip()
        site.file(SINGLE_FILE, single_file.make(parts, scripts, SITE, bokeh_scripts(), panel_styles()).encode())
    report()


def _join(folder: Path) -> None:
    bundle(SITE / "page.mjs", folder / "page.js", module=True)
    bundle(SITE / "worker.mjs", folder / "worker.js", module=True)
    bundle(SITE / "worker.mjs", folder / "worker.classic.js", module=False)


class _Site:
    """dist/ while it is written."""

    def __init__(self, parts: Path, scripts: Path) -> None:
        self.parts = {name: self.asset(f"{name}.zst", (parts / f"{name}.zst").read_bytes()) for name in runtime.PARTS}
        self.worker = self.asset("worker.js", (scripts / "worker.js").read_bytes())
        self.page_script = self.asset("page.js", (scripts / "page.js").read_bytes())
        self.bokeh = [self.asset(path.name, path.read_bytes()) for path in bokeh_scripts()]
        self.style = self.asset("style.css", (SITE / "style.css").read_bytes())
        self.sizes = runtime.sizes(parts)
        for name in ("icon.svg", "manifest.webmanifest"):
            self.file(name, (SITE / name).read_bytes())
        self.file(".nojekyll", b"")
        for name, path in panel_styles().items():
            self.file(name, path.read_bytes())

    def file(self, name: str, content: bytes) -> str:
        path = DIST / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def asset(self, name: str, content: bytes) -> str:
        """A file whose name changes with its content, so that no cache ever gives an old one."""
        stem, _, ending = name.partition(".")
        return self.file(f"assets/{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}", content)

    def write_pages(self) -> None:
        head = [
            '<link rel="icon" href="icon.svg" type="image/svg+xml">',
            '<link rel="manifest" href="manifest.webmanifest">',
            f'<link rel="stylesheet" href="{self.style}">',
        ]
        scripts = [f'<script type="module" src="{self.page_script}"></script>']
        scripts += [f'<script defer src="{source}"></script>' for source in self.bokeh]
        around = pages.Surroundings(
            policy=_POLICY,
            head="\n".join(head),
            scripts="\n".join(scripts),
            config={
                "worker": self.worker,
                "serviceWorker": "service-worker.js",
                "runtime": {"parts": self.parts, **self.sizes},
            },
        )
        for name in pages.NAMES:
            self.file(f"{name}.html", pages.page(name, around).encode())

    def write_service_worker(self) -> None:
        later = {self.parts[name] for name in ONLY_FOR_THE_PLAIN_START}
        files = {
            name: base64.b64encode(hashlib.sha256((DIST / name).read_bytes()).digest()).decode()
            for name in _names(DIST)
            if name not in later and name != ".nojekyll"
        }
        version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12]
        site = json.dumps({"version": version, "files": files}, indent=0)
        script = (SITE / "service-worker.js").read_text(encoding="utf-8")
        self.file("service-worker.js", f"const SITE = {site};\n{script}".encode())

    def write_zip(self) -> None:
        names = _names(DIST)
        with ZipFile(DIST / ZIP, "w", ZIP_DEFLATED) as archive:
            for name in names:
                info = ZipInfo(f"knyf/{name}", (1980, 1, 1, 0, 0, 0))  # the same bytes from every build
                info.compress_type = ZIP_DEFLATED
                archive.writestr(info, (DIST / name).read_bytes())


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def bokeh_scripts() -> list[Path]:
    """What the page needs to show documents, in the order in which it is loaded. Panel's script asks for the tables."""
    bokeh, panel = packages() / "bokeh/server/static/js", packages() / "panel/dist"
    return [*(bokeh / f"{name}.min.js" for name in ("bokeh", "bokeh-widgets", "bokeh-tables")), panel / "panel.min.js"]


def panel_styles() -> dict[str, Path]:
    """The style sheets that panel's widgets refer to, and the pictures in them, by their address in the site."""
    dist = packages() / "panel/dist"
    paths = sorted(
        path for kind in ("css/*.css", "bundled/theme/*.css", "assets/*_spinner.svg") for path in dist.glob(kind)
    )
    return {f"panel/{path.relative_to(dist).as_posix()}": path for path in paths}


def report() -> None:
    """Sizes by part: what a first visit loads, and what else lies in dist/."""
    sizes = {name: (DIST / name).stat().st_size for name in _names(DIST)}
    first = _first_visit(sizes)
    print("\nfirst visit, as a server sends it that compresses text:")
    for name, size in sorted(first.items(), key=lambda item: -item[1])[:10]:
        print(f"{size / 1e6:9.2f} MB  {name}")
    print(f"{sum(first.values()) / 1e6:9.2f} MB  together\n\nbeside it:")
    for name in (ZIP, SINGLE_FILE):
        print(f"{sizes[name] / 1e6:9.2f} MB  {name}")


def _first_visit(names: Iterable[str]) -> dict[str, int]:
    import gzip

    def sent(name: str) -> int:
        content = (DIST / name).read_bytes()
        return len(content) if name.endswith(".zst") else len(gzip.compress(content, 6))

    unused = (ZIP, SINGLE_FILE, *(f"assets/{Path(name).stem}" for name in ONLY_FOR_THE_PLAIN_START))
    return {name: sent(name) for name in names if not name.startswith(unused)}


if __name__ == "__main__":
    try:
        main()
    except StepFailed as failure:
        sys.exit(str(failure))
