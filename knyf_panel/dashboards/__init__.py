"""The pages of the site as Panel dashboards. They run alike in a notebook, under `panel serve` and in the browser.

python -m knyf_panel.dashboards         serves them all with Panel
"""

from knyf_panel.dashboards.dashboard import Dashboard
from knyf_panel.dashboards.knister import KnisterDashboard
from knyf_panel.dashboards.knyf import KnyfDashboard
from knyf_panel.dashboards.kosci import KosciDashboard
from knyf_panel.dashboards.visit import Visit

PAGES: dict[str, type[Dashboard]] = {  # by the name of the page: knyf.html
    "knyf": KnyfDashboard,
    "kosci": KosciDashboard,
    "knister": KnisterDashboard,
}

__all__ = ["PAGES", "Dashboard", "KnisterDashboard", "KnyfDashboard", "KosciDashboard", "Visit"]
