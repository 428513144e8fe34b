#!/usr/bin/python3
"""earshot check as a user meets it: verdicts of the monitor, JSON, usage errors, and the manual page's examples."""
import contextlib
import os
import pty
import re
import subprocess
import sys

sys.path.insert(0, "tests/cli")
from asked import BUILD, EARSHOT, INTERRUPTS, PLAIN, RECURSION, SMALL, TASKS, THERMOSTAT, check, either, verdict  # noqa: E402
from harness import run_all  # noqa: E402


def terminal_shows_how_far_it_is():
    """A line that is gone at the end; in a pipe nothing. With a slow core no statement fits, so each is checked alone."""
    command = [EARSHOT, "check", THERMOSTAT, "--ratio", "1/4", "-e", "hot: when temp > 80", "-e", "cold: when temp < 8"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        process.stdout.read()
    shown = b""
    with contextlib.suppress(OSError):  # the end: nobody has the other side
        while part := os.read(ours, 10000):  # a terminal hands on what was written part by part, some of it later
            shown += part
    os.close(ours)
    assert shown.startswith(b"\rchecking 2 statements") and b"each alone: 1 done" in shown and shown.endswith(b"\r\x1b[K"), shown
    assert either(*command[2:]).stderr == ""


def warnings_of_statements_are_told():
    done = either(THERMOSTAT, "-e", "temp > 99999999999")
    assert (done.returncode, done.stderr) == (0, "earshot: warning: temp > 99999999999 is never true: temp is at most 2147483647\n"), done


def faster_core_fits():
    statement = ("-e", "hot: when temp > 80")
    slow, fast = verdict(THERMOSTAT, *statement, "--ratio", "1/4"), verdict(THERMOSTAT, *statement, "--ratio", "30")
    assert not slow["guaranteed"] and fast["guaranteed"], (slow, fast)
    assert slow["why"] and re.search(r":\d+|0x", slow["place"]) and "soft core clocks per bus clock" in slow["advice"], slow
    assert fast["why"] is None and fast["fifo_needed"] <= fast["fifo"], fast


def smaller_fifo_does_not_fit():
    arguments = (THERMOSTAT, "-e", "hot: when temp > 80", "--ratio", "30")
    need = verdict(*arguments)["fifo_needed"]
    assert verdict(*arguments, "--fifo", str(need))["guaranteed"]
    refused = verdict(*arguments, "--fifo", str(need - 1))
    assert not refused["guaranteed"] and "FIFO" in refused["why"], refused


def mail_waits_for_a_pause():
    told = [verdict(RECURSION, "-s", "examples/recursion/recursion.watch", "--ratio", ratio) for ratio in ("16", "64")]
    slow, fast = told
    assert 0 < slow["idle_clocks"] == fast["idle_clocks"] < fast["backlog_clocks"], told
    assert fast["backlog_clocks"] <= fast["mail_clocks"] < slow["mail_clocks"], told
    shown = check(RECURSION, "-s", "examples/recursion/recursion.watch", "--ratio", "64").stdout
    assert f"mail      of the host is taken within {fast['mail_clocks']} soft core clocks" in shown, shown


def waiting_target_leaves_more_time():
    def backlog(wait):
        return verdict(RECURSION, "-s", "examples/recursion/recursion.watch", "--ratio", "16", "--wait", wait)["backlog_clocks"]
    assert backlog("4") < backlog("0")


def faster_targets_leave_less_time():
    """The fewer clocks instructions take, the less time is left for what they bring; boards' verdicts say what they rest on."""
    statement = ("-e", "deep: when enter(fact) { count deep }")
    own, one, eight = (verdict(RECURSION, *statement, "--ratio", "16", *more) for more in ((), ("--instruction", "1"), ("--instruction", "8")))
    backlogs = [told["backlog_clocks"] for told in (eight, own, one)]
    assert backlogs[0] < backlogs[1] < backlogs[2], backlogs
    assert "at least 8 bus clocks for each instruction" in eight["condition"] and "bus clock" not in (own["condition"] or ""), (own, eight)
    board = check(PLAIN, "-e", "when enter(fact) { count deep }", "--board", "ulx3s", "--ratio", "100")
    assert "no fewer bus clocks for an instruction than the reference target (--instruction 1 drops this)" in board.stdout, board


def bytes_on_a_narrow_bus_count():
    """Code in a line keeps a bus of 8 bits busy: while the soft core works, at least an access comes in each clock of it. And what is stored in
    a word is four hits."""
    told = verdict(SMALL, "--board", "icebreaker", "--ratio", "40", "-e", "mode == 1 { count c }")
    write = max(event["clocks"] for event in told["events"] if event["kind"] == "write")
    assert told["guaranteed"] and told["fifo_needed"] >= told["backlog_clocks"] / 40, told
    assert told["backlog_clocks"] >= 4 * write, told


def more_statements_cost_more():
    def worst(*statements):
        events = verdict(THERMOSTAT, *statements, "--ratio", "30")["events"]
        return max(event["clocks"] for event in events if event["kind"] == "write")
    assert worst("-e", "a: when temp > 80 { count n }") < worst("-e", "a: when temp > 80 { count n }", "-e", "b: when temp > 70 { count m }")


def rare_interrupts_fit():
    arguments = (INTERRUPTS, "-s", "examples/interrupts/interrupts.watch", "--ratio", "12")
    assert "interrupts" in verdict(*arguments)["why"]
    rare = verdict(*arguments, "--interrupts", "900")
    assert rare["guaranteed"] and "900 bus clocks apart" in rare["condition"], rare


def pointers_may_be_distrusted():
    arguments = (RECURSION, "-s", "examples/recursion/recursion.watch", "--ratio", "30")
    trusting, wary = verdict(*arguments), verdict(*arguments, "--any-store")
    assert "--any-store" in trusting["condition"] and "--any-store" not in wary["condition"], (trusting, wary)
    assert trusting["backlog_clocks"] <= wary["backlog_clocks"]


def shallow_calls_send_less():
    arguments = (RECURSION, "-s", "examples/recursion/recursion.watch", "--ratio", "30")
    deep, shallow = verdict(*arguments), verdict(*arguments, "--nest", "12")
    assert "at most 64 deep" in deep["condition"] and "at most 12 deep" in shallow["condition"], (deep, shallow)
    assert shallow["backlog_clocks"] < deep["backlog_clocks"]


def reads_are_judged():
    events = verdict(THERMOSTAT, "-e", "r: when read(temp) && temp > 80", "--ratio", "64")["events"]
    reads = [event for event in events if event["kind"] == "read"]
    assert len(reads) == 1 and reads[0]["what"] == "read temp" and reads[0]["statements"] == "r", reads
    assert reads[0]["clocks"] > 100 and reads[0]["place"].startswith("examples/thermostat/"), reads


def build(name, source, *options):
    folder = os.path.join(BUILD, "tests/check/programs")
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, name)
    with open(base + ".c", "w", encoding="utf-8") as out:
        out.write(source)
    subprocess.run(["scripts/target-cc", *options, base + ".c", "-o", base + ".elf"], check=True)
    return base + ".elf"


def reads_of_what_moves_are_judged():
    """Through a pointer, of a local, and of an element: a read costs at least what one of a fixed word does, and only loads bring it."""
    source = """#include "target.h"
                struct item { int value, other; } items[4];
                struct item *volatile p = items;
                int out, i;
                __attribute__((noinline)) int sum(int n) { int k = n; for (int j = 0; j < n; j++) k += p->value; return k; }
                int main(void) { for (i = 0; i < 3; i++) { p = &items[i]; p->value = i; out += sum(i); } return 0; }"""
    program = build("moving", source, "-O0")
    for what in "p->value", "sum\\k", "p[i].value":
        told = verdict(program, "-e", f"r: when read({what}) {{ print out }}", "--ratio", "160")
        reads = [event for event in told["events"] if event["what"] == "read a word whose address moves"]
        assert told["guaranteed"] and len(reads) == 1 and reads[0]["kind"] == "read", told
        assert reads[0]["clocks"] > 200 and reads[0]["place"], reads
    trusting, wary = (verdict(program, "-e", "r: when read(p->value) { print out }", "--ratio", "160", *more)["backlog_clocks"]
                      for more in ((), ("--any-store",)))
    assert wary is None or wary == -1 or trusting <= wary, (trusting, wary)


def locals_held_at_times_are_judged():
    """The loop over the shadow stack that finds where the procedure is takes the longer the deeper calls nest."""
    source = """#include "target.h"
                volatile int in = 3, g;
                __attribute__((noinline)) int down(int n) { in++; return n > 0 ? down(n - 1) + in : g; }
                __attribute__((noinline)) int many(int a, int b)
                {
                    int v[14];
                    for (int j = 0; j < 14; j++) v[j] = 0;
                    int c = in, d = in, e = in, f = in, h = in, i = in, k = in, l = in, m = in, n = in, o = in, q = in, r = in, s = in;
                    g = a + down(b);
                    return v[0] + c + d + e + f + h + i + k + l + m + n + o + q + r + s + a + b + g;
                }
                int main(void) { return many(1, 2) & 0; }"""
    program = build("held", source, "-O1")
    told = None
    for name in "cdefhiklmnoqrs":
        statement = ("-e", f"h: when write(in) && many\\{name} != 2 {{ print many\\{name} }}", "--ratio", "160")
        told = check(program, *statement, "--json")
        if told.returncode < 2 and "is in memory" not in told.stderr:
            break
    assert told and told.returncode < 2, told
    def worst(nest):
        events = verdict(program, *statement, "--nest", nest)["events"]
        return max(event["clocks"] for event in events if event["what"] == "write in")
    assert worst("6") < worst("20"), statement


def library_code_is_judged():
    """picolibc's procedures share their prologues and epilogues (-msave-restore)."""
    source = """#include <stdio.h>
                #include <stdlib.h>
                int g;
                int main(void) { for (g = 0; g < 10; g++) { int *p = malloc(8); *p = g; printf("%d\\n", *p); free(p); } return 0; }"""
    for level in "-O0", "-O2":
        program = build("library" + level, source, level)
        told = verdict(program, "-e", "g > 3", "--ratio", "60")
        assert told["guaranteed"], told


def changed_registers_are_followed():
    """A procedure by hand that changes what it has to keep: the store after its call goes elsewhere than its caller's code says."""
    source = """int watched, other;
                volatile int more;
                void keeps(int *p), changes(int *p);
                __asm__(".globl changes, keeps\\n.type changes, @function\\n.type keeps, @function\\n"
                        "changes: mv s0, a0\\n mv s1, a0\\n mv s2, a0\\n mv s3, a0\\n ret\\n.size changes, . - changes\\n"
                        "keeps: addi sp, sp, -16\\n sw s0, 0(sp)\\n sw s1, 4(sp)\\n mv s0, a0\\n mv s1, s0\\n lw s0, 0(sp)\\n"
                        " lw s1, 4(sp)\\n addi sp, sp, 16\\n ret\\n.size keeps, . - keeps\\n");
                int main(void)
                {
                    int *q = &other;
                    __asm__ volatile("" : "+r"(q));
                    CALL(&watched);
                    while (more)
                        *q = more;
                    return 0;
                }"""
    for call, fits in (("keeps", True), ("changes", False)):
        told = verdict(build(call, source, "-O2", f"-DCALL={call}"), "-e", "write(watched)", "--ratio", "1")
        assert told["guaranteed"] == fits, told
    assert "changes.c:13" in told["place"], told # the loop


def shared_prologues_are_followed():
    """After __riscv_save_*, the stack pointer is where that has moved it: stores to the frame go nowhere else."""
    source = """int watched;
                volatile int more;
                __attribute__((noinline)) int work(int a, int b, int c, int d)
                {
                    volatile int many[4] = {a, b, c, d};
                    __asm__ volatile("" ::: "s0", "s1", "s2", "s3", "s4");
                    for (int i = 0; more; i++)
                        many[i & 3] = b;
                    return many[0];
                }
                int main(void) { watched = work(1, 2, 3, 4); return 0; }"""
    program = build("prologues", source, "-O2", "-msave-restore")
    told = verdict(program, "-e", "watched > 3", "--ratio", "1")
    assert told["guaranteed"], told


def start_up_code_ends_with_main():
    """memset is what start-up code may clear memory with; called by main, it is a call as any other."""
    source = """#include <string.h>
                volatile int x, length = 9;
                char many[40];
                int main(void) { for (int i = 0; i < 5; i++) { memset(many, i, length); x = i; } return 0; }"""
    events = verdict(build("ended", source, "-O2"), "-e", "x > 3", "--ratio", "30")["events"]
    calls = {event["what"]: event["clocks"] for event in events if event["kind"] == "call"}
    assert calls["call memset"] < 10 < calls["call main"], calls


def what_walks_through_memory_writes_a_word_once():
    """However long it goes on; not what may stay where it is."""
    source = """struct { int x; char rest[60]; } s;
                volatile unsigned length = 60, step = 1, idle;
                #define TEN(do) do; do; do; do; do; do; do; do; do; do
                int main(void)
                {
                    for (;;) {
                        TEN(idle); TEN(idle); TEN(idle); TEN(idle); TEN(idle); TEN(idle); TEN(idle); TEN(idle);
                        char *p = (char *)&s, *end = p + length;
                        unsigned by = step;
                        do { *p = 7; p += STEP; } while (p != end);
                    }
                }"""
    for step, fits in (("1", True), ("-1", True), ("by", False)):
        told = verdict(build("walks", source, "-O1", f"-DSTEP={step}"), "-e", "s.x > 3 { print s.x }", "--ratio", "8")
        assert told["guaranteed"] == fits, (step, told)
    assert "walks.c:10" in told["place"], told # the loop


def calls_that_cannot_matter_cost_nothing():
    """With pointers those of procedures that store nothing, with read() of those that load nothing either."""
    source = """int x, *p = &x;
                __attribute__((noinline)) int computes(int a) { return (a ^ 7) + 3; }
                __attribute__((noinline)) int loads(int a) { return a + *(volatile int *)&p; }
                __attribute__((noinline)) void stores(int a) { x = a; }
                int main(void) { for (int i = 0; i < 9; i++) stores(loads(computes(i))); return 0; }"""
    program = build("quiet", source, "-O2", "-fno-ipa-icf")
    for statement, seen in (("*p > 3", {"stores"}), ("read(x)", {"stores", "loads"}), ("x > 3", {"stores"})):
        calls = {event["what"].split()[1] for event in verdict(program, "-e", statement, "--ratio", "60")["events"] if event["kind"] == "call"}
        assert calls & {"computes", "loads", "stores"} == seen, (statement, calls)


def many_words_that_move_are_judged():
    """As many as an image allows: 32 pointers, and 64 frames of recursive procedures."""
    count = 32
    source = "struct s { int x, y; struct s *next; } object[%d];\n" % count + "".join(f"struct s *p{i};\n" for i in range(count))
    source += "int main(void) {\n" + "".join(f"p{i} = &object[{i}]; p{i}->x = {i};\n" for i in range(count)) + "return 0; }\n"
    statements = [part for i in range(count) for part in ("-e", f"p{i}->x > 5 {{ count c{i} }}")]
    told = verdict(build("pointers", source, "-O0"), *statements, "--ratio", "30")
    moving = [event for event in told["events"] if "address moves" in event["what"]]
    assert moving and told["guaranteed"] == (told["place"] is None), told
    count = 64
    source = "".join(f"int f{i}(int k) {{ int v = k; if (k) v += f{i}(k - 1); return v; }}\n" for i in range(count))
    source += "int main(void) { return " + " + ".join(f"f{i}(2)" for i in range(count)) + "; }\n"
    statements = [part for i in range(count) for part in ("-e", f"f{i}\\v > 5 {{ count c{i} }}")]
    told = verdict(build("frames", source, "-O0"), *statements, "--ratio", "30")
    assert told["events"] and told["guaranteed"] == (told["place"] is None), told


def longjmp_is_refused():
    program = build("longjmp", """#include <setjmp.h>
                                  int g;
                                  static jmp_buf back;
                                  static void deep(void) { g++; longjmp(back, 1); }
                                  int main(void) { if (!setjmp(back)) deep(); return 0; }""")
    told = verdict(program, "-e", "g > 3", "--ratio", "60")
    assert not told["guaranteed"] and "longjmp" in told["why"] and told["place"], told
    text = check(program, "-e", "g > 3", "--ratio", "60").stdout
    assert "No event was judged" in text and "worst case of" not in text, text


def tasks_are_judged():
    of = (TASKS, "-s", "examples/tasks/tasks.watch")
    told = verdict(*of, "--ratio", "160", "--tasks", "3")
    assert told["guaranteed"] and "no more than 3 tasks ever run" in told["condition"], told
    switches = {event["what"]: event["clocks"] for event in told["events"] if event["kind"] == "switch"}
    for what in "end of interrupt timer_isr", "one begins with producer", "one begins with consumer":
        assert switches["switch of tasks, " + what] > 500, switches
    more = verdict(*of, "--ratio", "160")
    assert more["guaranteed"] and more["backlog_clocks"] > told["backlog_clocks"], (told, more)
    slow = verdict(*of, "--ratio", "2")
    assert not slow["guaranteed"] and "a round of a loop" in slow["why"] and slow["place"] and "it fits with" in slow["advice"], slow
    many = verdict(*of, "--ratio", "160", "--tasks", "10")
    assert not many["guaranteed"] and "9 tasks" in many["why"] and many["place"], many


def what_is_no_task_is_told():
    told = verdict(THERMOSTAT, "--task", "temp", "-e", "temp > 80", "--ratio", "160")
    assert not told["guaranteed"] and "switches to another task" in told["why"] and told["place"] == "temp", told
    program = build("longjmp_task", """#include <setjmp.h>
                                       int g, task;
                                       static jmp_buf back;
                                       static void deep(void) { g++; longjmp(back, 1); }
                                       int main(void) { task = 1; if (!setjmp(back)) deep(); return 0; }""")
    told = verdict(program, "--task", "task", "-e", "g > 3", "--ratio", "60")
    assert not told["guaranteed"] and "longjmp" in told["why"] and told["place"], told


def deadlines_are_judged():
    events = verdict(THERMOSTAT, "-e", "q: when temp unchanged for 5 ms", "--ratio", "64")["events"]
    marks = [event for event in events if event["kind"] == "mark"]
    assert len(marks) == 1 and marks[0]["statements"] == "q" and marks[0]["clocks"] > 100, marks


def events_are_listed():
    events = verdict(THERMOSTAT, "-e", "hot: when temp > 80", "--ratio", "30")["events"]
    kinds = {event["kind"] for event in events}
    assert kinds == {"write", "call", "return", "mark"}, kinds
    writes = [event for event in events if event["kind"] == "write"]
    assert writes[0]["what"] == "write temp" and writes[0]["statements"] == "hot", writes
    text = check(THERMOSTAT, "-e", "hot: when temp > 80", "--ratio", "30", "-v").stdout
    assert re.search(r"^  write temp +\d+ +\d+  hot$", text, re.M), text


def boards_have_what_they_have():
    """What a board's bitstream lacks is refused as the board's probe refuses it."""
    halves = build("halves", '#include "target.h"\nvolatile int n;\nint main(void) { n = 81; return 0; }\n', "-O1",
                   "-Wl,--defsym=__target_size=0x8000")
    for board in "icebreaker", "ulx3s":
        for program, statement, message in ((halves, "enter(main)", "built for instructions of four bytes"),
                                            (SMALL, "temp > 80 { trigger 1 }", "`trigger` needs pins")):
            result = check(program, "--board", board, "-e", statement)
            assert result.returncode == 2 and message in result.stderr, (board, statement, result)
    assert check(halves, "-e", "enter(main)").returncode == 0


def the_same_every_time():
    arguments = (THERMOSTAT, "-s", "examples/thermostat/thermostat.watch", "--json")
    assert check(*arguments).stdout == check(*arguments).stdout


def wrong_use():
    for arguments, message in (((), "which program?"), ((THERMOSTAT,), "which statements?"),
                               ((THERMOSTAT, "-e", "temp >"), "error:"), (("/nowhere.elf", "-e", "x"), "/nowhere.elf"),
                               ((THERMOSTAT, "-e", "temp", "--ratio", "0"), "--ratio takes"),
                               ((THERMOSTAT, "-e", "temp", "--ratio", "3/x"), "--ratio takes"),
                               ((THERMOSTAT, "-e", "temp", "--wait", "-1"), "--wait takes"),
                               ((THERMOSTAT, "-e", "temp", "--board", "nope"), "there is no board 'nope'"),
                               ((THERMOSTAT, "-e", "temp", "--nope"), "see `earshot check --help`"),
                               ((THERMOSTAT, THERMOSTAT, "-e", "temp"), "one program at a time")):
        result = check(*arguments)
        assert result.returncode == 2 and message in result.stderr and not result.stdout, (arguments, result)
    assert check("--help").stdout.startswith("usage: earshot check")


def manual_examples():
    with open("docs/man/earshot-check.1", encoding="utf-8") as page:
        lines = [line.strip() for line in page if line.startswith("earshot check build")]
    assert len(lines) == 4, lines
    for line in lines:
        command = line.replace("earshot check", f"{EARSHOT} check", 1).replace("build/examples", f"{BUILD}/examples")
        result = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True, check=False)
        assert result.returncode == 0 and "\nguaranteed: " in result.stdout, (line, result)


if __name__ == "__main__":
    sys.exit(run_all([terminal_shows_how_far_it_is, warnings_of_statements_are_told, faster_core_fits, smaller_fifo_does_not_fit, mail_waits_for_a_pause, waiting_target_leaves_more_time,
                      faster_targets_leave_less_time,
                      bytes_on_a_narrow_bus_count, more_statements_cost_more,
                      rare_interrupts_fit, pointers_may_be_distrusted, shallow_calls_send_less,
                      reads_are_judged, reads_of_what_moves_are_judged, locals_held_at_times_are_judged, library_code_is_judged, changed_registers_are_followed, shared_prologues_are_followed,
                      start_up_code_ends_with_main, what_walks_through_memory_writes_a_word_once,
                      calls_that_cannot_matter_cost_nothing, many_words_that_move_are_judged, longjmp_is_refused,
                      tasks_are_judged, what_is_no_task_is_told, deadlines_are_judged, events_are_listed, boards_have_what_they_have,
                      the_same_every_time,
                      wrong_use, manual_examples]))
