#!/usr/bin/python3
"""What the real `earshot` says of options, statements, programs and files that it cannot take."""
import json
import os
import re
import resource
import struct
import subprocess
import sys

from driven import (EARSHOT, LOST, OUTPUT, PROBE, THERMOSTAT, USAGE, VALUES, bytes_of, equal, fails, path_of, run,
                    run_tests, scratch, test, watch)


@test
def damaged_recordings_are_told():
    """What is missing from a recording is never taken for a good end."""
    path = path_of("whole")
    statement = ("-e", "hot: when temp > 80 && mode == ARMED")
    live = watch(THERMOSTAT, *statement, "--record", path)
    equal(live.returncode, 0)
    frames = bytes_of(path).split(b"\0")
    hello = [i for i, frame in enumerate(frames) if len(frame) > 2 and frame[0] > 1 and frame[1] == 1]  # COBS: then its kind
    equal(len(hello), 1)
    silent = path_of("silent", b"\0".join(frames[:hello[0]] + frames[hello[0] + 1:]))
    replayed = watch(THERMOSTAT, *statement, "--probe", "file:" + silent, "--json")
    equal(replayed.returncode, 0)
    equal(json.loads(replayed.stdout.splitlines()[-1])["event"], "summary")
    cut = path_of("cut", b"\0".join(frames[:hello[0] + 2]) + b"\0")
    for options, code in (((), 0), (("--fail-on-loss",), LOST)):
        replayed = watch(THERMOSTAT, *statement, "--probe", "file:" + cut, "--json", *options)
        equal(replayed.returncode, code)
        assert json.loads(replayed.stdout.splitlines()[-1])["incomplete"], replayed.stdout


@test
def wrong_options():
    see = "earshot: see `earshot watch --help`\n"
    fails(watch(VALUES, "--bad"), USAGE, "earshot watch: unrecognized option '--bad'\n" + see)
    fails(watch(VALUES, "-e"), USAGE, "earshot watch: option requires an argument -- 'e'\n" + see)
    fails(watch("-e", "go"), USAGE, "earshot: which program? earshot watch PROGRAM.elf -e 'temp > 80'\n")
    fails(watch(VALUES), USAGE, "earshot: what to watch for? give a statement with -e 'temp > 80' or a file of statements with -s\n")
    fails(watch(VALUES, "-e", "go", "go > 3"), USAGE, "earshot: one program at a time: unexpected argument 'go > 3' (a statement goes after -e)\n")
    fails(watch(VALUES, "-e", "go", "--for", "5"), USAGE, "earshot: --for takes a time with its unit, like 500us, 5ms or 2s, not '5'\n")
    for text in "0s", "99999999999s":
        fails(watch(VALUES, "-e", "go", "--for", text), USAGE, f"earshot: --for takes a time from 1ns to 1000000000s, not '{text}'\n")
    fails(watch(VALUES, "-e", "go", "--count", "0"), USAGE, f"earshot: --count takes a number from 1 to {2**63 - 1}, not '0'\n")
    fails(watch(VALUES, "-e", "go", "--ratio", "-1"), USAGE, "earshot: --ratio takes a number from 1 to 1000, not '-1'\n")
    fails(watch(VALUES, "-e", "go", "--seed", "4294967296"), USAGE, "earshot: --seed takes a number from 0 to 4294967295, not '4294967296'\n")
    fails(watch(VALUES, "-e", "go", "--clock", "x"), USAGE, "earshot: --clock takes a number from 1 to 10000000000, not 'x'\n")
    for name in ("usb2", "usb:", "uart", "uart:", "uart:@9600"):
        fails(watch(VALUES, "-e", "go", "--probe", name), USAGE,
              f"earshot: there is no probe '{name}': use sim[:OPTIONS], ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD] or file:RECORDING\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=9"), USAGE, "earshot: cores of --probe sim:... takes a number from 1 to 8, not '9'\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=2,core=2"), USAGE,
          "earshot: the simulated target has no core 2: with cores=2 its cores are 0 to 1\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=2"), USAGE,
          f"earshot: {VALUES}: has no instruction at 0x00000400, where all cores but core 0 begin: link it with a thread library "
          "(docs/threads.md), or run it with cores=1\n")
    for speed in ("", "0", "9599", "12000001", "fast", "3000000x", "-3000000"):
        fails(watch(VALUES, "-e", "go", "--probe", "uart:/dev/a@b@" + speed), USAGE,
              f"earshot: the speed after --probe uart:DEVICE@ takes a number from 9600 to 12000000, not '{speed}'\n")
    missing = watch(VALUES, "-e", "go", "--probe", "uart:/nowhere/a@9600") # then the serial devices of this machine
    equal((missing.returncode, missing.stderr.split(". ")[0]), (PROBE, "earshot: /nowhere/a: no such device"))
    fails(watch(VALUES, "-e", "go", "--probe", "uart:/dev/null"), PROBE, "earshot: /dev/null: is not a serial device\n")
    fails(watch(VALUES, "-e", "go", "--probe", "ftdi", "--ratio", "2"), USAGE, "earshot: --ratio is for --probe sim only\n")
    fails(watch(VALUES, "-e", "go", "--probe", "file:x", "--exit-code"), USAGE, "earshot: --exit-code is for --probe sim only\n")
    fails(watch(VALUES, "-e", "go", "--probe", "file:x", "--record", "y"), USAGE, "earshot: --record and --probe file: cannot be combined\n")


@test
def wrong_statements():
    fails(watch(VALUES, "-e", "gone > 3"), USAGE,
          "-e:1:1: error: there is no variable 'gone' in the program\n  gone > 3\n  ^~~~\nhint: did you mean 'go' or 'mode'?\n")
    fails(watch(VALUES, "-e", "go >"), USAGE, "-e:1:5: error: the statement ends where an expression was expected\n  go >\n      ^\n")
    path = path_of("bad.watch", b"a: when go { print }\n\tb: when go = 3 { print }\n")
    fails(watch(VALUES, "-s", path), USAGE, f"{path}:2:13: error: = would assign, and monitoring changes nothing\n"
          "  \tb: when go = 3 { print }\n  \t           ^\nhint: write == to compare\n")
    fails(watch(VALUES, "-s", "/nonexistent"), USAGE, "earshot: /nonexistent: cannot be opened: No such file or directory\n")
    fails(watch(VALUES, "-s", "/"), USAGE, "earshot: /: cannot be read: Is a directory\n")
    fails(watch(VALUES, "-s", path_of("nul.watch", b"go\0")), USAGE,
          f"earshot: {scratch}/nul.watch: is not a text: it holds a NUL byte\n")
    equal(watch(VALUES, "-s", path_of("empty.watch")).returncode, USAGE)


@test
def wrong_programs():
    good = bytes_of(VALUES)

    def refused(name, content, words):
        result = watch(path_of(name, content), "-e", "go")
        equal((result.returncode, result.stdout), (USAGE, ""))
        assert result.stderr.startswith("earshot: ") and words in result.stderr and result.stderr.count("\n") == 1, result.stderr

    refused("text.elf", b"int main(void) {}\n", "is not an ELF file")
    refused("empty.elf", b"", "ELF")
    refused("machine.elf", good[:18] + b"\x28\0" + good[20:], "RISC-V")
    refused("endian.elf", good[:5] + b"\x02" + good[6:], "another machine")
    refused("wide.elf", good[:4] + b"\x02" + good[5:], "32-bit")
    stripped = os.path.join(scratch, "stripped.elf")
    subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "strip", "-g", VALUES, "-o", stripped], check=True)
    refused("stripped2.elf", bytes_of(stripped), "-g")
    for size in 52, 60, 200, 1000, len(good) // 2, len(good) - 1:
        refused("cut.elf", good[:size], f"is truncated: it has {size} bytes, and its table of sections ends at byte ")
    fails(watch("/nonexistent", "-e", "go"), USAGE, "earshot: /nonexistent: cannot be read: No such file or directory\n")


@test
def programs_for_other_targets():
    source = os.path.join(scratch, "m.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("volatile int go = 3;\nint main(void) { go = go * go; return 0; }\n")
    program = os.path.join(scratch, "m.elf")
    isa = "rv32imc_zicsr_zifencei"
    remedy = f"compile and link it with scripts/target-cc -march={isa}, or with that, -mabi=ilp32 and examples/target/link.ld\n"

    def build(*options):
        subprocess.run(["scripts/target-cc", *options, source, "-o", program], check=True, stderr=subprocess.DEVNULL)

    for arch, lacking in ("rv32ia_zicsr", "a"), ("rv32imac_zicsr", "a"), ("rv32imafc_zicsr", "a, f"):
        build("-march=" + arch)
        result = watch(program, "-e", "go")
        equal((result.returncode, result.stdout), (USAGE, ""))
        assert re.fullmatch(rf"earshot: {program}: was compiled for rv32i2p1_\w+, and the simulated target is an {isa} processor, "
                            rf"without {lacking}; {re.escape(remedy)}", result.stderr), result.stderr
    for arch in "rv32i_zicsr", "rv32i", "rv32im_zicsr_zifencei", "rv32e_zicsr", "rv32em_zicsr":
        build("-march=" + arch)
        equal(watch(program, "-q", "-e", "go == 9").returncode, 0)
    build("-Wl,--section-start=.text=0x100") # the linker puts the ELF's header at 0, or nothing
    fails(watch(program, "-e", "go"), USAGE, f"earshot: {program}: has no instruction at 0x00000000, where the simulated target starts "
                                             f"(the program's own entry point is 0x00000100); {remedy}")


@test
def program_outside_the_target():
    content = bytearray(bytes_of(VALUES))
    offset, = struct.unpack_from("<I", content, 28) # e_phoff
    size, count = struct.unpack_from("<HH", content, 42) # e_phentsize, e_phnum
    moved = 0
    for header in range(offset, offset + count * size, size):
        kind, _, _, load_address, file_size = struct.unpack_from("<5I", content, header)
        if kind == 1 and file_size: # PT_LOAD
            struct.pack_into("<I", content, header + 12, load_address + 0x40000000) # p_paddr
            moved += 1
    assert moved
    result = watch(path_of("far.elf", content), "-q", "-e", "u32", "-n", "1")
    equal((result.returncode, result.stdout), (USAGE, ""))
    assert "does not fit the simulated target" in result.stderr and "at 0x40000000" in result.stderr, result.stderr


@test
def output_that_cannot_be_written():
    fails(watch(VALUES, "-e", "go", "--record", "/nonexistent/x"), OUTPUT,
          "earshot: /nonexistent/x: cannot be written: No such file or directory\n")
    result = watch(VALUES, "-q", "-e", "go", "--record", "/dev/full")
    equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: /dev/full: cannot be written: No space left on device"))
    for arguments in ["watch", VALUES, "-q", "-e", "go"], ["watch", VALUES, "--json", "-e", "go == 99"], ["help"], ["--version"]:
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([EARSHOT, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: No space left on device"))
    # a limit of the shell's (ulimit -f)
    small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))}
    for arguments in ["watch", VALUES, "-q", "-e", "go"], ["watch", VALUES, "--json", "-e", "go"], ["list", VALUES], ["help"]:
        with open(path_of("limited"), "w", encoding="ascii") as limited:
            result = subprocess.run([EARSHOT, *arguments], stdout=limited, stderr=subprocess.PIPE, text=True, check=False, **small)
        equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: File too large"))
    for arguments in ["watch", VALUES, "-q", "-e", "go", "--record"], ["watch", VALUES, "-q", "-e", "go", "--out"], ["record", VALUES, "--inputs"]:
        result = run(*arguments, os.path.join(scratch, "limited" + arguments[-1]), **small)
        assert result.returncode == OUTPUT and "File too large" in result.stderr, (arguments, result)
    # closed by the caller: no file that is opened later takes the results
    record = os.path.join(scratch, "closed.bin")
    result = subprocess.run([EARSHOT, "watch", VALUES, "-q", "-e", "go", "--record", record], preexec_fn=lambda: os.close(1),
                            stderr=subprocess.PIPE, text=True, check=False)
    equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: Bad file descriptor"))
    assert b"round_one" not in bytes_of(record)


if __name__ == "__main__":
    sys.exit(run_tests())
