"""Reads places of execution: paths, procedures, lines. Whether execution is there is what the conditions ask."""
import paths
from arithmetic import number
from tokens import NoCode, StatementError, Tokens


class Places(Tokens):
    """Each gives (function of an event, is signed), a path, or None with nothing taken."""

    # --- paths -----------------------------------------------------------------------------------

    def wait_for(self, verb, low, path):
        """The condition and its statement are about a procedure's beginning or end."""
        for one in (self.condition, self.statement):
            {'enter': one.enters, 'leave': one.leaves, 'at': one.places}[verb].add(low)
            one.ways.setdefault((verb, low), []).append(path)

    def begin_paths(self, condition):
        """A condition that consists of paths is evaluated where one of them begins."""
        if not condition.references and not condition.ways and not condition.reads:
            for path, _ in condition.substates:
                self.wait_for('enter', path.end().low, path)

    def procedure_named(self, name):
        found = [p for p in self.program.procedures if p.name == name]
        if len(found) != 1:
            raise StatementError(f'{name}: no procedure, or more than one')
        return found[0]

    def step(self, steps):
        """Adds a step of a path. False, and nothing taken: here is none."""
        kind, token = self.tokens[self.at]
        if token == '*' and kind == 'op':
            self.take()
            steps.append(('any',))
            return True
        if kind == 'number' and token.isdigit():
            if not steps:
                steps.append(('name', self.procedure_named(paths.MAIN)))
            number_ = int(self.take())
            found = steps[-1][0] != 'any' and paths.call(self.program, steps[-1][1], number_)
            if not found:
                raise StatementError(f'no call {number_} of a known procedure')
            steps.append(('call', *found))
            return True
        if kind != 'name' or not any(p.name == token for p in self.program.procedures):
            return False
        procedure = self.procedure_named(self.take())
        if not steps and procedure.name != paths.MAIN:
            steps.append(('any',))
        if self.accept('['):
            steps.append(('nested', procedure, number(self.take())[0](None)))
            self.take(']')
        else:
            steps.append(('name', procedure))
        return True

    def path(self, least=1):
        """A path of at least so many steps, or None, with nothing taken."""
        start, steps, count = self.at, [], 0
        try:
            while self.step(steps):
                count += 1
                if not (self.peek() == ':' and self.peek(1) != '{'):
                    break
                self.take(':')
            else:
                count = 0
        except StatementError:
            count = 0
        if count < least or steps[-1][0] == 'any':
            self.at = start
            return None
        return paths.Path(steps, ''.join(token for _, token in self.tokens[start:self.at]))

    def begins_path(self):
        """Whether a path with a variable stands here."""
        start = self.at
        found = self.path(2) or (self.path() if self.peek(1) == '[' else None)
        found = found and self.peek() == '\\'
        self.at = start
        return found

    # --- places in the source --------------------------------------------------------------------

    def place(self, addresses, path, what):
        """Execution comes to a line."""
        if not addresses:
            raise NoCode(f'{what}: no code')
        path = path if path and [step[0] for step in path.steps] != ['any', 'name'] else None
        for address in addresses:
            self.wait_for('at', address, path)
        return (lambda e: int((e.reached in addresses or e.begun in addresses) and (not path or path.is_innermost(e.activations)))), True

    def numbered(self):
        """path\\3, or None, with nothing taken."""
        start, path = self.at, self.path()
        if path and self.accept('\\') and self.tokens[self.at][0] == 'number':
            count = number(self.take())[0](None)
            return self.place(self.program.statement(path.end(), count), path, f'{path.text}\\{count}')
        self.at = start
        return None

    def at_place(self):
        self.take('at')
        self.take('(')
        found = self.numbered()
        if not found:
            name = self.name()
            while self.peek() != ':':
                name += self.take()
            self.take(':')
            line = number(self.take())[0](None)
            found = self.place(self.program.places(name, line), None, f'{name}:{line}')
        self.take(')')
        return found

    def substate(self):
        """A path as a condition, or None."""
        start = self.at
        place = self.numbered()
        if place:
            return place
        if self.peek() == 'path' and self.peek(1) == '==':
            self.take()
            self.take()
            place = self.numbered()
            if place:
                return place
            path = self.path()
            return self.active(path, path.is_innermost)
        path = self.path(2)
        if path and self.accept('\\') and not self.accept('*'):
            path = None
        if not path:
            self.at = start
            return None
        return self.active(path, path.exists)

    def active(self, path, is_true):
        self.condition.substates.append((path, is_true))
        return (lambda e: int(is_true(e.activations))), True

    def control(self, verb):
        self.take('(')
        path = self.path(2)
        if path:
            self.take(')')
            low = path.end().low
            self.wait_for(verb, low, path)
            if verb == 'enter':
                return (lambda e: int(e.entered == low and path.is_innermost(e.activations))), True
            return (lambda e: int(e.left == low and path.is_innermost(e.activations))), True
        name = self.name()
        self.take(')')
        lows = {p.low for p in self.program.procedures if p.name == name and not p.is_part}
        copies = getattr(self.program, 'inlined', {}).get(name, set()) if verb == 'enter' else set()
        if copies is None and hasattr(self.program, 'calls_alone'):   # whoever compares sees to it that this is said
            self.program.calls_alone.add(name)
            copies = set()
        if copies is None:
            raise StatementError(f'{name}: debug information leaves in doubt where inlined copies of it begin')
        if not lows and not copies:
            raise StatementError(f'no procedure {name}')
        for low in lows:
            self.wait_for(verb, low, None)
        for copy in copies:
            self.wait_for('at', copy, None)
        if verb == 'enter':
            return (lambda e: int(e.entered in lows or e.reached in copies)), True
        return (lambda e: int(e.left in lows)), True
