"""What tests share that drive the real `earshot net`."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

EARSHOT = os.path.abspath(os.environ.get("EARSHOT_NET", os.path.join(os.environ.get("EARSHOT_BUILD", "build"), "earshot")))
NETS = os.path.abspath("tests/net_files/nets")
MAILBOX = os.path.join(NETS, "mailbox.net")
MANUAL = "docs/man/earshot-net.1"
EXPECTATION, USAGE, OUTPUT = 1, 2, 5
TESTS = []
scratch = None


def test(function):
    TESTS.append(function)
    return function


def net(*arguments, stdin=None, env=None, cwd=None):
    return subprocess.run([EARSHOT, "net", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, cwd=cwd,
                          input=stdin if stdin is not None else "", env=dict(os.environ, LC_ALL="C.UTF-8", **(env or {})))


def good(result):
    assert result.returncode == 0, (result.returncode, result.stderr)
    return result.stdout


def fails(result, code, message):
    assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
    assert message in result.stderr, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stdout == "", result.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def path_of(name, text=None):
    path = os.path.join(scratch, name)
    if text is not None:
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def changed_mailbox():
    """The producer's marks take so long that the consumer looks into the mailbox too early."""
    text = read(MAILBOX).replace("monitor send 6", "monitor send 23").replace("monitor work 5", "monitor work 1")
    return path_of("changed.net", text)


def run_tests():
    """Those of the program that runs, each in a folder of its own. Returns the exit code."""
    global scratch
    passed = failed = 0
    for function in TESTS:
        scratch = tempfile.mkdtemp()
        try:
            function()
            passed += 1
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"FAIL {function.__name__}")
            traceback.print_exc(file=sys.stdout)
        finally:
            shutil.rmtree(scratch)
    print(f"{passed} passed, {failed} failed")
    return failed != 0
