"""Style sheets of the components. Each widget has a shadow root of its own, into which only its own sheets reach.

The site sets the colours, light or dark, by the variables --kp-…; without a site the light ones after the comma hold.
"""

from knyf_panel.texts import Texts

INK = "var(--kp-ink, #1b1b1f)"
PAPER = "var(--kp-paper, #fff)"
ACCENT = "var(--kp-accent, #1f5fbf)"
LINE = "var(--kp-line, #8a8f98)"

FOCUS = f":focus-visible {{ outline: 3px solid {ACCENT}; outline-offset: 2px; }}"

TEXT = f"""
:host {{ color: {INK}; font: 1rem/1.5 var(--kp-font, system-ui, sans-serif); margin: 0; }}
h2 {{ font-size: 1.2rem; line-height: 1.3; margin: 0 0 .25rem; }}
h3 {{ font-size: 1rem; margin: .75rem 0 .25rem; }}
p {{ margin: 0 0 .5rem; }}
ul {{ margin: 0 0 .5rem; padding-left: 1.25rem; overflow-wrap: anywhere; }}
"""

# Layouts: rows that wrap when they do not fit. Bokeh makes them flexible; to say so again would show hidden ones.
ROW = ":host { flex-flow: row wrap; gap: var(--kp-gap, .5rem 1rem); margin: 0; align-items: center; }"
COLUMNS = ":host { flex-flow: row wrap; gap: 1.5rem 2.5rem; margin: 0; align-items: flex-start; }"
STACK = ":host { flex-flow: column; gap: .75rem; margin: 0; }"

# The class is repeated to outweigh panel's own rules, which know no dark theme.
BUTTON = f"""
:host {{ margin: 0; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{
  min-height: 44px; padding: .5rem 1.25rem; border-radius: 8px; border: 2px solid {ACCENT};
  background: {PAPER}; color: {ACCENT}; font: 600 1rem/1.2 var(--kp-font, system-ui, sans-serif); box-shadow: none;
}}
:host(.kp-primary) .bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{ background: {ACCENT}; color: {PAPER}; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn:hover {{ text-decoration: underline; background: {PAPER}; color: {ACCENT}; }}
{FOCUS}
"""

INPUT = f"""
:host {{ margin: 0; color: {INK}; font: 1rem/1.4 var(--kp-font, system-ui, sans-serif); }}
.bk-input-group > label {{ color: {INK}; font-size: 1rem; }}
select.bk-input, input.bk-input {{
  box-sizing: border-box; width: 100%; min-height: 44px; padding: .25rem .75rem;
  border: 2px solid {LINE}; border-radius: 8px;
  background-color: {PAPER}; color: {INK}; font-size: 1rem;
}}
{FOCUS}
"""

# For a Toggle that opens something below it: the sign says which way it goes.
FOLD = f"""{BUTTON}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{
  padding: .25rem .75rem; border: 1px solid {LINE}; color: {INK}; font-weight: 400;
}}
.bk-btn::after {{ margin-left: .5rem; content: "▾" / ""; }}
.bk-btn.bk-active::after {{ content: "▴" / ""; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn.bk-active {{ border-color: {ACCENT}; }}
"""


def switch(texts: Texts) -> str:
    """For a Toggle that is on or off. Bokeh's check box has no label that a screen reader finds."""
    on, off = css_string(texts("interface.switch.on")), css_string(texts("interface.switch.off"))
    return f"""{BUTTON}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn {{ border-color: {LINE}; color: {INK}; }}
.bk-btn::before {{ margin-right: .5rem; content: "☐"; content: "☐" / {off}; }}
.bk-btn.bk-active::before {{ content: "☑"; content: "☑" / {on}; }}
.bk-btn-group .bk-btn.bk-btn.bk-btn.bk-btn.bk-active {{ border-color: {ACCENT}; }}
"""


def css_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'
