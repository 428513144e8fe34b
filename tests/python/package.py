#!/usr/bin/python3
"""The Python package: installed by pip into an environment of its own, tested there with pytest, its types checked by mypy, and the JUnit files
of `earshot test` read by another library. Skipped, and said so, where build/venv cannot be made (no network)."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.path.abspath(os.environ.get("EARSHOT_BUILD", "build"))
EARSHOT = os.path.join(BUILD, "earshot")


def run(*command, **options):
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", EARSHOT=EARSHOT, EARSHOT_BUILD=BUILD, GITHUB_ACTIONS="", **options.pop("env", {}))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False, timeout=600, **options)
    return done.returncode, done.stdout


def must(*command, **options):
    code, said = run(*command, **options)
    assert code == 0, f"{' '.join(command)}: {code}\n{said[-4000:]}"
    return said


def installed(folder):
    """The package as pip installs it: into a folder for PYTHONPATH, from a copy, because building leaves files beside the sources."""
    copy, target = os.path.join(folder, "source"), os.path.join(folder, "installed")
    must("cp", "-r", "python", copy)
    must(os.path.join(VENV, "bin/pip"), "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", target, copy)
    return {"PYTHONPATH": target}


def works_as_pip_installs_it():
    with tempfile.TemporaryDirectory() as folder:
        environment = installed(folder)
        said = must(os.path.join(VENV, "bin/pytest"), "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=120", "tests/python", env=environment)
        assert re.search(r"\d+ passed", said), said
        print(said.strip().splitlines()[-1])


def types_hold_for_who_uses_it():
    """The package by itself, and a program of a user's that is typed as strictly."""
    with tempfile.TemporaryDirectory() as folder:
        environment = installed(folder)
        mypy = (os.path.join(VENV, "bin/mypy"), "--strict", "--no-incremental", "--cache-dir=/dev/null")
        must(*mypy, "python/earshot")
        good, bad = os.path.join(folder, "good.py"), os.path.join(folder, "bad.py")
        with open(good, "w", encoding="utf-8") as file:
            file.write("import earshot\n\n\ndef lines(path: str) -> list[int]:\n    with earshot.watch(path, 'x > 1') as run:\n"
                       "        return [hit.line for hit in run if hit.line is not None]\n")
        with open(bad, "w", encoding="utf-8") as file:
            file.write("import earshot\n\n\ndef lines(path: str) -> list[int]:\n    return [hit.line for hit in earshot.watch(path)]\n")
        must(*mypy, good, env=dict(environment, MYPYPATH=environment["PYTHONPATH"]))
        code, said = run(*mypy, bad, env=dict(environment, MYPYPATH=environment["PYTHONPATH"]))
        assert code == 1 and ("Optional[int]" in said or "int | None" in said), said


def one_version():
    with open("VERSION", encoding="utf-8") as file, open("python/earshot/_version.py", encoding="utf-8") as package:
        assert f'VERSION = "{file.read().strip()}"' in package.read()


READ = """
import sys
from junitparser import JUnitXml, Error, Failure, Skipped
for suite in JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        print(suite.name, case.name, *(type(result).__name__ for result in case.result), case.time, (case.system_out or "").count("\\n"), sep="|")
    print(suite.tests, suite.failures, suite.errors, suite.skipped, sep="|")
"""


def junit_is_read_by_others():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "results.xml")
        program = os.path.join(BUILD, "examples/thermostat-O0.elf")
        run(EARSHOT, "test", program, "-e", "ok: expect never temp > 200", "-e", "hot: expect never temp > 88", "-e", "open: expect temp > 500 within 1s",
            "--for", "70ms", "--junit", path)
        said = must(os.path.join(VENV, "bin/python"), "-c", READ, path)
        name = "thermostat-O0.elf"
        assert said.splitlines() == [f"{name}|ok|0.07|0", f"{name}|hot|Failure|0.07|6", f"{name}|open|Error|0.07|0", "3|1|1|0"], said


if __name__ == "__main__":
    made = subprocess.run(["scripts/venv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        print(f"skipped: {made.stderr.strip()}")
        sys.exit(run_all([one_version]))
    VENV = os.path.abspath(made.stdout.strip())
    sys.exit(run_all([one_version, works_as_pip_installs_it, types_hold_for_who_uses_it, junit_is_read_by_others]))
