#!/usr/bin/python3
"""The Debian packages: lintian has no error to tell, they hold what an installation holds, and in a bare Debian they install, run, build and test
examples/ci with nothing else of this tree, and leave nothing when they are removed.

The bare Debian needs root, debootstrap and, once, the network: build/package keeps what was fetched. Without these the program is taken out of
the packages and run where it lies, and the rest is said to be skipped."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
import junit  # noqa: E402
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
DEBS = sorted(os.path.abspath(path) for path in glob.glob(f"{BUILD}/deb/*.deb"))
KEPT = os.path.abspath(f"{BUILD}/package")
BASE = f"{KEPT}/bookworm.tar"
SUITE = "bookworm"  # from where debootstrap takes it by itself
# Of picolibc's libraries for all processors, 1 GB, the target's own will do.
LESS = """path-exclude=/usr/lib/picolibc/riscv64-unknown-elf/lib/*
path-include=/usr/lib/picolibc/riscv64-unknown-elf/lib/rv32im/*
path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/earshot/*
path-exclude=/usr/share/man/*
path-include=/usr/share/man/man1/earshot*
"""
# What apt and dpkg themselves keep, and caches that the system makes: not the packages' own.
OTHERS = re.compile(r"^\./(var/(lib|cache|log)/(dpkg|apt|debconf|ldconfig|alternatives|apt/.*)\b|var/log/|etc/ld\.so\.cache|proc|sys|dev|tmp|root|run)")


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout + done.stderr


def must(*command, **options):
    code, said = run(*command, **options)
    assert code == 0, f"{' '.join(command)}: {code}\n{said[-3000:]}"
    return said


def deb(name):
    found = [path for path in DEBS if os.path.basename(path).startswith(name + "_")]
    assert len(found) == 1, (name, DEBS)
    return found[0]


def lintian_is_content():
    # that tag asks for the number of a request to have it in Debian
    said = must("lintian", "--allow-root", "--suppress-tags", "initial-upload-closes-no-bugs", "--fail-on", "error,warning", *DEBS)
    assert "E:" not in said and "W:" not in said, said


def what_building_needs_is_named():
    """The source's Build-Depends are all of what scripts/install-deps has for the build; what is there for tests alone is not among them."""
    with open("packaging/debian/control", encoding="utf-8") as file:
        text = re.search(r"^Build-Depends: (.*(?:\n .*)*)", file.read(), re.M)[1]
    named = {word.split()[0] for word in text.split(",")} - {"debhelper-compat"}
    listed = {line.split()[0] for line in must("scripts/install-deps", "--list").splitlines()}
    libraries = {name for name in listed if name.endswith("-dev")} - {"dpkg-dev", "libc6-dev", "libumockdev-dev", "libpython3-dev", "libclang-rt-dev",
                                                                           "libevent-dev", "libjson-c-dev"}
    assert named <= listed, named - listed
    assert libraries <= named, libraries - named


def they_hold_what_belongs_to_them():
    listed = {name: must("dpkg-deb", "-c", deb(name)) for name in ("earshot", "earshotd", "libearshot-dev")}
    for name, paths in (("earshot", ["bin/earshot", "bin/earshot-target-cc", "share/man/man1/earshot-watch.1.gz", "lib/udev/rules.d/70-earshot.rules",
                                     "share/bash-completion/completions/earshot", "share/zsh/vendor-completions/_earshot",
                                     "share/earshot/examples/target/link.ld", "share/doc/earshot/examples/ci/Makefile",
                                     "share/doc/earshot/examples/machines/linux-sched.machine"]),
                        ("earshotd", ["bin/earshotd", "lib/sysusers.d/earshot.conf", "share/man/man8/earshotd.8.gz"]),
                        ("libearshot-dev", ["include/earshot/check.h", "share/doc/libearshot-dev/examples/worst.c"])):
        for path in paths:
            assert f" ./usr/{path}" in listed[name], (name, path)
    assert " ./lib/systemd/system/earshotd.socket" in listed["earshotd"]
    depends = must("dpkg-deb", "-f", deb("earshot"), "Depends")
    for library in "libc6", "libdw1", "libelf1", "libftdi1-2", "libusb-1.0-0", "libxml2":
        assert re.search(rf"\b{re.escape(library)} \(>= ", depends), depends  # as dpkg-shlibdeps found them
    with open("VERSION", encoding="utf-8") as file:
        assert must("dpkg-deb", "-f", deb("earshot"), "Version").strip() == file.read().strip() + "-1"


def project_in(folder):
    """A copy of examples/ci as a user has it: nothing of this tree around it."""
    return shutil.copytree("examples/ci", os.path.join(folder, "project"))


def check_project(folder, told):
    """What `make test` of examples/ci has left, and what it said."""
    root = junit.read(os.path.join(folder, "build/results.xml"))
    assert len(root) == 8 and len(list(root.iter("testcase"))) == 56 and root.get("failures") == root.get("errors") == "0", told
    assert "56 met, 0 failed, 0 unknown" in told, told
    assert len(os.listdir(os.path.join(folder, "build/recordings"))) == 8


def check_broken(folder, code, told):
    root = junit.read(os.path.join(folder, "build/results.xml"))
    failed = {case.get("name") for case in root.iter("testcase") if case.find("failure") is not None}
    assert code != 0 and failed == {"valves"}, (code, failed, told)
    assert "tank.c:" in told, told


def it_runs_where_it_lies():
    """The example's own Makefile with what is in the package, unpacked into some folder."""
    with tempfile.TemporaryDirectory() as scratch:
        must("dpkg-deb", "-x", deb("earshot"), scratch)
        folder = project_in(scratch)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
        environment.update(PATH=f"{scratch}/usr/bin:{os.environ['PATH']}", GITHUB_ACTIONS="")
        check_project(folder, must("make", "-C", folder, "test", env=environment))
        code, told = run("make", "-C", folder, "broken", env=environment)
        check_broken(folder, code, told)


# --- in a bare Debian -----------------------------------------------------------------------------------------------------------------


def why_not_bare():
    """Why there is no bare Debian here; None: there can be."""
    if os.geteuid() != 0:
        return "it needs root"
    if not shutil.which("debootstrap"):
        return "debootstrap is not installed"
    if os.path.exists(BASE):
        return None
    os.makedirs(KEPT, exist_ok=True)
    made = f"{KEPT}/making"
    shutil.rmtree(made, ignore_errors=True)
    code, said = run("debootstrap", "--variant=minbase", SUITE, made, timeout=900)
    if code == 0:
        must("tar", "-C", made, "-cf", BASE + ".new", ".")
        os.rename(BASE + ".new", BASE)
    shutil.rmtree(made, ignore_errors=True)
    return None if code == 0 else f"debootstrap could not make it: {said.strip().splitlines()[-1]}"


class Bare:
    """A bare Debian in a folder; fetched packages are kept for the next one."""
    def __init__(self, folder):
        self.root = folder
        must("tar", "-C", folder, "-xf", BASE)
        os.makedirs(f"{KEPT}/archives", exist_ok=True)
        self.archives = os.path.join(folder, "var/cache/apt/archives")
        for path in glob.glob(f"{KEPT}/archives/*.deb"):
            shutil.copy(path, self.archives)
        with open(os.path.join(folder, "etc/dpkg/dpkg.cfg.d/less"), "w", encoding="utf-8") as file:
            file.write(LESS)

    def do(self, command):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        return run("chroot", self.root, "sh", "-c", command, env=environment, timeout=900)

    def must(self, command):
        code, said = self.do(command)
        assert code == 0, f"{command}: {code}\n{said[-3000:]}"
        return said

    def install(self, *names):
        for path in DEBS:
            shutil.copy(path, os.path.join(self.root, "tmp"))
        words = [f"/tmp/{os.path.basename(deb(name))}" if name.startswith(("earshot", "libearshot")) else name for name in names]
        self.must(f"apt-get install -y --no-install-recommends {' '.join(words)}")
        for path in glob.glob(f"{self.archives}/*.deb"):
            if not os.path.basename(path).startswith(("earshot", "libearshot")):
                shutil.copy(path, f"{KEPT}/archives")

    def files(self):
        return {line for line in must("find", ".", cwd=self.root).splitlines() if not OTHERS.match(line)}


def in_a_bare_debian():
    """Installed, run, removed; then again with the compiler, as a CI job has it."""
    skipped = why_not_bare()
    if skipped:
        print(f"skipped: the bare Debian: {skipped}")
        return
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        bare = Bare(folder)
        before = bare.files()
        bare.install("earshot")
        assert bare.must("earshot --version").startswith("earshot ")
        assert os.path.exists(f"{folder}/usr/lib/udev/rules.d/70-earshot.rules")
        shutil.copy(f"{BUILD}/examples/thermostat-O0.elf", f"{folder}/root/fw.elf")
        assert "19 hits, nothing lost" in bare.must("earshot watch /root/fw.elf -e 'temp > 80'")
        code, said = bare.do("earshot-target-cc main.c")
        assert code == 2 and "gcc-riscv64-unknown-elf" in said, (code, said)  # it is recommended, not needed, and says so
        bare.must("apt-get purge -y --autoremove earshot")
        left = bare.files() - before
        assert not left, f"left after removing: {sorted(left)[:20]}"

        bare.install("earshotd", "earshot")
        assert bare.must("earshotd --version").startswith("earshot") and bare.must("getent passwd earshot")
        assert os.path.exists(f"{folder}/lib/systemd/system/earshotd.service")
        os.makedirs(f"{folder}/var/lib/earshot/run")
        bare.must("apt-get purge -y --autoremove earshot earshotd")
        left = {path for path in bare.files() - before if "earshot" in path}  # systemd, which came with it, leaves things of its own
        assert not left, f"left after removing: {sorted(left)[:20]}"

        bare.install("earshot", "make", "gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf")
        project = project_in(f"{folder}/root")
        check_project(project, bare.must("make -C /root/project test"))
        code, told = bare.do("make -C /root/project broken")
        check_broken(project, code, told)


if __name__ == "__main__":
    sys.exit(run_all([lintian_is_content, what_building_needs_is_named, they_hold_what_belongs_to_them, it_runs_where_it_lies, in_a_bare_debian]))
