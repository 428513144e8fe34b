"""Reads names of variables, with members, indices, pointers and paths, to references."""
from arithmetic import number
from operands import Element, Reference, alignment, find_member
from places import Places
from tokens import StatementError


class Variables(Places):
    """Indices are expressions: these the class below reads."""

    def named_place(self, in_predicate=False):
        """Reads a variable, or a part of one: (text, type, procedure of a local, address, path, (first bit, bits), pointer that it goes
        through)."""
        stars = 0
        while self.accept('*'):
            stars += 1
        start = self.at
        path = self.path(2) or (self.path() if self.peek(1) == '[' else None)
        if path and not self.accept('\\'):
            self.at, path = start, None
        text = name = self.name()
        procedure = None
        if path:
            procedure = path.end().name
            text = f'{path.text}\\{name}'
        elif self.accept('\\'):
            procedure, name = name, self.name()
            text = f'{procedure}\\{name}'
        variable = self.program.find(name, procedure)
        if not variable:
            raise StatementError(f'{text}: no such variable, or more than one')
        type_, address, bit_first, bit_size = variable.type, variable.address, 0, 0
        procedure, via = variable.procedure if variable.is_local else None, None
        life = variable.life

        element = None

        def settle():
            """The indices so far lead to an element."""
            nonlocal via, element
            if element:
                via, element = element, None

        def follow():
            nonlocal type_, address, bit_first, bit_size, procedure, via
            settle()
            via = self.noted(Reference(text, type_, procedure, address, bit_first, bit_size, None if via else path, via), in_predicate)
            type_, address, bit_first, bit_size, procedure = type_.of, 0, 0, 0, None
        while True:
            if self.peek() in ('.', '->'):
                if self.peek() == '->':
                    follow()
                text += self.take()
                member = self.name()
                text += member
                found = find_member(type_, member)
                if not found:
                    raise StatementError(f'{text}: no such member')
                type_, offset, bit_first, bit_size = found
                address += offset
            elif self.accept('['):
                negative = self.peek() == '-' and self.tokens[self.at + 1][0] == 'number' and self.peek(2) == ']'
                negative = negative and self.accept('-')
                if not (self.tokens[self.at][0] == 'number' and self.peek(1) == ']'):
                    start = self.at
                    bounded = type_.kind != 'pointer'
                    if not bounded:
                        follow()
                    seen, others = len(self.condition.references) if in_predicate else 0, self.statement.indices
                    before = len(others)
                    self.in_predicate, kept = in_predicate, self.in_predicate
                    named = len(self.statement.named)
                    self.in_index += 1
                    index = self.expression()[0]
                    self.in_index -= 1
                    self.in_predicate = kept
                    of_index = ''.join(token for _, token in self.tokens[start:self.at])
                    del self.statement.named[named:]
                    named_by = self.condition.references[seen:] if in_predicate else others[before:]
                    self.take(']')
                    text += f'[{of_index}]'
                    inner = type_.of if bounded else type_
                    if not element:
                        element = Element(via, address, alignment(via.type.of) if via else next(a for a in (4, 2, 1) if address % a == 0))
                        address = address if via else 0
                    element.add(index, list(named_by), inner.size, type_.count if bounded else None, of_index)
                    type_ = inner
                    continue
                index = number(self.take())[0](None) * (-1 if negative else 1)
                self.take(']')
                if type_.kind == 'pointer':
                    follow()
                    address += index * type_.size
                    text += f'[{index}]'
                    continue
                text += f'[{index}]'
                if type_.kind != 'array' or not 0 <= index < type_.count:
                    raise StatementError(f'{text}: no such element')
                type_ = type_.of
                address += index * type_.size
            else:
                break
        for _ in range(stars):
            follow()
            text = f'*{text}'
        if element and not element.via and not self.in_index:
            raise StatementError(f'{text}: an element of no pointer is not for this oracle')
        settle()
        self.life = life
        return text, type_, procedure, address, None if via else path, (bit_first, bit_size), via

    def reference(self, in_predicate):
        text, type_, procedure, address, path, (bit_first, bit_size), via = self.named_place(in_predicate)
        if type_.kind in ('struct', 'array', 'other') or type_.size > 8:
            raise StatementError(f'{text}: not a scalar of 1, 2, 4 or 8 bytes')
        made = Reference(text, type_, procedure, address, bit_first, bit_size, path, via)
        made.life = None if via else self.life
        return self.noted(made, in_predicate)

    def noted(self, made, in_predicate):
        """The statement's reference of that name; of the predicate, it is an event."""
        if not in_predicate:
            return made
        for known in self.statement.references:
            if known.text == made.text:
                self.condition.references.append(known)
                return known
        self.condition.references.append(made)
        self.statement.references.append(made)
        return made
