"""Drives a headless Chromium through its chromedriver: WebDriver over HTTP, as far as the tests of pages need it."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1"]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that WebDriver gives elements


class Browser:
    """One window. `with Browser() as browser: browser.open(path)`."""

    def __init__(self, width=1400, height=1000, dark=False):
        self.size, self.dark = (width, height), dark

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = None
        for line in self.driver.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.url = f"http://127.0.0.1:{port.group(1)}/session"
        flags = FLAGS + [f"--user-data-dir={self.folder}", f"--window-size={self.size[0]},{self.size[1]}"]
        if self.dark:
            flags.append("--force-dark-mode")
        options = {"browserName": "chrome", "goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}}
        try:
            self.session = self.send("POST", "", {"capabilities": {"alwaysMatch": options}})["sessionId"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.session:
            self.send("DELETE", "/" + self.session)
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def call(self, path, body=None):
        return self.send("POST", f"/{self.session}/{path}", body or {})

    def open(self, path, fragment="", wait=120):
        """Opens a page and waits until it says that it is ready."""
        self.call("timeouts", {"script": wait * 1000, "pageLoad": wait * 1000})
        self.call("url", {"url": "about:blank"})
        self.call("url", {"url": f"file://{path}{fragment}"})
        trouble = self.run_async("const done = arguments[0], data = document.documentElement.dataset;"
                                 "(function look() { data.ready || data.trouble ? done(data.trouble || null) : setTimeout(look, 10); })();")
        assert trouble is None, trouble

    def run(self, script, *arguments):
        return self.call("execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self.call("execute/async", {"script": script, "args": list(arguments)})

    def value(self, expression):
        return self.run(f"return {expression};")

    def settle(self):
        """Waits until what waits for the next picture, or for the last of many changes, is done."""
        self.run_async("const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done())), 260);")

    def find(self, selector):
        return self.call("element", {"using": "css selector", "value": selector})

    def click(self, selector):
        element = self.find(selector)[ELEMENT]
        self.call(f"element/{element}/click")
        self.settle()

    def type(self, selector, text):
        """Puts a text into a field as a user would."""
        element = self.find(selector)[ELEMENT]
        self.call(f"element/{element}/clear")
        if text:
            self.call(f"element/{element}/value", {"text": text})
        else:
            self.run("document.querySelector(arguments[0]).dispatchEvent(new Event('input'));", selector)
        self.settle()

    def choose(self, selector, value):
        self.run("const list = document.querySelector(arguments[0]); list.value = arguments[1]; list.dispatchEvent(new Event('change'));", selector, value)
        self.settle()

    def act(self, *actions):
        self.call("actions", {"actions": list(actions)})
        self.settle()

    def pointer(self, selector, *steps):
        """steps: ("move", x, y) from the element's middle, ("down",), ("up",)."""
        origin, actions = self.find(selector), []
        for step in steps:
            if step[0] == "move":
                actions.append({"type": "pointerMove", "origin": origin, "x": step[1], "y": step[2], "duration": 50})
            else:
                actions.append({"type": "pointerDown" if step[0] == "down" else "pointerUp", "button": 0})
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})

    def wheel(self, selector, x, delta):
        self.act({"type": "wheel", "id": "wheel",
                  "actions": [{"type": "scroll", "origin": self.find(selector), "x": x, "y": 0, "deltaX": 0, "deltaY": delta, "duration": 0}]})

    def keys(self, *keys):
        self.act({"type": "key", "id": "keys", "actions": [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]})

    def log(self):
        """What the page's console holds that is no mere information: errors, violations of its policy."""
        return [entry["message"] for entry in self.call("se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path, selector=None):
        """A screenshot of the window, or of an element."""
        if selector:
            value = self.send("GET", f"/{self.session}/element/{self.find(selector)[ELEMENT]}/screenshot")
        else:
            value = self.send("GET", f"/{self.session}/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(value))
