"""Mutants of Verilog text: small faults that a test should notice, one at a time.

Works on tokens, not on a syntax tree: enough of the language is understood to stay within expressions, conditions and
assignments. Left alone are ports, parameters, widths and selected ranges (lint finds what is wrong with them), headers
of loops, checks of parameters and of use, what simulation does not read, and what is there for lint ('wire unused').
"""
import hashlib
import re

import pack

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<attribute>\(\*(?!\)).*?\*\))
  | (?P<directive>`(?:resetall|timescale|default_nettype|include|ifdef|ifndef|else|endif|define|undef)\b[^\n]*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<number>\d*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_?]+|\d+)
  | (?P<name>[`$]?[A-Za-z_][A-Za-z0-9_$]*)
  | (?P<operator><<<|>>>|===|!==|&&|\|\||==|!=|<=|>=|<<|>>|\*\*|\+:|-:|~\^|\^~|~&|~\||[-+*/%&|^~!<>=?:;,.@#()\[\]{}])
""", re.S | re.X)
REPLACED = {"&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<"], ">": [">=", "<="],
            ">=": [">"], "+": ["-"], "-": ["+"], "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"]}
DECLARATIONS = {"reg", "wire", "integer", "genvar", "localparam", "parameter", "input", "output"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
DEFINED = {"VERILATOR", "RISCV_FORMAL"}
# before these a '&', '|', '^' or '-' has a left operand
OPERAND_ENDS = {")", "]", "}"}


class Mutant:
    """One change: `new` instead of `old` at `at` in a file's text."""

    def __init__(self, text, at, old, new, sort):
        self.at, self.old, self.new, self.sort = at, old, new, sort
        self.home = None # what contains it (pack.py): ("expression" or "statement", at, end)
        end = at + len(old)
        first, last = text.rfind("\n", 0, at) + 1, text.find("\n", end)
        self.line = text.count("\n", 0, at) + 1
        self.before = " ".join(text[first:last].split())
        self.after = " ".join((text[first:at] + new + text[end:last]).split())

    def apply(self, text):
        """The mutated text."""
        assert text[self.at:self.at + len(self.old)] == self.old
        return text[:self.at] + self.new + text[self.at + len(self.old):]


class Token:
    """A word of the text, with what `annotate` finds out about it."""

    def __init__(self, kind, text, at):
        self.kind, self.text, self.at, self.end = kind, text, at, at + len(text)
        self.pair = None      # index of the bracket that belongs to this one
        self.left_alone = False
        self.assigns = False  # a nonblocking assignment's arrow, or '=' of a statement
        self.range = False    # within a selected range [a:b], or a count of repetitions


def tokens_of(text):
    """All tokens but spaces and comments, with their brackets paired."""
    tokens, stack, at = [], [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"not understood: {text[at:at + 30]!r}")
        at = match.end()
        if match.lastgroup in ("space", "attribute"):
            continue
        token = Token(match.lastgroup, match.group(), match.start())
        tokens.append(token)
        if token.text in OPEN:
            stack.append(len(tokens) - 1)
        elif token.text in CLOSE:
            token.pair = stack.pop()
            tokens[token.pair].pair = len(tokens) - 1
    return tokens


def until(tokens, i, text):
    """Index of the next token `text`, brackets skipped."""
    while tokens[i].text != text:
        i = (tokens[i].pair if tokens[i].text in OPEN else i) + 1
    return i


def end_of_block(tokens, i):
    """Index of the `end` of the `begin` at i."""
    depth = 0
    while True:
        depth += {"begin": 1, "case": 1, "end": -1, "endcase": -1}.get(tokens[i].text, 0)
        if depth == 0:
            return i
        i += 1


def leave_alone(tokens, first, last):
    """No mutants from first to last."""
    for token in tokens[first:last + 1]:
        token.left_alone = True


def annotate_declaration(tokens, i):
    """Widths and names of a declaration are left alone; what it is set to is not."""
    end = until(tokens, i, ";")
    while i < end:
        value = i
        while value < end and tokens[value].text != "=":
            value = (tokens[value].pair if tokens[value].text in OPEN else value) + 1
        leave_alone(tokens, i, value)
        i = value
        while i < end and tokens[i].text != ",":
            i = (tokens[i].pair if tokens[i].text in OPEN else i) + 1


def annotate_branches(tokens):
    """Of `ifdef only the branch is used that simulation reads."""
    stack = [] # whether the present branch is read, for each `ifdef
    for i, token in enumerate(tokens):
        if token.kind == "directive":
            words = token.text.split()
            if words[0] in ("`ifdef", "`ifndef"):
                stack.append((words[1] in DEFINED) == (words[0] == "`ifdef"))
            elif words[0] == "`else":
                stack[-1] = not stack[-1]
            elif words[0] == "`endif":
                stack.pop()
        if not all(stack):
            leave_alone(tokens, i, i)


def annotate(tokens):
    """Marks what is left alone, and what assigns."""
    annotate_branches(tokens)
    declared = False
    assigned = False  # the statement's assignment has been seen
    for i, token in enumerate(tokens):
        text = token.text
        if token.kind == "directive":
            leave_alone(tokens, i, i)
        elif text == "module":
            leave_alone(tokens, i, until(tokens, i, ";"))
        elif text == "initial":
            begins = tokens[i + 1].text == "begin"
            leave_alone(tokens, i, end_of_block(tokens, i + 1) if begins else until(tokens, i, ";"))
        elif text == "always":
            begin = next(k for k in range(i, len(tokens)) if tokens[k].text in ("begin", ";"))
            end = end_of_block(tokens, begin) if tokens[begin].text == "begin" else begin
            if any(t.text == "$error" for t in tokens[i:end]): # a check of how the module is used
                leave_alone(tokens, i, end)
        elif text in ("for", "function"):
            leave_alone(tokens, i, tokens[i + 1].pair if text == "for" else until(tokens, i, ";"))
        elif text in ("@", "#") and tokens[i + 1].text == "(":
            leave_alone(tokens, i, tokens[i + 1].pair)
        elif text == "wire" and tokens[i + 1].text.startswith("unused"):
            leave_alone(tokens, i, until(tokens, i, ";"))
        elif text in DECLARATIONS and not token.left_alone:
            annotate_declaration(tokens, i)
        elif text == "[":
            inside = tokens[i + 1:token.pair]
            if any(t.text in (":", "+:", "-:") for t in inside):
                for t in inside:
                    t.range = True
        elif text == "{" and i + 1 < len(tokens) and tokens[i + 1].text != "{":
            count = i + 1
            while tokens[count].kind in ("name", "number") or tokens[count].text in "+-*/":
                count += 1
            if tokens[count].text == "{":
                for t in tokens[i + 1:count]:
                    t.range = True
        if text == "(" and tokens[i - 1].text == "{" and tokens[token.pair + 1].text == "{": # {(32 - W){1'b0}}
            for t in tokens[i + 1:token.pair]:
                t.range = True
        # assignments
        if text in (";", "begin", "end", "else", "endcase") or text == ")" and tokens[token.pair - 1].text == "for":
            assigned = False
        declared = text in DECLARATIONS or declared and text != ";"
        if not token.left_alone and not assigned and text in ("<=", "=") and not declared and depth_zero(tokens, i):
            token.assigns = assigned = True
        elif text in ("=", "assign"):
            assigned = True


def depth_zero(tokens, i):
    """Whether the token at i is in no bracket of its statement."""
    i -= 1
    while i >= 0 and tokens[i].text not in (";", "begin", "end", "else"):
        if tokens[i].text in CLOSE:
            i = tokens[i].pair
        elif tokens[i].text in OPEN:
            return False
        i -= 1
    return True


def operand_start(tokens, i, stops):
    """Index of the first token of the operand that ends before i."""
    while True:
        before = tokens[i - 1]
        if before.text in CLOSE:
            i = before.pair
        elif before.text in OPEN or before.text in stops or before.assigns or before.text in ("=", "assign", "return"):
            return i
        else:
            i -= 1


def operand_end(tokens, i, stops):
    """Index after the last token of the operand that begins at i."""
    while tokens[i].text not in stops and tokens[i].text not in CLOSE:
        i = (tokens[i].pair if tokens[i].text in OPEN else i) + 1
    return i


def numbers_beside(text):
    """Numbers to put in place of one."""
    match = re.fullmatch(r"(\d*)'([bodhBODH])([0-9a-fA-F_]+)", text)
    if not match:
        return [str(int(text) + 1)] + ([str(int(text) - 1)] if int(text) > 0 else []) if text.isdigit() else []
    width, base, digits = match.group(1), match.group(2).lower(), match.group(3).replace("_", "")
    radix = {"b": 2, "o": 8, "d": 10, "h": 16}[base]
    value, size = int(digits, radix), 1 << int(width or 32)
    found = [(value + 1) % size, (value - 1) % size]
    written = {"b": "b", "o": "o", "d": "d", "h": "X"}[base]
    return list(dict.fromkeys(f"{width}'{base}{n:{written}}" for n in found if n != value))


class Maker:
    """Collects a text's mutants."""

    def __init__(self, text):
        self.text, self.tokens, self.found = text, tokens_of(text), []
        annotate(self.tokens)

    def add(self, first, last, new, sort):
        """`new` instead of the tokens from first to last."""
        at, end = self.tokens[first].at, self.tokens[last].end
        self.found.append(Mutant(self.text, at, self.text[at:end], new, sort))

    def span(self, first, last):
        """The text of tokens."""
        return self.text[self.tokens[first].at:self.tokens[last].end]

    def operator(self, i):
        """Another operator, or one operand less."""
        token = self.tokens[i]
        before = self.tokens[i - 1]
        unary = not (before.kind in ("name", "number") or before.text in OPERAND_ENDS)
        if unary and token.text not in ("&", "|"):
            return
        for new in REPLACED[token.text]:
            self.add(i, i, new, "operator")
        if token.text in ("&&", "||") and not unary:
            stops = ("&&", "||", "?", ":", ",", ";") if token.text == "&&" else ("||", "?", ":", ",", ";")
            start, end = operand_start(self.tokens, i, stops), operand_end(self.tokens, i + 1, stops)
            self.add(start, i, "", "operand")
            self.add(i, end - 1, "", "operand")

    def condition(self, i):
        """if (...): inverted, always, never."""
        last = self.tokens[i + 1].pair
        for new in (f"(!({self.span(i + 2, last - 1)}))", "(1'b1)", "(1'b0)"):
            self.add(i + 1, last, new, "condition")

    def choice(self, i):
        """a ? b : c with the condition inverted."""
        start = operand_start(self.tokens, i, (",", "?", ":", ";"))
        self.add(start, i - 1, f"!({self.span(start, i - 1)})", "choice")

    def assignment(self, i):
        """An assignment left out."""
        start = i
        while self.tokens[start - 1].text in CLOSE and self.tokens[start - 1].text != ")":
            start = self.tokens[start - 1].pair
        if self.tokens[start].text != "{":
            start -= 1
        if self.tokens[start].kind == "name" and not self.tokens[start].left_alone:
            self.add(start, until(self.tokens, i, ";"), ";", "assignment")

    def connection(self, i):
        """.a(x), .b(y) with x and y exchanged."""
        name, opens = self.tokens[i + 1], i + 2
        if name.kind != "name" or self.tokens[opens].text != "(":
            return
        close = self.tokens[opens].pair
        following = [t.text for t in self.tokens[close + 1:close + 3]]
        if following != [",", "."] or self.tokens[close + 4].text != "(":
            return
        other, last = close + 4, self.tokens[close + 4].pair
        mine, others = self.span(opens, close), self.span(other, last)
        if mine != others:
            self.add(opens, last, others + self.text[self.tokens[close].end:self.tokens[other].at] + mine, "connection")

    def all(self):
        """Every mutant, in the order of the text."""
        for i, token in enumerate(self.tokens):
            if token.left_alone or token.range:
                continue
            if token.assigns:
                self.assignment(i)
            elif token.text in REPLACED:
                self.operator(i)
            elif token.text in ("!", "~"):
                self.add(i, i, "", "negation")
            elif token.text == "if":
                self.condition(i)
            elif token.text == "?":
                self.choice(i)
            elif token.text == ".":
                self.connection(i)
            elif token.kind == "number":
                for new in numbers_beside(token.text):
                    self.add(i, i, new, "number")
        homes = pack.homes(self.tokens)
        for mutant in self.found:
            mutant.home = pack.home_of(homes, mutant)
        return self.found


def header_end(text):
    """Where the header of a text's module ends."""
    tokens = tokens_of(text)
    return tokens[until(tokens, next(i for i, token in enumerate(tokens) if token.text == "module"), ";")].end


def lines_of_code(text):
    """Lines with more than comments and spaces, as a measure of size."""
    return len({text.count("\n", 0, token.at) for token in tokens_of(text)})


def ranked(path, text, seed):
    """All mutants of a file in an order that looks random but changes little when other lines of the file change."""
    seen, keyed = {}, []
    texts = {text}
    for mutant in Maker(text).all():
        if mutant.apply(text) in texts: # two ways to the same change
            continue
        texts.add(mutant.apply(text))
        name = f"{seed} {path} {mutant.before} > {mutant.after}"
        seen[name] = seen.get(name, 0) + 1
        keyed.append((hashlib.sha256(f"{name} {seen[name]}".encode()).hexdigest(), mutant))
    used, first, rest = set(), [], []
    for _, mutant in sorted(keyed, key=lambda pair: pair[0]):
        place = (mutant.before, mutant.sort)  # other places before more of the same
        (rest if place in used else first).append(mutant)
        used.add(place)
    return first + rest
