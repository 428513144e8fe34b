#!/usr/bin/python3
"""Completions of bash and zsh: every option of every command's own table is offered, and nothing else; values and files where they belong."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

EARSHOT = os.path.join(os.environ.get("EARSHOT_BUILD", "build"), "earshot")
THERMOSTAT = os.path.join(os.environ.get("EARSHOT_BUILD", "build"), "examples/thermostat-O0.elf")


def generated(shell):
    return subprocess.run(["scripts/completions", shell, EARSHOT], capture_output=True, text=True, check=True).stdout


def commands():
    """As the program's own help lists them, but for `help` itself."""
    said = subprocess.run([EARSHOT, "--help"], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r"^  (\w+)  +\S", said, re.MULTILINE) if name != "help"]


def shared_tables():
    """By command: its options in the tables of es_option (host/cli/option.h), each of which says which commands have it."""
    text = ""
    for path in sorted(glob.glob("host/cli/commands/*.[ch]")):
        with open(path, encoding="utf-8") as file:
            text += file.read()
    meanings = dict(re.findall(r"^#define (\w+) \(?(ES_OF_\w+(?: \| ES_OF_\w+)*)\)?$", text, re.MULTILINE))
    commands = re.findall(r"^#define ES_OF_(\w+) \d+u", text, re.MULTILINE)
    exist = subprocess.run([EARSHOT, "--help"], capture_output=True, text=True, check=True).stdout
    found = {command.lower(): set() for command in commands if re.search(rf"^  {command.lower()} ", exist, re.MULTILINE)}
    entries = re.findall(r'\{"([\w-]+)",\s+(?:0|\'(\w)\'),\s+(?:true|false),\s+([\w\s|]+),\s+(?:"|NULL)', text)
    for name, letter, mask in entries:
        words = set(re.findall(r"\w+", mask))
        words |= {part for word in words for part in meanings.get(word, "").split(" | ")}
        for command in found:
            if f"ES_OF_{command.upper()}" in words:
                found[command] |= {f"--{name}"} | ({f"-{letter}"} if letter else set())
    assert len(entries) > 20 and len(found["watch"]) > 20, entries
    return found


def tables():
    """By command: its options, from the tables that getopt_long reads, with the one that `watch` knows before it reads them."""
    found = {"": {"--help", "--version"}, "net": {"--help"}, "watch": {"--net"}}
    for path in glob.glob("host/cli/commands/*.c") + glob.glob("host/cli/net/*.c"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = re.findall(r'\{\s*"([\w-]+)",\s*(?:no|required|optional)_argument,', text)
        if names:
            name = os.path.basename(path)[:-2].replace("_", "-")
            options = found.setdefault(f"net {name}" if "/net/" in path else name, set())
            options.update(f"--{option}" for option in names)
            letters = re.search(r'getopt_long\(argc, argv, "([a-z:]*)"', text).group(1)
            options.update(f"-{letter}" for letter in letters.replace(":", ""))
    for command, options in shared_tables().items():
        found.setdefault(command, set()).update(options | {"--help"})
    assert len(found) >= 13, sorted(found)
    found["read"].add("-e")  # of a recording of inputs: it is read as watch does
    found["net convert"].discard("-h")  # an alias that no text mentions
    return found


def bash(*lines):
    """What bash offers at the end of each line: lists of words. Run in the repository's root."""
    with tempfile.NamedTemporaryFile("w", suffix=".bash") as script:
        script.write(generated("bash") + "compopt() { :; }\n")
        for words in lines:
            quoted = " ".join(map(shlex.quote, words))
            script.write(f"COMP_WORDS=('{EARSHOT}' {quoted}); COMP_CWORD={len(words)}; _earshot; printf '%s ' \"${{COMPREPLY[@]}}\"; echo\n")
        script.flush()
        said = subprocess.run(["bash", "-eu", script.name], capture_output=True, text=True, check=False)
    assert said.returncode == 0 and not said.stderr, said
    return [line.split() for line in said.stdout.splitlines()]


def bash_offers_every_option():
    wanted = tables()
    offered = bash(*([*command.split(), "-"] for command in wanted))
    wrong = {command: sorted(set(words) ^ wanted[command]) for command, words in zip(wanted, offered) if set(words) != wanted[command]}
    assert not wrong, wrong


def bash_offers_commands_and_values():
    cases = [(["wa"], "watch"), (["net", "re"], "record recover"), (["help", ""], " ".join(commands())),
             (["watch", "--pro"], "--probe --probe-only --processor"), (["check", "-b", ""], "sim icebreaker ulx3s ulx3s-85f ulx3s-85f-256k icebreaker-recorder ulx3s-recorder"),
             (["check", "--board", "=", "ice"], "icebreaker icebreaker-recorder"), (["watch", "a.elf", "-p", "f"], "ftdi"),
             (["watch", "READ"], "README.md"), (["watch", "-s", "Makef"], "Makefile"), (["check", "--fifo", ""], ""),
             (["net", "recover", "--ctf", "Make"], ""), (["net", "recover", "--ctf", "doc"], "docs"), (["nothing", "-"], ""),
            (["net", "show", "x", "--s"], "--svg"),
            (["watch", THERMOSTAT, "-e", "'temp > 80 && mo"], "temp > 80 && mode"), (["watch", THERMOSTAT, "-e", "al"], "alarms"),
            (["watch", THERMOSTAT, "-s", "examples/thermostat/thermostat.watch", "-e", '"temp { enable over'], "temp { enable overheat"),
            (["watch", "-e", "al"], ""), (["watch", THERMOSTAT, "-e", "clamp\\l"], "clamp\\lo")]
    for (words, wanted), offered in zip(cases, bash(*(words for words, _ in cases))):
        assert sorted(offered) == sorted(wanted.split()), (words, offered, wanted)


def zsh_offers_names():
    """What zsh's own function asks the program for, with its builtins replaced by what prints what is left and what is offered."""
    if not shutil.which("zsh"):
        return
    for words, wanted in (([THERMOSTAT, "-e", "'temp > 80 && mo"], "mode"), (["-e", "mo"], None),
                          ([THERMOSTAT, "-s", "examples/thermostat/thermostat.watch", "-e", "x { enable o"], "overheat")):
        with tempfile.NamedTemporaryFile("w", suffix=".zsh") as script:
            script.write(f"earshot() {{ '{EARSHOT}' \"$@\" }}\n_arguments() {{ }}\ncompset() {{ print -r -- \"$2\" }}\n"
                         "compadd() { print -rl -- $names }\n")
            script.write(generated("zsh") + "\n")
            script.write("words=(watch " + " ".join(map(shlex.quote, words)) + f"); CURRENT={len(words) + 1}\n_earshot_names || true\n")
            script.flush()
            said = subprocess.run(["zsh", "-f", script.name], capture_output=True, text=True, check=False)
        offered = said.stdout.splitlines()
        assert said.returncode == 0 and not said.stderr and (wanted in offered if wanted else offered == []), (words, said)


def zsh_functions():
    """By command, what its function hands to _arguments: from the text alone, for machines without zsh."""
    text = generated("zsh")
    found = {}
    for name, body in re.findall(r"^(_earshot\w*)\(\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        found[name] = set(re.findall(r"^        '\*(--?[\w-]+?)(?:[+=]|=-)?\[", body, re.MULTILINE))
    return found


def zsh_offers_every_option():
    found = zsh_functions()
    for command, wanted in tables().items():
        name = "_earshot" + "".join("_" + word.replace("-", "_") for word in command.split())
        assert found[name] == wanted, (command, sorted(found[name] ^ wanted))


def zsh_finds_the_command():
    """zsh itself runs it, with the completion system's functions replaced by what prints their arguments."""
    if not shutil.which("zsh"):
        return
    for words, wanted in ((["watch", "-"], "*--statements=[statements from a file]:FILE:_files"),
                          (["net", "show", "-"], "*--svg["), (["net", "from-program", "x"], "*:file:_files"),
                          (["n"], "commands"), (["net", ""], "commands"), (["help", ""], " ".join(commands()))):
        with tempfile.NamedTemporaryFile("w", suffix=".zsh") as script:
            script.write("_arguments() { print -rl -- \"$@\" }\n_describe() { print -r -- \"$@\" }\ncompadd() { print -r -- \"$@\" }\n")
            script.write("words=(earshot " + " ".join(f"'{word}'" for word in words) + f"); CURRENT={len(words) + 1}\n")
            script.write(generated("zsh"))
            script.flush()
            said = subprocess.run(["zsh", "-f", script.name], capture_output=True, text=True, check=False)
        assert said.returncode == 0 and not said.stderr and wanted in said.stdout, (words, said)


if __name__ == "__main__":
    sys.exit(run_all([bash_offers_every_option, bash_offers_commands_and_values, zsh_offers_every_option, zsh_finds_the_command,
                      zsh_offers_names]))
