#!/usr/bin/python3
"""The installed library: its headers stand alone, its example works against the static and the shared one, the shared one exports what the
headers declare, all of it says the same version, and `make uninstall` leaves nothing and takes nothing else."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CC = os.environ.get("CC", "gcc").split() + os.environ.get("SAN", "").split()
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
PREFIX = "/opt/listening"
ELF = os.path.join(BUILD, "examples/thermostat-O0.elf")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


def make(target, root, *options):
    # not the environment of a make that may be around this test
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("MAKE") and name not in ("MFLAGS", "B", "SAN")}
    old = [word for made in os.environ["MADE"].split() for word in ("-o", made)]
    return run("make", "--no-print-directory", *old, f"B={BUILD}", f"STAGE={root}.stage", f"DESTDIR={root}", f"PREFIX={PREFIX}",
               *options, target, env=environment)


def install(root, *options):
    done = make("install", root, *options)
    assert done.returncode == 0, done.stderr


def flags(root, *options):
    """What pkg-config says of the installed copy."""
    environment = dict(os.environ, PKG_CONFIG_PATH=f"{root}{PREFIX}/lib/pkgconfig")
    said = run("pkg-config", f"--define-variable=prefix={root}{PREFIX}", *options, "earshot", env=environment)
    assert said.returncode == 0, said.stderr
    return said.stdout.split()


def headers(root):
    found = sorted(glob.glob(f"{root}{PREFIX}/include/earshot/**/*.h", recursive=True))
    assert len(found) > 15, found
    return found


def headers_stand_alone():
    """Each of them, and each of those that they lead to, compiles by itself."""
    for path in headers(ROOT):
        name = os.path.relpath(path, f"{ROOT}{PREFIX}/include")
        done = run(*CC, *STRICT, "-Wpedantic", "-fsyntax-only", *flags(ROOT, "--cflags"), "-x", "c", "-",
                   input=f"#include <{name}>\nextern int used;\n")
        assert done.returncode == 0, (name, done.stderr)


def no_private_header_is_public():
    private = [path for path in headers(ROOT) if re.search(r"private|internal|inside|/cli/|/plan/", path[len(ROOT):])]
    assert not private, private


def public_headers_are_for_cxx_too():
    text = "".join(f"#include <earshot/{os.path.basename(path)}>\n" for path in glob.glob(f"{ROOT}{PREFIX}/include/earshot/*.h"))
    done = run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *flags(ROOT, "--cflags"), "-S", "-x", "c++", "-", "-o", "-",
               input=text + "bool linked() { return es_fail(nullptr, ES_OK, \"C\"); }\n")
    assert done.returncode == 0 and "_Z7es_fail" not in done.stdout, done.stderr


def costliest(statement):
    """What the installed program's own check says: its greatest number of clocks."""
    said = run(f"{ROOT}{PREFIX}/bin/earshot", "check", ELF, "-e", statement, "--json")
    report = json.loads(said.stdout)
    return max(event["clocks"] for event in report["events"]), report["guaranteed"] or report["why"]


def example(linked, environment):
    """Builds the installed example, and compares what it says with what the program says."""
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "worst")
        source = f"{ROOT}{PREFIX}/share/doc/earshot/examples/library/worst.c"
        built = run(*CC, *STRICT, *flags(ROOT, "--cflags"), source, "-o", program, *linked)
        assert built.returncode == 0, built.stderr
        statements = ["temp > 80", "when write(mode) { count modes }"]
        said = run(program, ELF, *statements, env=environment)
        assert said.returncode == 0, said
        shown = re.findall(r"^(.*): at most (\d+) clocks for an event, (\d+) bytes, (.*)$", said.stdout, re.MULTILINE)
        assert [row[0] for row in shown] == statements, said.stdout
        for statement, clocks, size, verdict in shown:
            worst, wanted = costliest(statement)
            assert int(clocks) == worst and int(size) > 500, (shown, worst)
            assert verdict == ("guaranteed" if wanted is True else wanted), (shown, wanted)
        with open("docs/library.md", encoding="utf-8") as page:
            described, = re.findall(r"^\$ \./worst .* '(?:.*)'\n((?:.+\n)+)```", page.read(), re.MULTILINE)
        assert said.stdout.startswith(described), (described, said.stdout)
        wrong = run(program, ELF, "temq > 80", env=environment)
        assert wrong.returncode == 2 and "argument:1:1" in wrong.stderr and "^" in wrong.stderr, wrong
        return run("ldd", program, env=environment).stdout


def example_against_the_static_library():
    static = [f"{ROOT}{PREFIX}/lib/libearshot.a" if word == "-learshot" else word for word in flags(ROOT, "--libs", "--static")]
    assert "libearshot" not in example(static, dict(os.environ))


def example_against_the_shared_library():
    needed = example(flags(ROOT, "--libs"), dict(os.environ, LD_LIBRARY_PATH=f"{ROOT}{PREFIX}/lib"))
    assert re.search(rf"libearshot\.so\.[\d.]+ => {re.escape(ROOT)}", needed), needed


def declared():
    """The functions of the headers, without comments, preprocessor lines and the bodies of inline functions."""
    names = set()
    for path in headers(ROOT):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)$", "", file.read(), flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"static inline [^{;]*\{.*?^\}", "", text, flags=re.DOTALL | re.MULTILINE)
        for part in text.split(";"):
            if not part.lstrip().startswith("typedef"):
                names.update(re.findall(r"^\w[\w ]*[ *](es_\w+)\([^;]*\)\s*(?:__attribute__.*)?$", part.strip(), re.DOTALL))
    return names


def exported():
    listed = run("nm", "--dynamic", "--defined-only", "--format=posix", f"{ROOT}{PREFIX}/lib/libearshot.so")
    assert listed.returncode == 0, listed.stderr
    return {words[0].split("@")[0] for words in map(str.split, listed.stdout.splitlines()) if words[1] != "A"}


def exports_what_is_declared():
    names = declared()
    assert len(names) > 150, len(names)
    assert exported() == names, (sorted(exported() - names), sorted(names - exported()))


def one_version():
    with open("VERSION", encoding="utf-8") as file:
        version = file.read().strip()
    major, minor, _ = version.split(".")
    wanted = f"libearshot.so.{major if major != '0' else f'0.{minor}'}"
    library = f"{ROOT}{PREFIX}/lib/libearshot.so"
    soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "--dynamic", library).stdout).group(1)
    assert soname == wanted, soname
    assert os.readlink(library) == soname and os.readlink(f"{ROOT}{PREFIX}/lib/{soname}") == f"libearshot.so.{version}"
    assert flags(ROOT, "--modversion") == [version]
    assert run(f"{ROOT}{PREFIX}/bin/earshot", "--version").stdout == f"earshot {version}\n"
    nodes = set(re.findall(r"@@(\w[\w.]*)", run("nm", "--dynamic", "--with-symbol-versions", "--defined-only", library).stdout))
    assert nodes == {wanted.replace("libearshot.so.", "EARSHOT_")}, nodes


def tree(root):
    """All below a folder: kind, mode, content."""
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            content = None
            if os.path.islink(path):
                content = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
            found[os.path.relpath(path, root)] = os.lstat(path).st_mode, content
    return found


def completions_are_where_shells_look():
    for name, shell in ("bash-completion/completions/earshot", "bash"), ("zsh/site-functions/_earshot", "zsh"):
        made = run("scripts/completions", shell, f"{ROOT}{PREFIX}/bin/earshot")
        with open(f"{ROOT}{PREFIX}/share/{name}", encoding="utf-8") as file:
            assert file.read() == made.stdout and made.returncode == 0, (name, made.stderr)


def uninstalling_leaves_what_was_there():
    """Files and folders of others, also in folders that the installation uses, also empty ones; with another folder for libraries."""
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(scratch, "root")
        os.makedirs(f"{root}{PREFIX}/bin")
        os.makedirs(f"{root}{PREFIX}/share/earshot")
        for name in "bin/earshots", "share/earshot/own notes", "other":
            with open(f"{root}{PREFIX}/{name}", "w", encoding="utf-8") as file:
                file.write(name)
        before = tree(root)
        missing = make("uninstall", root)
        assert missing.returncode != 0 and "DESTDIR and PREFIX" in missing.stderr, missing
        libraries = f"LIBDIR={PREFIX}/lib/a-machine"
        install(root, libraries)
        once = tree(root)
        assert f"{PREFIX[1:]}/lib/a-machine/libearshot.a" in once and len(once) > len(before) + 60, sorted(once)
        install(root, libraries)
        assert tree(root) == once, sorted(set(tree(root)) ^ set(once))
        install(root)  # the folder changes: both are ours
        removed = make("uninstall", root)
        assert removed.returncode == 0, removed.stderr
        assert tree(root) == before, sorted(set(tree(root)) ^ set(before))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as parent:
        ROOT = os.path.join(parent, "root")
        install(ROOT)
        sys.exit(run_all([headers_stand_alone, no_private_header_is_public, public_headers_are_for_cxx_too,
                          example_against_the_static_library, example_against_the_shared_library, exports_what_is_declared,
                          one_version, completions_are_where_shells_look, uninstalling_leaves_what_was_there]))
