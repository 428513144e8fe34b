"""Tests of the mutation run itself: which faults it plants, what it takes for none, and what it says of survivors."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("EARSHOT_BUILD", "build"))
sys.path.insert(0, HERE)
import equal      # noqa: E402
import killers    # noqa: E402
import mutants    # noqa: E402
import pack       # noqa: E402

MODULE = """`resetall
module small #(parameter W = 4) (
  input wire clk, // a < b && c is a comment
  input wire [W-1:0] a, b,
  output reg [W-1:0] sum
);
  initial begin
    if (W < 1) $error("small: W must be 1 at least");
  end
  localparam [1:0] FIRST = 2'd3;
  wire more = a < b && !b[0];
  wire unused = &{1'b0, a == b};
  wire [7:0] wide = {{(8 - W){1'b0}}, a[W-1:0]};
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < W; i = i + 1) sum[i] <= a[i] <= b[i];
    if (more) sum <= FIRST == 2'd1 ? a : b;
  end
`ifdef NEVER
  assign never = a && b;
`endif
  part one (.x(a), .y(b), .z(more));
endmodule
"""
WANTED = {
    ("2'd3", "2'd0"), ("2'd3", "2'd2"), ("<", "<="), ("<", ">="), ("&&", "||"), ("a < b &&", ""), ("&& !b[0]", ""),
    ("!", ""), ("0", "1"), ("1'b0", "1'b1"), ("sum[i] <= a[i] <= b[i];", ";"), ("<=", "<"), ("(more)", "(!(more))"),
    ("(more)", "(1'b1)"), ("(more)", "(1'b0)"), ("sum <= FIRST == 2'd1 ? a : b;", ";"), ("==", "!="), ("2'd1", "2'd2"),
    ("2'd1", "2'd0"), ("FIRST == 2'd1", "!(FIRST == 2'd1)"), ("(a), .y(b)", "(b), .y(a)"),
    ("(b), .z(more)", "(more), .z(b)"),
}
passed = failed = 0


def check(name, good, seen=""):
    """One test."""
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name}: {seen}")


def test_planting():
    """All changes of a small module, and no others."""
    found = {(m.old, m.new) for m in mutants.ranked("small.v", MODULE, 1)}
    check("planted", found == WANTED, f"not planted: {WANTED - found}; not wanted: {found - WANTED}")


def test_order():
    """The same again; and much the same when another line is added."""
    def names(text, seed):
        return [(m.before, m.after) for m in mutants.ranked("small.v", text, seed)]
    more = MODULE.replace("  integer i;\n", "  integer i;\n  wire other = a[0] || b[0];\n")
    kept = [name for name in names(more, 1) if "other" not in name[0]]
    check("order", names(MODULE, 1) == names(MODULE, 1))
    check("another seed", names(MODULE, 1) != names(MODULE, 2))
    check("another line", kept == names(MODULE, 1))


def test_packing():
    """All changes of a small module in one text, but for those that cannot be a choice."""
    found = [m for m in mutants.ranked("small.v", MODULE, 1) if m.home]
    left_out = WANTED - {(m.old, m.new) for m in found}
    constants = {("2'd3", "2'd0"), ("2'd3", "2'd2"), ("(a), .y(b)", "(b), .y(a)"), ("(b), .z(more)", "(more), .z(b)")}
    check("cannot be a choice", left_out == constants, left_out)
    text = pack.packed(MODULE, mutants.header_end(MODULE), list(enumerate(found, 1)))
    numbers = [int(n) for n in re.findall(r"es_mutant == (\d+)", text)]
    check("numbers", sorted(numbers) == list(range(1, len(found) + 1)), numbers)
    check("a statement", "begin if (es_mutant == 1) ; else sum" in pack.packed(
        MODULE, mutants.header_end(MODULE), [(1, next(m for m in found if m.new == ";" and "sum <=" in m.old))]))
    check("an expression", "wire more =(es_mutant == 5 ? (a < b || !b[0]) : (a < b && !b[0]));" in pack.packed(
        MODULE, mutants.header_end(MODULE), [(5, next(m for m in found if m.new == "||"))]).replace("= (", "=("))


def test_every_file():
    """Every file is understood, and what a mutant says it changed is what it changes."""
    for name in killers.rtl(ROOT):
        with open(f"{ROOT}/{name}", encoding="utf-8") as file:
            text = file.read()
        for mutant in mutants.ranked(name, text, 1):
            changed = mutant.apply(text)
            rest = text[mutant.at + len(mutant.old):]
            if changed == text or not changed.startswith(text[:mutant.at]) or not changed.endswith(rest):
                check(f"{name}:{mutant.line}", False, mutant.after)
    check("every file", True)


def test_equal(folder):
    """Two changes of es_crc16: one that is none, and a fault."""
    name = "rtl/link/es_crc16.v"
    with open(f"{ROOT}/{name}", encoding="utf-8") as file:
        text = file.read()
    same = text.replace("crc[15:8] ^ data", "data ^ crc[15:8]")
    other = text.replace("crc[15:8] ^ data", "crc[15:8] | data")
    check("the same", same != text and equal.proved(ROOT, BUILD, f"{folder}/same", name, same))
    check("a fault", other != text and not equal.proved(ROOT, BUILD, f"{folder}/other", name, other))


UNSEEN = """module small(input wire clk, other, rst, go, d, output wire y, z, late);
  part a_part(.c(clk), .o(other), .rst(rst), .go(go), .d(d), .y(y), .z(z), .late(late));
endmodule
module part(input wire c, o, rst, go, d, output wire y, z, output reg late);
  reg first, second, kept, seen; // one of `first` and `second` at most
  reg [7:0] count;
  always @(posedge c) begin
    first <= go && !first && !second;
    second <= first;
    if (first) kept <= d;
    count <= go ? count + 1'b1 : 8'd0;
    late <= count == 8'd200;
    if (rst) {first, second, count, late} <= 0;
  end
  always @(posedge o) seen <= y;
  assign y = second && kept;
  assign z = seen;
endmodule
"""


def test_product(folder):
    """What only the states that can be reached, or registers that nobody sees, make the same; and what is not the same."""
    def same(*change):
        for side, text in ("gold", UNSEEN), ("gate", UNSEEN.replace(*change)):
            os.makedirs(f"{folder}/{side}", exist_ok=True)
            with open(f"{folder}/{side}/small.v", "w", encoding="utf-8") as file:
                file.write(text)
        return text != UNSEEN and equal.yosys(folder, equal.netlists(BUILD, folder, "small", "", True)) and \
            equal.never_differ(folder)
    check("reached", same("y = second && kept", "y = second && !first && kept"))
    check("not seen", same("if (first) kept", "if (first || !second) kept"))
    check("seen", not same("if (first) kept", "if (second) kept"))
    check("late", not same("8'd200", "8'd201"))
    check("another clock", not same("posedge o)", "posedge c)"))
    check("a reset less", not same(", late} <= 0", "} <= 0"))


def test_run(folder):
    """A run over three mutants, of which one gets past a test that is told to look away."""
    def run(*options):
        command = [f"{HERE}/mutate", "--one", "es_uart", "--count", "80", "--build", BUILD, "--quick",
                   "--only", "uart bench", *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr
    listed = [m for m in run("--list")[1].split("rtl/link/") if m]
    check("listed", len(listed) == 3, listed)
    status, said = run()
    counts = re.search(r"es_uart\.v +(\d+) +(\d+) +(\d+)", said)
    check("a run", counts and int(counts[1]) == int(counts[2]) + int(counts[3]) == 3, said)
    changes = [re.search(r"- .*\n  \+ .*\n", mutant)[0].replace("\n  +", "\n+") for mutant in listed]
    with open(f"{folder}/explained.txt", "w", encoding="utf-8") as file:
        file.write("rtl/link/es_uart.v\n" + "".join(f"{change}is said to be none.\n" for change in changes))
    status, said = run("--explained", f"{folder}/explained.txt")
    killed = said.count("in the list of explained ones, but killed: rtl/link/es_uart.v")
    check("explained, but killed", status == 1 and killed == int(counts[2]) > 0, said)
    with open(f"{folder}/explained.txt", "w", encoding="utf-8") as file:
        file.write(f"rtl/link/es_uart.v\n{changes[0]}is said to be none.\n")
    with open(f"{folder}/blind", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho '1 passed, 0 failed'\n")
    os.chmod(f"{folder}/blind", 0o755)
    status, said = run("--explained", f"{folder}/explained.txt", "--blind", f"{folder}/blind")
    survivors = re.search(r"3 mutants, 3 survive \(100\.0 %\), 2 of them to explain", said)
    check("survivors", status == 1 and survivors and said.count("unexplained: rtl/link/es_uart.v:") == 2, said)


def main():
    """All tests."""
    test_planting()
    test_order()
    test_packing()
    test_every_file()
    with tempfile.TemporaryDirectory() as folder:
        test_equal(folder)
        test_product(folder)
        test_run(folder)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
