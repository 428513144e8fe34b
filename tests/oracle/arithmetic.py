"""Values of statements as C defines them: types, conversions, literals, operators. What is not known raises Unknown."""
import fractions
import math
import re
import struct

ESCAPES = {'n': 10, 't': 9, 'r': 13, '0': 0, '\\': 92, "'": 39, '"': 34, 'a': 7, 'b': 8, 'f': 12, 'v': 11}
MASK = 0xFFFFFFFF
BUS_HZ = 10000000   # of the simulated target
UNITS = {'ns': 1, 'us': 1000, 'ms': 1000000, 's': 1000000000}   # in ns
# Types of values: True for int, False for unsigned, and these
LONG, ULONG, FLOAT, DOUBLE = 'long long', 'unsigned long long', 'float', 'double'
TIME = 'time'   # instead of a sign: a length of time in clocks
CONSTANTS = {'true': 1, 'false': 0, 'NULL': 0}


class Unknown(Exception):
    """A value that the evaluation needs is not known."""


def wrap(value, signed):
    if signed in (LONG, ULONG):
        value &= (1 << 64) - 1
        return value - (1 << 64) if signed == LONG and value >> 63 else value
    if signed in (FLOAT, DOUBLE):
        try:
            return struct.unpack('<f', struct.pack('<f', value))[0] if signed == FLOAT else float(value)
        except OverflowError:
            return float('inf') if value > 0 else -float('inf')
    value &= MASK
    return value - (1 << 32) if signed and value >> 31 else value


def clocks(token):
    """A length of time in clocks of the target's bus, rounded up."""
    count, unit = re.fullmatch(r'([0-9.]+)\s*([a-z]+)', token).groups()
    if unit == 'cycles':
        return int(count)
    return -(-fractions.Fraction(count) * UNITS[unit] * BUS_HZ // 1000000000)


def common(left, right):
    """The type that C's usual arithmetic conversions lead to."""
    for wide in (DOUBLE, FLOAT, ULONG, LONG):
        if wide in (left, right):
            return wide
    return left and right


def number(token):
    if '.' in token:
        value = float(token.rstrip('f'))
        type_ = FLOAT if token[-1] == 'f' else DOUBLE
        return (lambda e: wrap(value, type_)), type_
    digits = token.rstrip('uUlL')
    hexadecimal = digits[:2] in ('0x', '0X')
    value = int(digits, 16 if hexadecimal else 8 if len(digits) > 1 and digits[0] == '0' else 10)
    if value > MASK or (value > 0x7FFFFFFF and not hexadecimal and 'u' not in token.lower()):
        return (lambda e: value), LONG if value < 1 << 63 else ULONG
    unsigned = 'u' in token[len(digits):].lower() or value > 0x7FFFFFFF
    value = wrap(value, not unsigned)
    return (lambda e: value), not unsigned


def character(body):
    if body[0] != '\\':
        return ord(body)
    if body[1] == 'x':
        return wrap(int(body[2:], 16) << 24, True) >> 24
    return ESCAPES[body[1]] if body[1] in ESCAPES and len(body) == 2 else int(body[1:], 8)


def divide(x, y):
    """Quotient and remainder, of integers towards 0."""
    if isinstance(x, float):
        if y:
            return x / y, None
        infinite = math.copysign(math.inf, x) * math.copysign(1, y)
        return (math.nan if x == 0 or math.isnan(x) or math.isnan(y) else infinite), None
    if y == 0:
        raise Unknown
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient, x - quotient * y


def binary(op, left, right):
    (a, a_signed), (b, b_signed) = left, right
    if op == '&&':
        return (lambda e: int(bool(a(e)) and bool(b(e)))), True
    if op == '||':
        return (lambda e: int(bool(a(e)) or bool(b(e)))), True
    if op == '<<':
        width = 63 if a_signed in (LONG, ULONG) else 31
        return (lambda e: wrap(a(e) << (b(e) & width), a_signed)), a_signed
    if op == '>>':
        width = 63 if a_signed in (LONG, ULONG) else 31
        return (lambda e: a(e) >> (b(e) & width)), a_signed
    if TIME in (a_signed, b_signed):
        apply = {'+': lambda x, y: x + y, '-': lambda x, y: x - y, '==': lambda x, y: int(x == y), '!=': lambda x, y: int(x != y),
                 '<': lambda x, y: int(x < y), '<=': lambda x, y: int(x <= y), '>': lambda x, y: int(x > y),
                 '>=': lambda x, y: int(x >= y)}[op]
        return (lambda e: apply(a(e), b(e))), TIME if op in '+-' else True
    signed = common(a_signed, b_signed)
    apply = {
        '*': lambda x, y: wrap(x * y, signed), '/': lambda x, y: wrap(divide(x, y)[0], signed),
        '%': lambda x, y: wrap(divide(x, y)[1], signed),
        '+': lambda x, y: wrap(x + y, signed), '-': lambda x, y: wrap(x - y, signed),
        '&': lambda x, y: wrap(x & y, signed), '|': lambda x, y: wrap(x | y, signed), '^': lambda x, y: wrap(x ^ y, signed),
        '==': lambda x, y: int(x == y), '!=': lambda x, y: int(x != y),
        '<': lambda x, y: int(x < y), '<=': lambda x, y: int(x <= y), '>': lambda x, y: int(x > y), '>=': lambda x, y: int(x >= y),
    }[op]
    result_signed = signed if op in '+-*/%&|^' else True
    return (lambda e: apply(wrap(a(e), signed), wrap(b(e), signed))), result_signed
