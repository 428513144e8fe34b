#!/usr/bin/python3
"""Runs the examples of earshot-statements(5) and docs/statements.md on their example programs.

An example of the manual page stands between .EX and .EE and has the program's name in a comment before it (.\\" test: NAME); one of
docs/statements.md is a block that begins with ```watch NAME. The whole example has to be accepted. What an image cannot hold yet may be
refused as such, and with no other words; then its statements run one by one, so that the others do.
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ.get('EARSHOT_BUILD', 'build')
MANUAL, REFERENCE = 'docs/man/earshot-statements.5', 'docs/statements.md'


def plain(roff):
    """The text that a line of roff shows."""
    for escape, shown in (('\\e', '\\'), ('\\-', '-'), ('\\(aq', "'"), ('\\(dq', '"'), ('\\&', '')):
        roff = roff.replace(escape, shown)
    return roff


def manual_examples():
    program, block, examples, untested = None, None, [], 0
    for number, line in enumerate(open(MANUAL, encoding='utf-8').read().split('\n'), 1):
        comment = re.match(r'\.\\" test: (\w+)$', line)
        if comment:
            program = comment[1]
        elif line == '.EX':
            block = (number, [])
        elif line == '.EE':
            untested += program is None
            examples.append((f'{MANUAL}:{block[0]}', program, '\n'.join(block[1])))
            program, block = None, None
        elif block:
            block[1].append(plain(line))
    return examples, untested


def reference_examples():
    text = open(REFERENCE, encoding='utf-8').read()
    return [(f'{REFERENCE}:{text[:m.start()].count(chr(10)) + 1}', m[1], m[2])
            for m in re.finditer(r'^```watch (\w+)\n(.*?)^```$', text, re.M | re.S)]


def statements(text):
    """The statements of an example, one by one: those that begin a line."""
    parts = []
    for line in text.split('\n'):
        if line.startswith('#') or not line.strip():
            continue
        if line[0] == ' ' and parts:
            parts[-1] += '\n' + line
        else:
            parts.append(line)
    return parts


def watch(program, text):
    with tempfile.NamedTemporaryFile('w', suffix='.watch', encoding='utf-8') as file:
        file.write(text + '\n')
        file.flush()
        return subprocess.run([f'{BUILD}/earshot', 'watch', f'{BUILD}/examples/{program}-O0.elf', '-s', file.name, '--for', '1ms'],
                              capture_output=True, text=True, timeout=120, check=False)


def accepted(result):
    """Did it run, or was it refused for nothing but what the image lacks?"""
    if result.returncode in (0, 1):
        return 'ran'
    if result.returncode == 2 and re.search(r': error: .* not available in this version\n', result.stderr):
        return 'lacks'
    return None


def main():
    passed = failed = ran = 0
    examples, untested = manual_examples()
    for place, program, text in examples + reference_examples():
        whole = accepted(watch(program, text))
        tries = [(place, text, whole)]
        if whole == 'lacks':
            for part in statements(text):
                # a statement that names another is tried with it only
                if not re.search(r'\b(enable|disable) ', part):
                    tries.append((f'{place}: {part}', part, accepted(watch(program, part))))
        for name, tried, how in tries:
            ran += how == 'ran'
            passed += how is not None
            failed += how is None
            if how is None:
                print(f'{name}\n{tried}\n{watch(program, tried).stderr}')
    if untested or not examples or not ran:
        print(f'{untested} examples of {MANUAL} name no program; {ran} statements ran')
        failed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
