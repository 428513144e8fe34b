"""The text of statements as tokens, and what every part of their parser does with these."""
import re

TOKEN = re.compile(r"\s+|#[^\n]*|(?P<time>[0-9]+(?:\.[0-9]+)?\s*(?:ns|us|ms|s|cycles)\b)|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+\.[0-9]+f?|[0-9]+[uUlL]*)"
                   r"|(?P<char>'(?:\\.[^']*|[^'\\])')|(?P<name>[A-Za-z_]\w*)"
                   r"|(?P<op>\|\||&&|->|==|!=|<=|>=|<<|>>|[-+~!&|^<>()\[\]{}.,;:\\=*/%?])")


class StatementError(Exception):
    pass


class NoCode(StatementError):
    """A line without code."""


class Tokens:
    """Where the parser stands in a text; and what of a statement is being read."""

    def __init__(self, program, text):
        self.program = program
        self.tokens, self.lines = [], []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise StatementError(f'cannot read {text[at:at + 20]!r}')
            at = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group()))
                self.lines.append(text.count('\n', 0, match.start()))
        self.tokens.append(('end', ''))
        self.lines.append(-1)
        self.at = 0
        self.statement = None
        self.in_predicate = True # whether the references that are read now are events
        self.in_index = 0        # how many indices are being read
        self.condition = None    # the events.When that is being read

    def line(self):
        return self.lines[self.at]

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self, expected=None):
        kind, value = self.tokens[self.at]
        if expected is not None and value != expected:
            raise StatementError(f'expected {expected!r}, found {value!r}')
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return value

    def accept(self, value):
        if self.peek() == value and self.tokens[self.at][0] != 'char':
            self.at += 1
            return True
        return False

    def name(self):
        if self.tokens[self.at][0] != 'name':
            raise StatementError(f'expected a name, found {self.peek()!r}')
        return self.take()
