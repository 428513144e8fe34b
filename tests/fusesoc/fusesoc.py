#!/usr/bin/python3
"""fusesoc.py VENV: the core files of probe and taps name all their sources; a design that depends on them is built by FuseSoC from a clean copy of
these sources, and its probe answers as docs/link.md says."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

VENV = os.path.abspath(sys.argv[1])
CORES = ("earshot.core", "rtl/tap/earshot_taps.core", "interface/earshot_defs.core")


def files_of(core):
    with open(core, encoding="utf-8") as stream:
        return [os.path.normpath(os.path.join(os.path.dirname(core), name)) for name in re.findall(r"^ +- (\S+\.v)$", stream.read(), re.M)]


def core_files_name_all_sources():
    listed = [name for core in CORES for name in files_of(core)]
    assert len(set(listed)) == len(listed)
    there = [os.path.join("rtl", room, name) for room in ("core", "cpu", "link", "tap") for name in os.listdir(os.path.join("rtl", room))
             if name.endswith(".v")]
    assert sorted(listed) == sorted(there), set(listed) ^ set(there)


def made(folder, target):
    """Copies the sources alone, with nothing that `make` has built, and has FuseSoC make the target of the user's design."""
    checkout, user = os.path.join(folder, "earshot"), os.path.join(folder, "user")
    for name in ("rtl", "interface", "scripts"):
        shutil.copytree(name, os.path.join(checkout, name))
    shutil.copy("earshot.core", checkout)
    shutil.copytree(os.path.dirname(os.path.abspath(__file__)), user)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in ("MFLAGS", "CC")}
    environment.update(PATH=f"{VENV}/bin:{os.environ['PATH']}", XDG_CACHE_HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
    done = subprocess.run([os.path.join(VENV, "bin/fusesoc"), "--cores-root", checkout, "--cores-root", user, "run", "--target", target, "--setup", "--build",
                           "user::listened"], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def a_users_design_has_no_warnings():
    with tempfile.TemporaryDirectory() as folder:
        said = made(folder, "lint")
        assert "%Warning" not in said, said[-4000:]


def its_probe_answers_as_the_page_says():
    with open("docs/link.md", encoding="utf-8") as stream:
        asked, answered = re.findall(r"^wire +((?:[0-9A-F]{2} ?)+)$", stream.read(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        made(folder, "sim")
        program = subprocess.run(["find", folder, "-name", "Vlistened", "-type", "f"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        said = subprocess.run([program], input=asked, stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout
    assert said.split() == answered.lower().split(), said


if __name__ == "__main__":
    sys.exit(run_all([core_files_name_all_sources, a_users_design_has_no_warnings, its_probe_answers_as_the_page_says]))
