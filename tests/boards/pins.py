#!/usr/bin/python3
"""scripts/bitstream-check: what it finds in small netlists, one for each way to get the target's pins wrong."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/cli")
from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
PAD = ("module top(input target_x, input clk_tap, input other, output led); wire s; reg led;\n"
       "SB_IO #(.PIN_TYPE(6'b%s)) pad(.PACKAGE_PIN(target_x), .INPUT_CLK(%s), .D_IN_0(s)%s);\n"
       "%s always @(posedge clk_tap) led <= s %s; endmodule\n")
CASES = [  # source, what has to be said; none: nothing
    (PAD % ("000000", "clk_tap", "", "", ""), None),
    (PAD % ("000001", "clk_tap", "", "", ""), "does not register its input"),
    (PAD % ("011000", "clk_tap", ", .D_OUT_0(other)", "", ""), "has an output"),
    (PAD % ("000000", "other", "", "", ""), "samples at another edge"),
    (PAD % ("000000", "clk_tap", "", "", "^ target_x"), "past its pad's register"),
    (PAD % ("000000), .NEG_TRIGGER(1'b1", "clk_tap", "", "", ""), "samples at another edge"),
    ("module top(input target_x, input clk_tap, output reg led); always @(posedge clk_tap) led <= target_x; endmodule",
     "is not sampled in its pad"),
    ("module top(output target_x, input clk_tap, output reg led); assign target_x = led;"
     " always @(posedge clk_tap) led <= !led; endmodule", "target_x is an output"),
    ("module top(input a, input clk_tap, output reg led); always @(posedge clk_tap) led <= a; endmodule", "no pin is named"),
]

ECP5 = ("module top(%s target_x, input clk_tap, input other, output led, output more); wire s; reg led; reg more;\n"
        "%s pad(.D(target_x), .SP(1'b1), .SCLK(%s), .CD(1'b0), .Q(s));\n"
        "%s always @(posedge clk_tap) {led, more} <= {s, %s}; endmodule\n")
ECP5_CASES = [
    (ECP5 % ("input", "IFS1P3DX", "clk_tap", "", "other"), None),
    (ECP5 % ("input", "IFS1P3DX", "other", "", "other"), "samples at another edge"),
    (ECP5 % ("input", "IFS1P3DX", "!clk_tap", "", "other"), "samples at another edge"),
    (ECP5 % ("input", "IFS1P3DX", "clk_tap", "", "target_x"), "past its pad's register"),
    (ECP5 % ("inout", "IFS1P3DX", "clk_tap", "assign target_x = other ? s : 1'bz;", "other"), "drives target_x"),
    ("module top(input target_x, input clk_tap, output reg led); always @(posedge clk_tap) led <= target_x; endmodule",
     "is not sampled in its pad"),
    ("module top(output target_x, input clk_tap, output reg led); assign target_x = led;"
     " always @(posedge clk_tap) led <= !led; endmodule", "target_x is an output"),
]


def check(source, family="ice40"):
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/top.v", "w", encoding="utf-8") as file:
            file.write(source)
        with open(f"{work}/top.tap", "w", encoding="utf-8") as file:
            file.write("register pad\nclock clk_tap # the tap's\n")
        commands = f"read_verilog {work}/top.v; synth_{family} -top top -json {work}/top.json"
        subprocess.run(["yosys", "-q", "-p", commands], check=True, capture_output=True, timeout=300)
        with open(f"{work}/top.json", encoding="utf-8") as file:
            assert "top" in json.load(file)["modules"]
        command = ["scripts/bitstream-check", f"{work}/top.json", "top", f"{work}/top.tap"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def each_is_found():
    wrong = []
    for family, cases in (("ice40", CASES), ("ecp5", ECP5_CASES)):
        for source, message in cases:
            code, said = check(source, family)
            if code != (message is not None) or (message or " 0 found wrong") not in said:
                wrong.append(f"{family}: {source}\n{message}: exit {code}: {said}")
    assert not wrong, "\n".join(wrong)


def ports_of(top):
    """The pins of a board's top, as yosys reads it, by their direction."""
    with tempfile.TemporaryDirectory() as work:
        commands = f"read_verilog -I{BUILD}/gen rtl/boards/{top}.v; proc; write_json {work}/top.json"
        subprocess.run(["yosys", "-q", "-p", commands], check=True, capture_output=True, timeout=60)
        with open(f"{work}/top.json", encoding="utf-8") as file:
            ports = json.load(file)["modules"][top]["ports"]
    found = {}
    for name, port in ports.items():
        for number in range(len(port["bits"])):
            single = len(port["bits"]) == 1 and "offset" not in port
            found[name if single else f"{name}[{number + port.get('offset', 0)}]"] = port["direction"]
    return found


def constraints_fit_the_tops():
    """Each pin of a top has one place, no other has it, and the pull-up that the top relies on."""
    wrong = []
    for path in sorted(glob.glob("constraints/*.pcf") + glob.glob("constraints/*.lpf")):
        top = os.path.basename(path)[:-4]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        places = re.findall(r"^set_io (\S+) (\w+)$", text, re.MULTILINE) or \
            re.findall(r'^LOCATE COMP "(\S+)" SITE "(\w+)";', text, re.MULTILINE)
        pins = ports_of(top)
        if sorted(pin for pin, _ in places) != sorted(pins):
            wrong.append(f"{path}: {set(pins) ^ {pin for pin, _ in places}}")
        if len({site for _, site in places}) != len(places):
            wrong.append(f"{path}: a site is there twice")
        if path.endswith(".lpf"):
            modes = dict(re.findall(r'^IOBUF PORT "(\S+)" (.*);', text, re.MULTILINE))
            wrong += [f"{path}: {pin}" for pin in pins if "IO_TYPE=LVCMOS33" not in modes.get(pin, "")]
            wrong += [f"{path}: {pin} is not pulled up" for pin in pins if pin.startswith("target_") and "PULLMODE=UP" not in modes[pin]]
    assert not wrong, "\n".join(wrong)


def every_board_is_whole():
    """What belongs to each board that `make bitstream` knows is there, and no more."""
    with open("rtl/boards/rules.mk", encoding="utf-8") as file:
        tops = dict(re.findall(r"^BOARD_(\S+)_TOP := (\w+)$", file.read(), re.MULTILINE))
    assert sorted(tops) == sorted(os.path.basename(path)[:-7] for path in glob.glob("rtl/boards/*.limits")), tops
    for board, top in tops.items():
        assert os.path.exists(f"rtl/boards/{top}.v"), board
        assert os.path.exists(f"constraints/{top}.pcf") or os.path.exists(f"constraints/{top}.lpf"), board
        targets = any(pin.startswith("target_") for pin in ports_of(top))
        assert targets == os.path.exists(f"constraints/{top}.tap"), board


def the_page_has_the_pins():
    """docs/boards.md has the header's pins of each signal as the constraints have them."""
    with open("docs/boards.md", encoding="utf-8") as file:
        page = file.read()
    wrong = []
    for top in ("ulx3s", "ulx3s_ft245"):
        with open(f"constraints/{top}.lpf", encoding="utf-8") as file:
            found = re.findall(r'^LOCATE COMP "(\S+)" SITE "\w+"; # (g[pn]\d+)$', file.read(), re.MULTILINE)
        told = {}
        table = re.search(rf"^\| pins of `{top}` \|.*?\n\n", page, re.MULTILINE | re.DOTALL)[0]
        for signals, pins in re.findall(r"^\| `(.*?)` \| (.*?) \|", table, re.MULTILINE):
            told.update(zip(expanded(signals.replace("`", "")), expanded(pins), strict=True))
        wrong += [f"{top}: {pin}: {site}, told {told.get(pin)}" for pin, site in found if told.get(pin) != site]
        assert len(told) == len(found), (top, set(told) ^ {pin for pin, _ in found})
    assert not wrong, "\n".join(wrong)


def check_knows_the_boards():
    """host/check/boards.c has each ULX3S as its top and rtl/boards/rules.mk make it."""
    with open("rtl/boards/ulx3s.v", encoding="utf-8") as top, open("rtl/boards/ulx3s_probe.v", encoding="utf-8") as probe:
        defaults = dict(re.findall(r"parameter +(WINDOW_LOG2|MEM_LOG2) += (\d+)", top.read()))
        defaults.update(re.findall(r"\.(FIFO_LOG2|EVQ_LOG2|TIME_W)\((\d+)\)", probe.read()))
    with open("rtl/boards/ulx3s.v", encoding="utf-8") as file:
        both, only = re.search(r"\.RECORD_LOG2\(MONITOR != 0 \? (\d+) : (\d+)\)", file.read()).groups()
    with open("rtl/boards/rules.mk", encoding="utf-8") as rules, open("host/check/boards.c", encoding="utf-8") as boards:
        made = {name: dict(re.findall(r"(\w+)=(\d+)", found)) for name, found in
                re.findall(r"^BOARD_(ulx3s-(?:85f\S*|recorder))_SET := (.*)", rules.read(), re.MULTILINE)}
        known = {name: re.findall(r"\.(\w+) = 1\w* << (\d+)", entry) for name, entry in
                 re.findall(r'\{ "(ulx3s[^"]*)",(.*?)\} \},', boards.read(), re.DOTALL)}
    assert len(made) == 3, made
    for name, parameters in {"ulx3s": {}, **made}.items():
        built = {**defaults, **parameters}
        monitor = built.get("MONITOR") != "0"
        wanted = [("memory_size", built["MEM_LOG2"])] * monitor + [("window_size", built["WINDOW_LOG2"]), ("fifo", built["FIFO_LOG2"])]
        wanted += [("event_words", built["EVQ_LOG2"])] * monitor + [("epoch_gap", built["TIME_W"])]
        wanted += [("recorder_bytes", both if monitor else only)] * (built.get("RECORDER") == "1")
        assert known[name] == wanted, (name, known[name], wanted)


def expanded(text):
    """`d[0]` to `d[2]`, e is [d[0], d[1], d[2], e]; gp1 to gp3 in the same way."""
    found = []
    for part in text.split(", "):
        first, _, last = part.partition(" to ")
        stem, start, end = re.match(r"(.*?)(\d*)(\]?)$", first).groups()
        stop = int(re.search(r"(\d+)\]?$", last)[1]) if last else int(start or 0)
        found += [f"{stem}{number}{end}" for number in range(int(start), stop + 1)] if start else [first]
    return found


if __name__ == "__main__":
    sys.exit(run_all([each_is_found, constraints_fit_the_tops, every_board_is_whole, the_page_has_the_pins,
                      check_knows_the_boards]))
