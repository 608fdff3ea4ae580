#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""browser.py FILE COMMAND [ARGUMENT...] - a headless Chromium, by WebDriver

FILE keeps the session between calls: its first line is chromedriver's port.

  start [dark]     a browser without a network but 127.0.0.1
  open URL         and wait until it is loaded
  eval SCRIPT      prints the result of a function body: 'return document.title'
  rows             the rows of all tables that are shown, fields with | between
  key TEXT...      types; Tab and Enter are names of keys
  drag X Y TO      with the mouse to another X, in pixels of the page that is seen
  double X Y       a double click
  size WIDTH HEIGHT
  shot FILE        a PNG of what is seen
  log              what the console has of errors and warnings
  stop
"""
import base64
import json
import os
import sys
import urllib.request

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " "}
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
ROWS = """return [...document.querySelectorAll('tr')].filter(r => r.offsetParent !== null)
    .map(r => [...r.cells].map(c => c.textContent.trim()).join('|')).join('\\n')"""


class Browser:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="ascii") as file:
            lines = file.read().split()
        self.base = f"http://127.0.0.1:{lines[0]}/session"
        self.port, self.session = lines[0], lines[1] if len(lines) > 1 else None

    def ask(self, method, path, body=None):
        where = f"{self.base}/{self.session}{path}" if self.session else self.base
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(where, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"browser.py: {path}: {json.load(error)['value']['message']}")

    def start(self, *dark):
        flags = FLAGS + [f"--user-data-dir={os.path.abspath(self.path)}.profile"]
        flags += ["--force-dark-mode"] if dark else []
        options = {"args": flags, "binary": "/usr/bin/chromium"}
        always = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"pageLoad": 100000, "script": 60000}}
        self.session = self.ask("POST", "", {"capabilities": {"alwaysMatch": always}})["sessionId"]
        with open(self.path, "w", encoding="ascii") as file:
            file.write(f"{self.port} {self.session}\n")

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def eval(self, script):
        value = self.ask("POST", "/execute/sync", {"script": script, "args": []})
        print(value if isinstance(value, str) else json.dumps(value))

    def rows(self):
        self.eval(ROWS)

    def key(self, *texts):
        actions = [{"type": kind, "value": c} for t in texts for c in (KEYS.get(t) or t)
                   for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def mouse(self, *steps):
        actions = [{"type": "pointerMove", "duration": 50, "x": int(float(s[0])), "y": int(float(s[1]))} if isinstance(s, tuple)
                   else {"type": s, "button": 0} for s in steps]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.ask("POST", "/actions", {"actions": [pointer]})

    def drag(self, x, y, to):
        self.mouse((x, y), "pointerDown", (to, y), "pointerUp")

    def double(self, x, y):
        self.mouse((x, y), *["pointerDown", "pointerUp"] * 2)

    def size(self, width, height):
        self.ask("POST", "/window/rect", {"width": int(width), "height": int(height)})

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def log(self):
        for entry in self.ask("POST", "/se/log", {"type": "browser"}):
            print(entry["level"], entry["message"])

    def stop(self):
        self.ask("DELETE", "")


command, arguments = sys.argv[2], sys.argv[3:]
if command not in ("start", "open", "eval", "rows", "key", "drag", "double", "size", "shot", "log", "stop"):
    sys.exit(__doc__)
getattr(Browser(sys.argv[1]), command)(*arguments)
