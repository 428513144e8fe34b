"""A real terminal to look at: tmux, with a shell in it."""
import os
import subprocess
import tempfile
import time
import unicodedata


def width(line):
    """Columns that a line takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


PATIENCE = 120  # seconds: nothing of speed is said by it


class Terminal:
    """One of so many columns and rows. Its shell's prompt is `$ `, and says nothing else."""

    def __init__(self, columns, rows=24, **environment):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "tmux")
        settings = os.path.join(self.folder.name, "rc")
        with open(settings, "w", encoding="utf-8") as file:
            file.write("PS1='$ '\n")
        options = os.path.join(self.folder.name, "options")
        with open(options, "w", encoding="utf-8") as file:
            file.write("set-option -g history-limit 100000\n")  # a slow machine shows thousands of lines between two looks
        env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TMUX", "COLUMNS", "LINES")}
        env.update({"LC_ALL": "C.UTF-8", "TERM": "screen-256color", **environment})
        shell = f"exec bash --noprofile --rcfile {settings} -i"
        subprocess.run(["tmux", "-u", "-S", self.socket, "-f", options, "new-session", "-d", "-x", str(columns), "-y", str(rows), shell],
                       env=env, check=True, timeout=PATIENCE)
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        self.wait("$")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")
        self.folder.cleanup()

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def key(self, *names):
        self.tmux("send-keys", *names)

    def run(self, command):
        self.type(command)
        self.key("Enter")

    def screen(self, colors=False, history=False):
        """The lines on it; with colours as escape sequences; with all that has scrolled away."""
        text = self.tmux("capture-pane", "-p", *["-e"] * colors, *["-S", "-"] * history)
        return text.rstrip("\n").split("\n")

    def wait(self, *texts, seconds=PATIENCE, colors=False, history=False, without=(), now=False):
        """Until all of the texts are there or have been (now: are on the screen), and none of the others is; what the screen is then."""
        end = time.monotonic() + seconds
        while True:
            # all that has been there first: what is returned is as new as what was found, or newer
            known = None if now or history else "\n".join(self.screen(False, True))
            lines = self.screen(colors, history)
            shown = "\n".join(lines)
            known = shown if known is None else known
            if all(text in known for text in texts) and not any(text in shown for text in without):
                return lines
            assert time.monotonic() < end, (texts, without, lines)
            time.sleep(0.05)

    def until(self, condition, what):
        """Until the lines on the screen meet the condition; they are what is returned."""
        end = time.monotonic() + PATIENCE
        while not condition(lines := self.screen()):
            assert time.monotonic() < end, (what, lines)
            time.sleep(0.05)
        return lines

    def resize(self, columns):
        self.tmux("resize-window", "-x", str(columns))
