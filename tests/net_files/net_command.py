#!/usr/bin/python3
"""Drives the real `earshot net`: what its commands print, their exit codes, bad input, and the manual page's examples."""
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from net_driven import (EARSHOT, EXPECTATION, MAILBOX, MANUAL, NETS, OUTPUT, USAGE, fails, good, lines, net, path_of,
                        read, run_tests, test)


@test
def check_text():
    out = good(net("check", MAILBOX))
    for line in ("net Producer and consumer: 8 places, 7 transitions, 18 arcs, 3 monitors", "safe      yes, by P-invariants",
                 "C3        yes (C3' at mail: Property S)", "Perturbations can be tracked in this net.", "deadlock  none",
                 "  c_idle + c_poll + c_use = 1", "  work + other"):
        assert line in out.splitlines(), out


@test
def check_without_monitors():
    path = path_of("bare.net", "".join(line for line in read(MAILBOX).splitlines(True) if "monitor" not in line))
    result = net("check", path)
    assert result.returncode == EXPECTATION and result.stderr == "", result
    assert "monitor in addition: send (producer.c:14) work (consumer.c:9) take\n" in result.stdout, result.stdout
    assert "  transition work (consumer.c:9) puts tokens on place c_poll, which has 2 outputs; monitor it\n" in result.stdout
    result = net("check", "--json", path)
    found = lines(result.stdout)
    assert result.returncode == EXPECTATION
    assert found[-1]["event"] == "summary" and found[-1]["trackable"] is False and found[-1]["safe"] is True
    assert found[-1]["monitor_in_addition"] == ["send", "work", "take"] and found[-1]["property_s"] == ["mail"], found[-1]
    first = found[0]
    assert (first["requirement"], first["place"], first["transition"], first["synchronising"]) == ("C1", "p_wait", "send", "resume"), first
    assert first["transition_source"] == "producer.c:14"
    assert [e["weights"] for e in found if e["event"] == "t-invariant"][1] == {"work": 1, "other": 1}


@test
def check_unsafe():
    path = path_of("unsafe.net", "tr send a -> a box tr take box -> pl a (1)\n# earshot: monitor send\n")
    result = net("check", path)
    assert result.returncode == EXPECTATION
    assert "place box can get a second token, from transition send, when these fire in this order:\n    send send\n" in result.stdout, result.stdout
    assert "bounded   NO, without routing: box\n" in result.stdout, result.stdout
    summary = lines(net("check", "-j", path).stdout)[-1]
    assert summary["safe"] is False and summary["bounded"] is False and summary["unbounded"] == ["box"], summary


def toggles(count):
    """2^count states."""
    return "".join(f"tr t{i} p{i} -> q{i} tr u{i} q{i} -> p{i} pl p{i} (1)\n" for i in range(count))


@test
def check_tokens():
    """Sets of places with one token need no states."""
    ways = "".join(f"tr t{i} p{i} -> q{i} tr u{i} q{i} r{i} -> p{i} r{i + 1}\npl p{i} (1)\n" for i in range(20))
    path = path_of("wide.net", ways)
    result = net("check", path, "--limit", "50")
    assert result.returncode == EXPECTATION and "safe      yes, by P-invariants of one token\n" in result.stdout, result.stdout
    summary = lines(net("check", "-j", path, "--limit", "50").stdout)[-1]
    assert summary["safe"] is True and summary["safe_by"] == "tokens" and summary["all_states"] is False, summary


@test
def check_parts():
    """A send that waits until its message was taken: it is the routing that takes the token out of p."""
    send = ("tr send a -> m p b tr grant m -> h tr put h p -> d tr ok h -> d tr sent d b -> m c tr taken d c -> a pl a (1)\n"
            "# earshot: route h -> put if p\n# earshot: route h -> ok\n"
            "# earshot: route d -> sent if b\n# earshot: route d -> taken\n")
    path = path_of("parts.net", toggles(12) + send)
    text = net("check", path, "--limit", "200").stdout
    assert "safe      yes, by P-invariants of one token (30 places) and in all states of parts of the net (1 places; 1 parts" in text, text
    summary = lines(net("check", "-j", path, "--limit", "200").stdout)[-1]
    assert summary["safe"] is True and summary["safe_by"] == "parts" and summary["places_by_parts"] == 1, summary
    alone = lines(net("check", "-j", path_of("alone.net", send)).stdout)[-1]
    assert alone["safe"] is True and alone["safe_by"] == "states", alone
    wrong = path_of("wrong.net", send.replace("h -> put if p", "h -> put if a"))
    assert "safe      NO\n  place p can get a second token, from transition send" in net("check", wrong).stdout, net("check", wrong).stdout


@test
def check_limit():
    """One that is not safe, and only after many states."""
    every = " ".join(f"q{i}" for i in range(9))
    path = path_of("deep.net", toggles(9) + f"tr z {every} -> {every} box\n")
    result = net("check", path, "--limit", "50")
    assert result.returncode == EXPECTATION and "and no proof for 1 of 19 places: box; raise --limit" in result.stdout, result.stdout
    result = net("check", path)
    assert result.returncode == EXPECTATION and "place box can get a second token, from transition z, when" in result.stdout, result.stdout
    firings = next(e for e in lines(net("check", "-j", path).stdout) if e["event"] == "violation" and e["requirement"] == "safe")["firings"]
    assert len(firings) == 11 and firings[-2:] == ["z", "z"], firings


@test
def other_tools():
    assert "2 places, 2 transitions, 4 arcs" in net("check", os.path.join(NETS, "pages.pnml")).stdout
    fails(net("check", os.path.join(NETS, "coloured.pnml")), USAGE,
          "coloured.pnml:3:3: error: a net of type 'http://www.pnml.org/version-2009/grammar/symmetricnet'")
    fails(net("check", os.path.join(NETS, "inhibitor.pnml")), USAGE, "inhibitor.pnml:7:7: error: an arc of type 'inhibitor'")


@test
def convert():
    pnml, back = path_of("m.pnml"), path_of("m.net")
    good(net("convert", MAILBOX, pnml))
    good(net("convert", pnml, back))
    root = ElementTree.parse(pnml).getroot()
    assert root.tag == "{http://www.pnml.org/version-2009/grammar/pnml}pnml"
    assert good(net("check", back)) == good(net("check", MAILBOX)) == good(net("check", pnml))
    fails(net("convert", MAILBOX, path_of("m.dot")), USAGE, "the name's ending selects the format of a net: .pnml or .net")
    fails(net("convert", MAILBOX, path_of(os.path.join("no", "m.net"))), OUTPUT, "cannot be written")
    fails(net("convert", MAILBOX), USAGE, "to which file?")


@test
def simulate():
    out = good(net("simulate", MAILBOX, "--for", "100", "--json"))
    events = lines(out)
    assert events[0] == {"event": "firing", "transition": "work", "number": 1, "time": 30, "mark": 5}, events[0]
    assert events[-1] == {"event": "end", "complete": False}
    assert [e["time"] for e in events[:-1]] == [30, 48, 69, 69]
    bare = lines(good(net("simulate", MAILBOX, "--for", "100", "--json", "--no-marks")))
    assert [e["time"] for e in bare[:-1]] == [25, 42, 59, 59, ], bare
    every = lines(good(net("simulate", MAILBOX, "--firings", "7", "--json", "--all")))
    assert len(every) == 8 and every[1]["transition"] == "other", every
    assert good(net("simulate", MAILBOX, "-n", "1")) == "          30  work 1  mark 5\n"


def check_in_little_memory(path):
    def little():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
    done = subprocess.run([EARSHOT, "net", "check", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120,
                          preexec_fn=None if "san" in EARSHOT else little, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert '"safe":true' in done.stdout.replace(" ", "") or '"safe":"yes"' in done.stdout.replace(" ", ""), done.stdout[:300]
    return done.stdout


@test
def unconnected_places():
    """30,000 of them are looked at in little memory: of each alone, not of each with all."""
    check_in_little_memory(path_of("many.net", "net many\n" + "".join(f"pl p{i} ({i % 2})\n" for i in range(30000))))


@test
def states_of_many_places():
    """Of a state the places with a token are kept, not all: 100,000 states of 2,000 places with 40 tokens in little memory."""
    text = "net rings\n"
    for ring in range(40):
        text += f"pl p{ring}_0 (1)\n" + "".join(f"tr t{ring}_{i} [1,1] p{ring}_{i} -> p{ring}_{(i + 1) % 50}\n" for i in range(50))
    assert '"states":100000' in check_in_little_memory(path_of("rings.net", text)).replace(" ", "")


@test
def show():
    dot = good(net("show", MAILBOX, "--dot"))
    assert dot.startswith("digraph net {") and 'label=<if mail>' in dot and dot == good(net("show", MAILBOX, "--dot"))
    svg = ElementTree.fromstring(good(net("show", MAILBOX)))
    shapes = [e.tag.split("}")[1] for e in svg.iter()]
    assert shapes.count("ellipse") >= 8, shapes
    target = path_of("m.svg")
    good(net("show", MAILBOX, "--svg", "--across", "--output", target))
    ElementTree.parse(target)
    target = path_of("picture.dot")
    good(net("show", MAILBOX, "-o", target))
    assert read(target) == dot
    fails(net("show", MAILBOX, env={"PATH": path_of("")}), OUTPUT, "dot, of the package graphviz, cannot be started")
    whole, apart = good(net("show", MAILBOX, "--dot", "--together")), good(net("show", MAILBOX, "--dot", "--apart"))
    assert whole == dot and apart != dot
    node = re.compile(r"^ +([pt]\d+(?:_\d+)?) \[", re.M)
    declared, arcs = node.findall(apart), re.findall(r"^  ([pt]\d+(?:_\d+)?)\S* -> ([pt]\d+(?:_\d+)?)", apart, re.M)
    assert len(declared) == len(set(declared)) and {end for arc in arcs for end in arc} <= set(declared), (declared, arcs)
    assert len([a for a in arcs if "dotted" not in a]) >= dot.count(" -> ") - 2
    cluster = {name: number for number, part in re.findall(r"subgraph cluster_(\d+) \{(.*?)\n  \}", apart, re.S) for name in node.findall(part)}
    assert all(cluster.get(a) == cluster.get(b) for a, b in arcs), "arcs between processes"
    assert any("_" in name for name in declared) and apart.count("style=dashed") == len([n for n in declared if "_" in n])
    ElementTree.fromstring(good(net("show", MAILBOX, "--apart")))
    fails(net("show", MAILBOX, "--apart", "--together"), USAGE, "not both")
    awkward = path_of("awkward.net", 'net {<&"\\}>}\ntr {a<b>&"} {p "q"} -> {\\\\n}\npl {p "q"} : {</table>} (2)\n')
    ElementTree.fromstring(good(net("show", awkward)))


@test
def bad_use():
    fails(net("check"), USAGE, "which net?")
    fails(net("check", MAILBOX, "more"), USAGE, "unexpected argument 'more'")
    fails(net("check", path_of("nothing.net")), USAGE, "nothing.net: cannot be opened: No such file or directory")
    fails(net("check", path_of("a.txt", "")), USAGE, ".pnml or .net")
    fails(net("check", MAILBOX, "--limit", "x"), USAGE, "--limit takes a number from 1")
    fails(net("dance"), USAGE, "there is no command 'net dance'")
    fails(net("recover", MAILBOX), USAGE, "which net?")
    fails(net("simulate", path_of("two.net", "pl p (2)")), USAGE, "p")
    assert net().returncode == USAGE and net().stdout == ""
    for command in ("check", "simulate", "recover", "show", "convert"):
        text = good(net(command, "--help"))
        assert text.startswith(f"usage: earshot net {command} ") and text == good(net("help", command))
        assert max(len(line) for line in text.splitlines()) <= 120
        assert net(command, "--nonsense").returncode == USAGE
    assert good(net("--help")).startswith("usage: earshot net COMMAND")
    for command in (["check", MAILBOX], ["simulate", MAILBOX, "-n", "2000"], ["show", MAILBOX]):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([EARSHOT, "net", *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (result.returncode, "results cannot be written" in result.stderr) == (OUTPUT, True), (command, result)


@test
def bad_traces():
    cut = "; the trace ends in the middle of this line\n"
    for text, message in (("x", ":1:1: error: an object is needed: {\"event\":...}\n"), ('\n{', ":2:2: error: a name is needed here" + cut),
                          ('{"event":"fir', ":1:14: error: the string has no end" + cut),
                          ('{"event":"firing","transition":"work","time":9', ":1:47: error: ',' or '}' is needed here" + cut),
                          ('{"event":"gap","processes":[0,2]}\n', ":1:28: error: one of these processes is not in the net"),
                          ('{"event":"fir\n', "error: the string has no end\n"),
                          ('{"event":"firing","transition":"work","time":9}\n{"event":"firing","transition":"work","time":8}', ":2:1: error: "),
                          ('{"event":"firing","transition":"nobody","time":9}', "no such transition: nobody"),
                          ('{"event":"end","complete":true}\n{"event":"firing","transition":"work","time":9}', ":2:1: error: an event after the"),
                          ('{"event":"firing","transition":"take","time":9}', "error: ")):
        result = net("recover", path_of("bad.jsonl", text), "-n", MAILBOX)
        assert result.returncode == USAGE and "bad.jsonl" in result.stderr and message in result.stderr, result
    begun = "".join(line + "\n" for line in good(net("simulate", MAILBOX, "-n", "2000", "--json")).splitlines()[:-1]) + "x\n"
    found = [net("recover", name, "-n", MAILBOX, stdin=begun) for name in ("-", path_of("begun.jsonl", begun))]
    assert found[0].stdout == found[1].stdout and len(found[0].stdout.splitlines()) > 400, [len(f.stdout) for f in found]
    assert all(":1: error: an object is needed" in f.stderr and f.returncode == USAGE for f in found), [f.stderr for f in found]
    bare = path_of("bare.net", "".join(line for line in read(MAILBOX).splitlines(True) if "monitor" not in line))
    result = net("recover", path_of("bad.jsonl", ""), "-n", bare)
    assert result.returncode == USAGE, result


@test
def garbage_never_crashes():
    """Cut and changed files, and traces for other nets: always a message and exit code 2, or a result."""
    number = 1
    for path in sorted(glob.glob(os.path.join(NETS, "*.*"))):
        if path.endswith(".md"):
            continue
        text = open(path, "rb").read()
        for _ in range(12):
            number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
            at, what = (number >> 33) % len(text), (number >> 20) % 3
            changed = text[:at] if what == 0 else text[:at] + bytes([number >> 50 & 255 or 1]) + text[at + 1:] if what == 1 else text[at:] + text[:at]
            bad = path_of("bad" + os.path.splitext(path)[1])
            with open(bad, "wb") as file:
                file.write(changed)
            result = subprocess.run([EARSHOT, "net", "check", bad, "--limit", "100"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                    check=False)
            assert result.returncode in (0, 1, 2), (path, number, result)
            assert result.returncode != 2 or bad.encode() in result.stderr, (path, number, result)


@test
def manual():
    """The examples of the manual page, run as they stand there, one after the other in one folder."""
    page = read(MANUAL)
    assert subprocess.run(["man", "--warnings", "-l", MANUAL], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, MANWIDTH="80")).stderr == ""
    text = page[page.index(".SH EXAMPLES"):]
    text = text[:text.index(".SH SEE ALSO")]
    plain = {r"\-": "-", r"\(aq": "'", r"\e": "\\", r"\(rs": "\\"}
    for code, character in plain.items():
        text = text.replace(code, character)
    folder = path_of("manual")
    os.mkdir(folder)
    shutil.copy(MAILBOX, folder)
    os.mkdir(path_of("bin"))
    os.symlink(EARSHOT, path_of("bin/earshot"))
    commands = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    assert len(commands) >= 6, commands
    for command in commands:
        result = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                env=dict(os.environ, PATH=path_of("bin") + ":" + os.environ["PATH"], LC_ALL="C.UTF-8"))
        assert result.returncode == 0, (command, result)
        block = text[text.index("$ " + command) + len(command) + 3:]
        shown = block[:min(block.index(end) for end in ("\n$ ", "\n.EE") if end in block)] if not block.startswith((".EE", "$ ")) else ""
        for line in shown.splitlines():
            assert line in result.stdout.splitlines(), (command, line, result.stdout)


sys.exit(run_tests())
