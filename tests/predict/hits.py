"""A trace from hits is that of a recording of the same run: of all programs of examples/threads, and of one whose ways nobody can know
beforehand, at all levels of optimisation. And hits that are wrong end with a sentence."""
import ctypes
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/support")
import jobs

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
EARSHOT = f"{BUILD}/earshot"
BUILT = ["sor", "pipeline", "fine", "producer", "forkjoin", "convoy", "readwrite", "urgent", "work"]  # tests/threads, -O2
SOURCES = {"dice": "tests/predict/programs/dice.c"}
LEVELS = ["-O0", "-O1", "-O2", "-Os"]
CASES = [(name, None) for name in BUILT] + [("dice", level) for level in LEVELS] + [("sor", "-O0"), ("pipeline", "-O1"), ("readwrite", "-O1")]
WORK = {"sor": ["-DSIZE=10", "-DSWEEPS=2"], "pipeline": ["-DITEMS=5", "-DWORK=20"], "readwrite": ["-DROUNDS=2", "-DWORK=20"]}
MUTANTS = 24
NOTICED = "earshot: "
ZSTD = ctypes.CDLL("libzstd.so.1")
DEPENDS, UNSEEN = 4, 512  # host/predict/file_write.c, trace.h
FOLDER = tempfile.TemporaryDirectory()


def run(*command, code=0):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "CROSS": CROSS})
    if done.returncode != code:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout


def program(name, level):
    if not level:
        return f"{BUILD}/tests/threads/{name}.elf"
    elf = os.path.join(FOLDER.name, f"{name}{level}.elf")
    run("scripts/target-cc", "-march=rv32imc_zicsr_zifencei", level, "-Iexamples/threads", *WORK.get(name, []),
        SOURCES.get(name, f"examples/threads/{name}.c"), *(f"examples/threads/{part}" for part in ("kernel.c", "objects.c", "switch.S")), "-o", elf)
    return elf


def listen(name, level, seed):
    """Program, hits and recording of one run."""
    elf, base = program(name, level), os.path.join(FOLDER.name, f"{name}{level}-{seed}")
    with open(base + ".watch", "w", encoding="utf-8") as file:
        file.write(run(EARSHOT, "predict", elf, "--points"))
    with open(base + ".hits", "w", encoding="utf-8") as file:
        file.write(run(EARSHOT, "watch", elf, "-s", base + ".watch", "--json", "--probe", "sim:cores=1", "--seed", str(seed)))
    run(EARSHOT, "record", elf, "--inputs", base + ".rec", "--probe", "sim:cores=1", "--seed", str(seed))
    return elf, base


def contents(path):
    """What a trace file has: the numbers that begin it, without the note that hits do not tell all, and the rest; and whether that is there."""
    with open(path, "rb") as file:
        packed = file.read()
    plain = ctypes.create_string_buffer(int.from_bytes(packed[8:16], "little"))
    if ZSTD.ZSTD_decompress(plain, len(plain), packed[16:], len(packed) - 16) != len(plain):
        raise RuntimeError(f"{path}: cannot be unpacked")
    numbers, rest = [], plain.raw
    for _ in range(DEPENDS + 1):
        length = next(i for i, byte in enumerate(rest) if byte < 0x80) + 1
        numbers.append(sum((byte & 0x7F) << 7 * i for i, byte in enumerate(rest[:length])))
        rest = rest[length:]
    unseen = bool(numbers[DEPENDS] & UNSEEN)
    numbers[DEPENDS] &= ~UNSEEN
    return (numbers, rest), unseen


def check(case):
    """What went wrong, or None."""
    name, level = case
    try:
        elf, base = listen(name, level, 7)
        told = {}
        for kind in ("hits", "rec"):
            told[kind] = re.sub('"hits":("[^"]*"|null),"memory_seen":(true|false),', "", run(
                EARSHOT, "predict", elf, f"{base}.{kind}", "--save", f"{base}.{kind}.trace", "--json"))
            if ('"memory_seen":true' if kind == "rec" else '"memory_seen":false') not in run(
                    EARSHOT, "predict", elf, f"{base}.{kind}.trace", "--json"):
                return f"{case}: the trace that was kept from .{kind} does not say whether memory was seen"
        (one, one_unseen), (other, other_unseen) = (contents(f"{base}.{kind}.trace") for kind in ("hits", "rec"))
        if not one_unseen or other_unseen or one != other:
            return f"{case}: the trace from hits is another one than that of the recording"
        if "their times" in subprocess.run([EARSHOT, "predict", elf, base + ".hits", "--cores", "1"], capture_output=True, text=True,
                                           check=False).stderr:
            return f"{case}: the way takes another time than its hits"
        return None if told["hits"] == told["rec"] else f"{case}: predictions differ"
    except RuntimeError as error:
        return f"{case}: {error}"


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.readlines()


def refused(elf, lines, what):
    """Hits that are wrong: what was said, or that nothing was."""
    path = os.path.join(FOLDER.name, f"wrong{os.getpid()}.hits")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    done = subprocess.run([EARSHOT, "predict", elf, path, "--cores", "1"], capture_output=True, text=True, timeout=60, check=False)
    if what is None:
        return done.returncode in (0, 2)
    return (done.returncode == 2 and done.stderr.startswith("earshot: ") and what in done.stderr) or (
        what == NOTICED and "their times" in done.stderr)


def part_is_told(elf, lines):
    """Of a run that was cut short as much is predicted as there is of it; kept by --save, too."""
    path = os.path.join(FOLDER.name, "cut.hits")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    for command in ([path, "--cores", "1", "--save", path + ".trace"], [path + ".trace", "--cores", "1,4"]):
        done = subprocess.run([EARSHOT, "predict", elf, *command], capture_output=True, text=True, timeout=60, check=False)
        if (done.returncode or "does not come to its end" not in done.stdout) and "was cut short where others" not in done.stderr:
            return False
    return True


def wrong_ones():
    """(what, whether it was so)."""
    elf, base = listen("dice", "-O2", 3)
    lines = lines_of(base + ".hits")
    places = [i for i, line in enumerate(lines) if '"statement":"at_' in line]
    main = next(i for i in places if '"path":["main"]' in lines[i])
    yield "another program's hits", refused(program("sor", None), lines, "no hits of a run of this program")
    yield "no hits", refused(elf, ['{"event":"summary","hits":0,"lost":0}\n'], "there are no hits")
    yield "no JSON", refused(elf, lines[:20] + ["{what\n"], "line 21")
    yield "a loss", refused(elf, lines[:20] + ['{"event":"gap","cycle":5}\n'] + lines[20:], "lost")
    yield "objects left out", refused(elf, [line for line in lines if "object_" not in line], "is asked for is not told")
    yield "main left out", refused(elf, lines[main + 1:], "main is never entered")
    yield "twice the same run", refused(elf, lines + lines, "is before that of the hit before it")
    yield "another order", refused(elf, lines[:main] + lines[main:][::-1], "is before that of the hit before it")
    yield "a hit twice", refused(elf, lines[:places[-5]] + lines[places[-5]:places[-5] + 1] + lines[places[-5]:], "a second time")
    yield "no times", refused(elf, [re.sub('"cycle":[0-9]+,', "", line) for line in lines], 'no "cycle"')
    for what, told in (("joins_", "which thread is joined"), ("ready_", "which thread is made"), ("body_", "where a thread begins")):
        first = next(i for i, line in enumerate(lines) if i > main and what in line)
        yield f"the first of {what} left out", refused(elf, lines[:first] + lines[first + 1:], told + " is not told")
    said = run(EARSHOT, "predict", elf, base + ".hits", "--cores", "2,4")
    yield "what hits do not tell is said", "hits do not tell whether branches hang on" in said
    conditions, heard = listen("readwrite", None, 3)
    done = subprocess.run([EARSHOT, "predict", conditions, heard + ".rec", "--barge"], capture_output=True, text=True, timeout=60, check=False)
    yield "conditions and --barge", done.returncode == 2 and "without conditions" in done.stderr
    yield "a part of a run", all(part_is_told(elf, lines[:len(lines) * part // 8]) for part in range(2, 8))
    draw = random.Random(int(os.environ.get("EARSHOT_SEED", "1")))
    missed = 0
    later = [i for i in places if i > main]
    for _ in range(MUTANTS):
        i = draw.choice(later)
        mutant = lines[:i] + lines[i + 1:]
        missed += not refused(elf, mutant, NOTICED)
    yield f"{missed} of {MUTANTS} missing hits are not noticed", missed <= MUTANTS // 8  # two ways of the same length may be left
    for _ in range(MUTANTS):
        mutant = list(lines)
        for _ in range(draw.randint(1, 4)):
            i, k = draw.choice(later), draw.randrange(len(lines))
            mutant[i] = lines[k] if draw.random() < 0.5 else lines[i][:draw.randrange(len(lines[i]))] + "\n"
        yield "lines exchanged", refused(elf, mutant, None)


def main():
    """Runs all, and prints what failed."""
    wrong = [text for text in jobs.spread(check, CASES) if text]
    wrong += [text for text, good in wrong_ones() if not good]
    for text in wrong:
        print("FAIL", text)
    passed = len(CASES) + MUTANTS + 17 - len(wrong)
    print(f"{passed} passed, {len(wrong)} failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
