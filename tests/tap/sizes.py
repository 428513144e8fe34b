#!/usr/bin/python3
"""sizes.py GENERATED-FOLDER: what each tap takes on an iCE40, as yosys counts it, against the table in docs/taps.md; --print writes its lines."""
import os
import re
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../support')]

import jobs

PAGE = 'docs/taps.md'
SLACK = 0.05  # another yosys counts a little differently
TAPS = [('es_tap_memvalid', ''), ('es_tap_sram', ''), ('es_tap_rvfi', ''), ('es_tap_rvfi', 'READ_MASKS=0'), ('es_tap_rvfi', 'BY_CODE=1'), ('es_tap_rvfi', 'COMPRESSED=1'), ('es_tap_rvfi', 'BY_CODE=1 COMPRESSED=1'), ('es_tap_serv', ''),
        ('es_tap_wishbone', ''), ('es_tap_wishbone', 'PIPELINED=1'), ('es_tap_obi', ''), ('es_tap_ahb', ''), ('es_tap_axi_lite', ''), ('es_tap_axi', ''),
        ('es_tap_axi', 'OUTSTANDING=2 BEATS=4 QUEUE=4'), ('es_tap_merge', ''), ('es_tap_words', ''), ('es_follow', ''), ('es_follow', 'IRQ=1')]


def counted(tap, parameters):
    # only what it is made of: with modules beside it, yosys counts up to a seventh more or less
    settings = ' '.join(f'-set {name} {value}' for name, value in (word.split('=') for word in parameters.split()))
    script = f'verilog_defaults -add -I{sys.argv[1]}; read_verilog rtl/tap/{tap}.v; {f"chparam {settings} {tap};" if settings else ""} ' \
             f'hierarchy -libdir rtl/tap -libdir rtl/core -top {tap}; synth_ice40 -top {tap}; stat'
    said = subprocess.run(['yosys', '-p', script], stdout=subprocess.PIPE, text=True, check=True, timeout=300).stdout
    cells = dict((name, int(number)) for name, number in re.findall(r'^ +(SB_\w+) +(\d+)$', said.rsplit('Number of cells', 1)[1], re.M))
    return cells.get('SB_LUT4', 0), sum(number for name, number in cells.items() if name.startswith('SB_DFF'))


def check(tap, parameters):
    luts, flops = counted(tap, parameters)
    with open(PAGE, encoding='utf-8') as page:
        rows = re.findall(rf'^\| `{tap}`(?: with `([^`]*)`)? \| (\d+) \| (\d+) \|$', page.read(), re.M)
    told = [(int(row[1]), int(row[2])) for row in rows if row[0] == parameters]
    if len(told) != 1:
        return f'{PAGE} has {len(told)} lines for it'
    for name, now, then in (('LUT4', luts, told[0][0]), ('flip-flops', flops, told[0][1])):
        if abs(now - then) > max(2, SLACK * then):
            return f'{now} {name}, and {PAGE} says {then}'
    return None


def checked(job):
    return check(*job)


def main():
    if '--print' in sys.argv:
        for tap, parameters in TAPS:
            print(f'| `{tap}`{f" with `{parameters}`" if parameters else ""} | {counted(tap, parameters)[0]} | {counted(tap, parameters)[1]} |')
        return 0
    failed = 0
    for (tap, parameters), wrong in zip(TAPS, jobs.spread(checked, TAPS)):
        failed += wrong is not None
        print(f'{"FAIL" if wrong else "ok  "} {tap} {parameters}{": " + wrong if wrong else ""}')
    print(f'{len(TAPS) - failed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
