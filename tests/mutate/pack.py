"""Many mutants in one text: what each changes is chosen when a simulation starts, so one build serves them all.

    wire full = used == SIZE;   becomes   wire full = (es_mutant == 7 ? (used != SIZE) : (used == SIZE));
    level <= level - 1;         becomes   begin if (es_mutant == 8) level <= level + 1; else level <= level - 1; end

That works for expressions of wires, assignments, conditions and connections, and for statements; not for constants,
labels or what is generated. The number comes from the environment variable ES_MUTANT; 0, or none, is the original.
"""
NUMBER = ('reg [15:0] es_mutant; initial es_mutant = $c32("(std::getenv(\\"ES_MUTANT\\") ? '
          'std::atoi(std::getenv(\\"ES_MUTANT\\")) : 0)");')
LVALUE = {"number", "connection"} # may be all that changes in what an instance drives, which cannot be a choice


def statement(tokens, i, found):
    """Collects a statement's homes; index after it."""
    text = tokens[i].text
    if text == "begin":
        i += 3 if tokens[i + 1].text == ":" else 1
        while tokens[i].text != "end":
            i = statement(tokens, i, found)
        return i + 1
    if text in ("if", "for", "case", "casez", "@"):
        close = tokens[i + 1].pair
        if text == "@" and close is None:
            return statement(tokens, i + 2, found) # @*
        if text == "if":
            found.append(("expression", i + 1, close))
        i = close + 1
        if text in ("case", "casez"):
            while tokens[i].text != "endcase":
                while tokens[i].text != ":":
                    i = (tokens[i].pair or i) + 1
                i = statement(tokens, i + 1, found)
            return i + 1
        i = statement(tokens, i, found)
        if text == "if" and tokens[i].text == "else":
            i = statement(tokens, i + 1, found)
        return i
    start = i
    while tokens[i].text != ";":
        i += 1
    if i > start:
        found.append(("statement", start, i))
    return i + 1


def values(tokens, i, found):
    """Collects what is assigned up to the next ';' at the module's level; index after it."""
    while tokens[i].text != ";":
        if tokens[i].text == "=":
            start = i + 1
            while tokens[i].text not in (",", ";"):
                i = (tokens[i].pair if tokens[i].pair and tokens[i].pair > i else i) + 1
            found.append(("expression", start, i - 1))
        else:
            i = (tokens[i].pair if tokens[i].pair and tokens[i].pair > i else i) + 1
    return i + 1


def homes(tokens):
    """All pieces of a module's text that can be a choice: (kind, first token, last token), as places in the text."""
    found = []
    i = next((k for k, token in enumerate(tokens) if token.text == "module"), len(tokens))
    while i < len(tokens):
        text = tokens[i].text
        if text == "always":
            i = statement(tokens, i + 1, found)
        elif text in ("assign", "wire"):
            i = values(tokens, i + 1, found)
        elif text in ("module", "localparam", "parameter", "genvar", "integer", "reg"):
            while tokens[i].text != ";":
                i += 1
        elif text == "initial":
            i = statement(tokens, i + 1, [])
        elif text == "function":
            while tokens[i].text != "endfunction":
                i += 1
        elif text in ("if", "for", "#"):
            i = tokens[i + 1].pair + 1
        elif text == "." and tokens[i + 2].text == "(":
            close = tokens[i + 2].pair
            if close > i + 3:
                found.append(("connection", i + 3, close - 1))
            i = close + 1
        else:
            i += 1
    return [(kind, tokens[first].at, tokens[last].end) for kind, first, last in found]


def home_of(found, mutant):
    """The piece that contains all of a mutant's change, or None."""
    end = mutant.at + len(mutant.old)
    for kind, first, last in found:
        if first <= mutant.at and end <= last:
            if kind == "connection":
                return None if mutant.sort in LVALUE else ("expression", first, last)
            return kind, first, last
    return None


def packed(text, head, numbered):
    """The text with all mutants of a list [(number, mutant)] in it. head: where the module's header ends."""
    choices = {}
    for number, mutant in numbered:
        kind, first, last = mutant.home
        changed = text[first:mutant.at] + mutant.new + text[mutant.at + len(mutant.old):last]
        choices.setdefault((first, last, kind), []).append((number, changed))
    at, out = head, [text[:head], "\n", NUMBER]
    for (first, last, kind), changes in sorted(choices.items()):
        out.append(text[at:first])
        if kind == "expression":
            out.append("(" + "".join(f"es_mutant == {n} ? ({new}) : " for n, new in changes) + f"({text[first:last]}))")
        else:
            out.append("begin " + "".join(f"if (es_mutant == {n}) {new} else " for n, new in changes) +
                       f"{text[first:last]} end")
        at = last
    return "".join(out) + text[at:]
