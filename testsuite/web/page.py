#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py [--warnings | --scripts] - what a page of scohort web shows

Reads HTML on stdin. Prints the rows of all tables, a line each, fields with |
between; an empty field is "". --warnings: what the page warns of. --scripts:
every script, and every attribute that a browser would run.
"""
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.warnings, self.scripts = [], [], []
        self.row = self.cell = self.warning = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "tr":
            self.row = []
        elif tag in ("th", "td") and self.row is not None:
            self.cell = []
        elif "warning" in (attrs.get("class") or "").split():
            self.warning = []
        elif tag == "script":
            self.scripts.append(attrs.get("src", "inline"))
        self.scripts += [name for name in attrs if name.startswith("on") or name == "style"]
        self.scripts += [v for v in attrs.values() if (v or "").startswith("javascript:")]

    def handle_endtag(self, tag):
        if tag == "tr" and self.row is not None:
            self.rows.append(self.row)
            self.row = None
        elif tag in ("th", "td") and self.cell is not None:
            self.row.append("".join(self.cell).strip())
            self.cell = None
        elif tag == "p" and self.warning is not None:
            self.warnings.append("".join(self.warning))
            self.warning = None

    def handle_data(self, data):
        for part in (self.cell, self.warning):
            if part is not None:
                part.append(data)


page = Page()
page.feed(sys.stdin.read())
page.close()
if "--warnings" in sys.argv:
    print("\n".join(page.warnings))
elif "--scripts" in sys.argv:
    print("\n".join(page.scripts))
else:
    print("\n".join("|".join(row) for row in page.rows))
