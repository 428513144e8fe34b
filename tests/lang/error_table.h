/* Wrong statements over the program of fake_symbols.h, and the whole message that each of them gets. */
#ifndef TESTS_LANG_ERROR_TABLE_H
#define TESTS_LANG_ERROR_TABLE_H

static const struct { const char *text, *message; } errors[] = {
    {"tmp > 3",
     "-e:1:1: error: there is no variable 'tmp' in the program\n"
     "  tmp > 3\n"
     "  ^~~"},
    {"tem > 3",
     "-e:1:1: error: there is no variable 'tem' in the program\n"
     "  tem > 3\n"
     "  ^~~\n"
     "hint: did you mean 'temp'\?"},
    {"when temp > 3 && modd == ARMED { print }",
     "-e:1:18: error: there is no variable 'modd' in the program\n"
     "  when temp > 3 && modd == ARMED { print }\n"
     "                   ^~~~\n"
     "hint: did you mean 'mode'\?"},
    {"foo",
     "-e:1:1: error: there is no variable 'foo' in the program\n"
     "  foo\n"
     "  ^~~"},
    {"mode == ARMD",
     "-e:1:9: error: there is no variable 'ARMD' in the program\n"
     "  mode == ARMD\n"
     "          ^~~~"},
    {"control",
     "-e:1:1: error: 'control' is a procedure, not a variable\n"
     "  control\n"
     "  ^~~~~~~\n"
     "hint: enter(control) is true when it is entered, leave(control) when it is left"},
    {"enter(contrl)",
     "-e:1:7: error: there is no procedure 'contrl' in the program\n"
     "  enter(contrl)\n"
     "        ^~~~~~\n"
     "hint: did you mean 'control'\?"},
    {"enter(temp)",
     "-e:1:7: error: there is no procedure 'temp' in the program\n"
     "  enter(temp)\n"
     "        ^~~~\n"
     "hint: 'temp' is a variable: write(temp) is true at every write to it"},
    {"leave(nobody)",
     "-e:1:7: error: there is no procedure 'nobody' in the program\n"
     "  leave(nobody)\n"
     "        ^~~~~~"},
    {"enter(same)",
     "-e:1:7: error: 'same' is ambiguous: there are procedures of this name in a.c and b.c\n"
     "  enter(same)\n"
     "        ^~~~\n"
     "hint: rename one of them in the program"},
    {"clamp\\hi",
     "-e:1:1: error: procedure 'clamp' has no variable 'hi'\n"
     "  clamp\\hi\n"
     "  ^~~~~~~~"},
    {"clamp\\delta",
     "-e:1:1: error: procedure 'clamp' has no variable 'delta'\n"
     "  clamp\\delta\n"
     "  ^~~~~~~~~~~\n"
     "hint: there is control\\delta"},
    {"nobody\\x",
     "-e:1:1: error: there is no procedure 'nobody' in the program\n"
     "  nobody\\x\n"
     "  ^~~~~~~~"},
    {"third.c\\state",
     "-e:1:1: error: file 'third.c' has no file-scope variable 'state'\n"
     "  third.c\\state\n"
     "  ^~~~~~~~~~~~~\n"
     "hint: a file's name goes before the name of a file-scope variable: file.c\\x"},
    {"other.c\\lo",
     "-e:1:1: error: file 'other.c' has no file-scope variable 'lo'\n"
     "  other.c\\lo\n"
     "  ^~~~~~~~~~\n"
     "hint: a file's name goes before the name of a file-scope variable: file.c\\x"},
    {"both",
     "-e:1:1: error: 'both' is ambiguous: 2 variables have this name\n"
     "  both\n"
     "  ^~~~\n"
     "hint: write clamp\\both (src/thermostat.c:21) or control\\both (src/thermostat.c:32)"},
    {"state > 3",
     "-e:1:1: error: 'state' is ambiguous: 2 variables have this name\n"
     "  state > 3\n"
     "  ^~~~~\n"
     "hint: write thermostat.c\\state (src/thermostat.c:10) or other.c\\state (other.c:3)"},
    {"nested",
     "-e:1:1: error: 'nested' is ambiguous: 2 variables have this name\n"
     "  nested\n"
     "  ^~~~~~\n"
     "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested (src/thermostat.c:38); those of one name in one procedure or file cannot be told apart: rename one in the program"},
    {"control\\nested",
     "-e:1:1: error: 'nested' is ambiguous: 2 variables have this name\n"
     "  control\\nested\n"
     "  ^~~~~~~~~~~~~~\n"
     "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested (src/thermostat.c:38); those of one name in one procedure or file cannot be told apart: rename one in the program"},
    {"gone",
     "-e:1:1: error: 'other.c\\gone' is not observable: the compiler removed it: compile with -O0\n"
     "  gone\n"
     "  ^~~~"},
    {"fast == 2",
     "-e:1:1: error: 'control\\fast' is not observable: lives in register a5 in thermostat.c:33-36: compile this file with -O0\n"
     "  fast == 2\n"
     "  ^~~~"},
    {"n == 1",
     "-e:1:1: error: 'fact\\n' is a local of a recursive procedure (fact -> even -> fact): it has a place for every activation\n"
     "  n == 1\n"
     "  ^\n"
     "hint: make it static, copy it to a global, or watch enter(fact) and leave(fact)"},
    {"fact\\n",
     "-e:1:1: error: 'fact\\n' is a local of a recursive procedure (fact -> even -> fact): it has a place for every activation\n"
     "  fact\\n\n"
     "  ^~~~~~\n"
     "hint: make it static, copy it to a global, or watch enter(fact) and leave(fact)"},
    {"seen",
     "-e:1:1: error: 'uart_isr\\seen' is a local of an interrupt handler: where its frame lies depends on what it interrupts\n"
     "  seen\n"
     "  ^~~~\n"
     "hint: make it static, copy it to a global, or watch enter(uart_isr) and leave(uart_isr)"},
    {"\"other.c\" + 1",
     "-e:1:11: error: expected \\ after a file's name\n"
     "  \"other.c\" + 1\n"
     "            ^\n"
     "hint: \"file.c\"\\variable"},
    {"clamp\\",
     "-e:1:7: error: expected the name of a variable\n"
     "  clamp\\\n"
     "        ^\n"
     "hint: procedure\\variable or file.c\\variable"},
    {"\"other.c\\state",
     "-e:1:1: error: this string has no end\n"
     "  \"other.c\\state\n"
     "  ^~~~~~~~~~~~~~"},
    {"plant",
     "-e:1:1: error: plant is a whole struct plant; a reference is one number\n"
     "  plant\n"
     "  ^~~~~\n"
     "hint: name a member: plant.temp"},
    {"grid > 1",
     "-e:1:1: error: grid is a whole array; a reference is one number\n"
     "  grid > 1\n"
     "  ^~~~\n"
     "hint: name an element: grid[0]"},
    {"grid[1]",
     "-e:1:1: error: grid[1] is a whole array; a reference is one number\n"
     "  grid[1]\n"
     "  ^~~~~~~\n"
     "hint: name an element: grid[1][0]"},
    {"plant.temperature",
     "-e:1:7: error: struct plant has no member 'temperature'\n"
     "  plant.temperature\n"
     "        ^~~~~~~~~~~\n"
     "hint: it has temp, a, b, c, array, word"},
    {"plant.",
     "-e:1:7: error: expected the name of a member\n"
     "  plant.\n"
     "        ^\n"
     "hint: it has temp, a, b, c, array, word"},
    {"temp.x",
     "-e:1:5: error: temp is no struct but int\n"
     "  temp.x\n"
     "      ^"},
    {"temp[1]",
     "-e:1:5: error: temp is no array but int\n"
     "  temp[1]\n"
     "      ^"},
    {"p.temp",
     "-e:1:2: error: p is a pointer, and following pointers is not available in this version\n"
     "  p.temp\n"
     "   ^\n"
     "hint: the pointer's own value is: p != NULL"},
    {"p[1]",
     "-e:1:2: error: p is a pointer, and following pointers is not available in this version\n"
     "  p[1]\n"
     "   ^\n"
     "hint: the pointer's own value is: p != NULL"},
    {"p->temp > 3",
     "-e:1:2: error: following pointers (p->x) is not available in this version\n"
     "  p->temp > 3\n"
     "   ^~\n"
     "hint: the pointer's own value is: p != NULL"},
    {"plant.array[4]",
     "-e:1:13: error: index 4 is outside of plant.array, which has elements 0 to 3\n"
     "  plant.array[4]\n"
     "              ^"},
    {"grid[-1][0]",
     "-e:1:6: error: index -1 is outside of grid, which has elements 0 to 2\n"
     "  grid[-1][0]\n"
     "       ^~"},
    {"grid[0][0x80000000]",
     "-e:1:9: error: index 2147483648 is outside of grid[0], which has elements 0 to 3\n"
     "  grid[0][0x80000000]\n"
     "          ^~~~~~~~~~"},
    {"grid[temp][0]",
     "-e:1:6: error: an index has to be a constant in this version\n"
     "  grid[temp][0]\n"
     "       ^~~~\n"
     "hint: write one element by its number: a[2]"},
    {"grid[1",
     "-e:1:7: error: expected ]\n"
     "  grid[1\n"
     "        ^"},
    {"open_array[2]",
     "-e:1:12: error: the size of open_array is not known\n"
     "  open_array[2]\n"
     "             ^\n"
     "hint: watch the array in the file that defines it"},
    {"packed.i",
     "-e:1:1: error: packed.i is misaligned: 4 bytes at an address that is not a multiple of 4\n"
     "  packed.i\n"
     "  ^~~~~~~~\n"
     "hint: align it: leave out the packed attribute, or move it inside its struct"},
    {"packed.f",
     "-e:1:1: error: bit-field packed.f crosses a word boundary\n"
     "  packed.f\n"
     "  ^~~~~~~~\n"
     "hint: keep bit-fields inside one 32-bit word"},
    {"ticks > 3",
     "-e:1:1: error: ticks is a uint64_t of 8 bytes; this version watches values of 1, 2 and 4 bytes\n"
     "  ticks > 3\n"
     "  ^~~~~\n"
     "hint: a 32-bit (or narrower) copy of it in the program can be watched"},
    {"precise",
     "-e:1:1: error: precise is a double of 8 bytes; this version watches values of 1, 2 and 4 bytes\n"
     "  precise\n"
     "  ^~~~~~~\n"
     "hint: a 32-bit (or narrower) copy of it in the program can be watched"},
    {"when write(temp) { print precise }",
     "-e:1:26: error: precise is a double of 8 bytes; this version watches values of 1, 2 and 4 bytes\n"
     "  when write(temp) { print precise }\n"
     "                           ^~~~~~~\n"
     "hint: a 32-bit (or narrower) copy of it in the program can be watched"},
    {"callback",
     "-e:1:1: error: callback is of type void (void), which cannot be watched\n"
     "  callback\n"
     "  ^~~~~~~~"},
    {"control\\crooked",
     "-e:1:1: error: control\\crooked is misaligned: 4 bytes at an address that is not a multiple of 4\n"
     "  control\\crooked\n"
     "  ^~~~~~~~~~~~~~~\n"
     "hint: align it: leave out the packed attribute, or move it inside its struct"},
    {"ratio > 1",
     "-e:1:1: error: ratio is a float, and predicates work with whole numbers only\n"
     "  ratio > 1\n"
     "  ^~~~~\n"
     "hint: print it: when write(ratio) { print ratio }"},
    {"old(ratio) == 1",
     "-e:1:1: error: ratio is a float, and predicates work with whole numbers only\n"
     "  old(ratio) == 1\n"
     "  ^~~~~~~~~~\n"
     "hint: print it: when write(ratio) { print ratio }"},
    {"ratio > 1.5",
     "-e:1:1: error: ratio is a float, and predicates work with whole numbers only\n"
     "  ratio > 1.5\n"
     "  ^~~~~\n"
     "hint: print it: when write(ratio) { print ratio }"},
    {"temp > 1e3",
     "-e:1:8: error: floating-point constants are not available\n"
     "  temp > 1e3\n"
     "         ^~~\n"
     "hint: predicates work with whole numbers; a float can be printed: { print x }"},
    {"temp * 2 > 3",
     "-e:1:6: error: multiplication of variables is not available\n"
     "  temp * 2 > 3\n"
     "       ^\n"
     "hint: use shifts and sums: x * 10 is (x << 3) + (x << 1); constants are multiplied: 80 * 256"},
    {"temp / 4 > 10",
     "-e:1:6: error: division of variables is not available\n"
     "  temp / 4 > 10\n"
     "       ^\n"
     "hint: compare with a product instead: x / 4 > 10 is x >= 44; or shift: x >> 2"},
    {"temp % 8",
     "-e:1:6: error: division of variables is not available\n"
     "  temp % 8\n"
     "       ^\n"
     "hint: for powers of two use a mask: x % 8 is x & 7"},
    {"temp > 3 / 0",
     "-e:1:10: error: division by zero\n"
     "  temp > 3 / 0\n"
     "           ^"},
    {"temp = 3",
     "-e:1:6: error: = would assign, and monitoring changes nothing\n"
     "  temp = 3\n"
     "       ^\n"
     "hint: write == to compare"},
    {"temp += 3",
     "-e:1:6: error: this would assign, and monitoring changes nothing\n"
     "  temp += 3\n"
     "       ^~"},
    {"temp++",
     "-e:1:5: error: this would assign, and monitoring changes nothing\n"
     "  temp++\n"
     "      ^~"},
    {"temp << 32",
     "-e:1:9: error: a shift of a 32-bit value takes 0 to 31\n"
     "  temp << 32\n"
     "          ^~"},
    {"p + 1 == 3",
     "-e:1:1: error: arithmetic with pointers is not available\n"
     "  p + 1 == 3\n"
     "  ^\n"
     "hint: pointers can be compared (==, !=, <, ...), tested (p, !p) and masked (p & 3)"},
    {"-p",
     "-e:1:2: error: arithmetic with pointers is not available\n"
     "  -p\n"
     "   ^\n"
     "hint: pointers can be compared (==, !=, <, ...), tested (p, !p) and masked (p & 3)"},
    {"p << 1",
     "-e:1:1: error: arithmetic with pointers is not available\n"
     "  p << 1\n"
     "  ^\n"
     "hint: pointers can be compared (==, !=, <, ...), tested (p, !p) and masked (p & 3)"},
    {"temp \? 1 : 2",
     "-e:1:6: error: the conditional operator \?: is not available in this version\n"
     "  temp \? 1 : 2\n"
     "       ^\n"
     "hint: write c && a || !c && b"},
    {"temp -> x",
     "-e:1:6: error: following pointers (p->x) is not available in this version\n"
     "  temp -> x\n"
     "       ^~\n"
     "hint: the pointer's own value is: p != NULL"},
    {"(int)temp",
     "-e:1:2: error: casts are not available\n"
     "  (int)temp\n"
     "   ^~~\n"
     "hint: values have the program's own types; mask with & or compare with a constant that ends in u"},
    {"sizeof(temp)",
     "-e:1:1: error: sizeof is not available\n"
     "  sizeof(temp)\n"
     "  ^~~~~~\n"
     "hint: write the number"},
    {"control(3)",
     "-e:1:1: error: procedures of the program cannot be called\n"
     "  control(3)\n"
     "  ^~~~~~~\n"
     "hint: enter(control) is true when it is entered, leave(control) when it is left"},
    {"printf(3)",
     "-e:1:1: error: there is no 'printf(...)'\n"
     "  printf(3)\n"
     "  ^~~~~~\n"
     "hint: there are enter(f), leave(f), write(x) and old(x)"},
    {"&temp",
     "-e:1:1: error: addresses (&x) are not available in this version\n"
     "  &temp\n"
     "  ^\n"
     "hint: printed pointers show the name of the variable they point at"},
    {"*p",
     "-e:1:1: error: following pointers (*p) is not available in this version\n"
     "  *p\n"
     "  ^\n"
     "hint: the pointer's own value is: p != NULL"},
    {"temp @ 3",
     "-e:1:6: error: this character does not belong in a statement\n"
     "  temp @ 3\n"
     "       ^"},
    {"temp ! 3",
     "-e:1:6: error: expected an operator or { and actions\n"
     "  temp ! 3\n"
     "       ^"},
    {"temp > ",
     "-e:1:8: error: the statement ends where an expression was expected\n"
     "  temp > \n"
     "         ^"},
    {"temp > > 3",
     "-e:1:8: error: expected an expression\n"
     "  temp > > 3\n"
     "         ^"},
    {"(temp > 3",
     "-e:1:1: error: this ( has no )\n"
     "  (temp > 3\n"
     "  ^"},
    {"temp > 3)",
     "-e:1:9: error: expected an operator or { and actions\n"
     "  temp > 3)\n"
     "          ^"},
    {"()",
     "-e:1:2: error: expected an expression\n"
     "  ()\n"
     "   ^"},
    {"temp 3",
     "-e:1:6: error: expected an operator or { and actions\n"
     "  temp 3\n"
     "       ^"},
    {"temp mode",
     "-e:1:6: error: expected an operator or { and actions\n"
     "  temp mode\n"
     "       ^~~~"},
    {"temp == 3000000000",
     "-e:1:9: error: this constant does not fit an int, and predicates work with 32 bits\n"
     "  temp == 3000000000\n"
     "          ^~~~~~~~~~\n"
     "hint: add u for an unsigned constant, or write it in hexadecimal"},
    {"temp == 4294967296u",
     "-e:1:9: error: predicates work with values of 32 bits\n"
     "  temp == 4294967296u\n"
     "          ^~~~~~~~~~~\n"
     "hint: the largest constant is 4294967295u"},
    {"temp == 5ll",
     "-e:1:9: error: predicates work with values of 32 bits\n"
     "  temp == 5ll\n"
     "          ^~~\n"
     "hint: the largest constant is 4294967295u"},
    {"temp == 0x",
     "-e:1:9: error: this is not a number\n"
     "  temp == 0x\n"
     "          ^~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000"},
    {"temp == 09",
     "-e:1:9: error: this is not a number\n"
     "  temp == 09\n"
     "          ^~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000"},
    {"temp == 12ab",
     "-e:1:9: error: this is not a number\n"
     "  temp == 12ab\n"
     "          ^~~~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000"},
    {"temp == 'ab'",
     "-e:1:9: error: this is not a character constant\n"
     "  temp == 'ab'\n"
     "          ^\n"
     "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"temp == ''",
     "-e:1:9: error: this is not a character constant\n"
     "  temp == ''\n"
     "          ^\n"
     "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"temp == '\\q'",
     "-e:1:9: error: this is not a character constant\n"
     "  temp == '\\q'\n"
     "          ^\n"
     "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"temp == HUGE",
     "-e:1:9: error: HUGE is wider than 32 bits, and predicates work with 32 bits\n"
     "  temp == HUGE\n"
     "          ^~~~"},
    {"old()",
     "-e:1:5: error: expected the name of a variable\n"
     "  old()\n"
     "      ^"},
    {"old(temp",
     "-e:1:9: error: expected ) after the argument of old\n"
     "  old(temp\n"
     "          ^\n"
     "hint: old(x) and write(x) take one variable"},
    {"old(temp + 1)",
     "-e:1:10: error: expected ) after the argument of old\n"
     "  old(temp + 1)\n"
     "           ^\n"
     "hint: old(x) and write(x) take one variable"},
    {"old(old(temp))",
     "-e:1:5: error: expected the name of a variable\n"
     "  old(old(temp))\n"
     "      ^~~\n"
     "hint: old(x) and write(x) take one variable"},
    {"enter(main",
     "-e:1:11: error: expected ) after the argument of enter\n"
     "  enter(main\n"
     "            ^\n"
     "hint: enter(f) and leave(f) take the name of one procedure"},
    {"write(3)",
     "-e:1:7: error: expected the name of a variable\n"
     "  write(3)\n"
     "        ^"},
    {"enter()",
     "-e:1:7: error: expected the name of a procedure\n"
     "  enter()\n"
     "        ^"},
    {"1 > 2",
     "-e:1:1: error: this predicate names no variable and no event, so it would never be evaluated\n"
     "  1 > 2\n"
     "  ^~~~~\n"
     "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"when (1) { print temp }",
     "-e:1:6: error: this predicate names no variable and no event, so it would never be evaluated\n"
     "  when (1) { print temp }\n"
     "       ^~~\n"
     "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"",
     "-e:1:1: error: there is no statement here\n"
     "  \n"
     "  ^\n"
     "hint: for example: when temp > 80 { print temp }"},
    {"# nothing",
     "-e:1:10: error: there is no statement here\n"
     "  # nothing\n"
     "           ^\n"
     "hint: for example: when temp > 80 { print temp }"},
    {"name:",
     "-e:1:6: error: expected `when` after the statement's name\n"
     "  name:\n"
     "       ^\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"name: temp > 3",
     "-e:1:7: error: expected `when` after the statement's name\n"
     "  name: temp > 3\n"
     "        ^~~~\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"when",
     "-e:1:5: error: expected a predicate\n"
     "  when\n"
     "      ^\n"
     "hint: for example: when temp > 80 { print temp }"},
    {"when { print }",
     "-e:1:6: error: expected a predicate\n"
     "  when { print }\n"
     "       ^\n"
     "hint: for example: when temp > 80 { print temp }"},
    {"when temp { }",
     "-e:1:11: error: a statement needs an action\n"
     "  when temp { }\n"
     "            ^~~\n"
     "hint: write { print }"},
    {"when temp { print temp",
     "-e:1:11: error: this { has no }\n"
     "  when temp { print temp\n"
     "            ^"},
    {"when temp { frobnicate }",
     "-e:1:13: error: expected an action\n"
     "  when temp { frobnicate }\n"
     "              ^~~~~~~~~~\n"
     "hint: actions are `print`, `print x, old(x)` and `count NAME`"},
    {"when temp { print temp mode }",
     "-e:1:24: error: expected ; or }\n"
     "  when temp { print temp mode }\n"
     "                         ^~~~\n"
     "hint: separate actions by ; and the items of print by commas"},
    {"when temp { count }",
     "-e:1:19: error: expected the name of a counter\n"
     "  when temp { count }\n"
     "                    ^\n"
     "hint: a counter needs no declaration: { count overheats }"},
    {"when temp { count a, b }",
     "-e:1:20: error: expected ; between actions\n"
     "  when temp { count a, b }\n"
     "                     ^\n"
     "hint: { count a; print x, y }"},
    {"when temp { print temp + 1 }",
     "-e:1:24: error: expected ; or }\n"
     "  when temp { print temp + 1 }\n"
     "                         ^\n"
     "hint: separate actions by ; and the items of print by commas"},
    {"when temp { print enter(main) }",
     "-e:1:19: error: this cannot be printed\n"
     "  when temp { print enter(main) }\n"
     "                    ^~~~~\n"
     "hint: print takes variables and old(x): { print x, old(x) }"},
    {"when temp { print tmp }",
     "-e:1:19: error: there is no variable 'tmp' in the program\n"
     "  when temp { print tmp }\n"
     "                    ^~~"},
    {"when temp { print 3 }",
     "-e:1:19: error: expected the name of a variable\n"
     "  when temp { print 3 }\n"
     "                    ^\n"
     "hint: print takes variables and old(x), with commas between: { print x, old(x) }"},
    {"when temp { print temp, }",
     "-e:1:25: error: expected the name of a variable\n"
     "  when temp { print temp, }\n"
     "                          ^\n"
     "hint: print takes variables and old(x), with commas between: { print x, old(x) }"},
    {"when temp { print old(temp }",
     "-e:1:28: error: expected )\n"
     "  when temp { print old(temp }\n"
     "                             ^\n"
     "hint: old takes one variable: old(x)"},
    {"when temp { count a } }",
     "-e:1:23: error: expected an expression\n"
     "  when temp { count a } }\n"
     "                        ^"},
    {"a: when temp { print }\na: when mode { print }",
     "-e:2:1: error: there is a statement 'a' already, at -e:1\n"
     "  a: when mode { print }\n"
     "  ^\n"
     "hint: each statement needs a name of its own"},
    {"when temp > 3 mode: when level",
     "-e:1:15: error: expected an operator or { and actions\n"
     "  when temp > 3 mode: when level\n"
     "                ^~~~"},
    {"// temp",
     "-e:1:1: error: this is not how a comment begins\n"
     "  // temp\n"
     "  ^\n"
     "hint: a comment begins with # and ends with the line"},
    {"when temp > 3\n\t&&\ttmp\n\t== 3 { print }",
     "-e:2:5: error: there is no variable 'tmp' in the program\n"
     "  \t&&\ttmp\n"
     "  \t  \t^~~"},
    {"temp == \x01 3",
     "-e:1:9: error: this character does not belong in a statement\n"
     "  temp == \? 3\n"
     "          ^"},
    {"t\xffmp == 3",
     "-e:1:1: error: there is no variable 't\?mp' in the program\n"
     "  t\?mp == 3\n"
     "  ^~~~"},
    {"temp == \"x\"",
     "-e:1:12: error: expected \\ after a file's name\n"
     "  temp == \"x\"\n"
     "             ^\n"
     "hint: \"file.c\"\\variable"},
    {"enter(main) then leave(main)",
     "-e:1:13: error: `then` is not available in this version\n"
     "  enter(main) then leave(main)\n"
     "              ^~~~\n"
     "hint: write one statement for each event; every hit shows its time"},
    {"temp > 3 within 5",
     "-e:1:10: error: `within` is not available in this version\n"
     "  temp > 3 within 5\n"
     "           ^~~~~~\n"
     "hint: write one statement for each event; every hit shows its time"},
    {"mode for 10",
     "-e:1:6: error: `for` is not available in this version\n"
     "  mode for 10\n"
     "       ^~~\n"
     "hint: every hit shows its time"},
    {"temp unchanged",
     "-e:1:6: error: `unchanged` is not available in this version\n"
     "  temp unchanged\n"
     "       ^~~~~~~~~\n"
     "hint: write(x) is true at every write to x"},
    {"mode becomes ARMED",
     "-e:1:6: error: `becomes` is not available in this version\n"
     "  mode becomes ARMED\n"
     "       ^~~~~~~\n"
     "hint: write: x == 3 && old(x) != 3"},
    {"temp and mode",
     "-e:1:6: error: `and` is not available in this version\n"
     "  temp and mode\n"
     "       ^~~\n"
     "hint: write && between conditions"},
    {"temp or mode",
     "-e:1:6: error: `or` is not available in this version\n"
     "  temp or mode\n"
     "       ^~\n"
     "hint: write || between conditions"},
    {"not temp",
     "-e:1:1: error: write ! for not\n"
     "  not temp\n"
     "  ^~~"},
    {"at(3)",
     "-e:1:1: error: at() is not available in this version\n"
     "  at(3)\n"
     "  ^~\n"
     "hint: enter(f) and leave(f) are"},
    {"read(temp)",
     "-e:1:1: error: read() is not available in this version\n"
     "  read(temp)\n"
     "  ^~~~\n"
     "hint: write(x) is, and enter(f), leave(f)"},
    {"age(temp) > 5",
     "-e:1:1: error: age() is not available in this version\n"
     "  age(temp) > 5\n"
     "  ^~~\n"
     "hint: every hit shows its time"},
    {"elapsed > 50",
     "-e:1:1: error: elapsed is not available in this version\n"
     "  elapsed > 50\n"
     "  ^~~~~~~\n"
     "hint: every hit shows its time"},
    {"x: expect never temp > 3",
     "-e:1:4: error: expect is not available in this version\n"
     "  x: expect never temp > 3\n"
     "     ^~~~~~\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"expect always temp",
     "-e:1:1: error: expect is not available in this version\n"
     "  expect always temp\n"
     "  ^~~~~~\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"main:temp",
     "-e:1:1: error: paths (a:b\\x) are not available in this version\n"
     "  main:temp\n"
     "  ^~~~\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"a:b\\x < 0",
     "-e:1:3: error: expected `when` after the statement's name\n"
     "  a:b\\x < 0\n"
     "    ^\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"main:control:clamp\\lo < 0",
     "-e:1:1: error: paths (a:b\\x) are not available in this version\n"
     "  main:control:clamp\\lo < 0\n"
     "  ^~~~\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"*:clamp\\lo < 0",
     "-e:1:1: error: paths (*:f\\x) are not available in this version\n"
     "  *:clamp\\lo < 0\n"
     "  ^\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"1:3:1\\a == 1:3\\x",
     "-e:1:1: error: call numbers (1:3\\x) are not available in this version\n"
     "  1:3:1\\a == 1:3\\x\n"
     "  ^\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"fact[3]\\n == 1",
     "-e:1:1: error: activations (f[k]\\x) are not available in this version\n"
     "  fact[3]\\n == 1\n"
     "  ^~~~\n"
     "hint: enter(f) and leave(f) are"},
    {"enter(main:control)",
     "-e:1:11: error: paths are not available in this version\n"
     "  enter(main:control)\n"
     "            ^\n"
     "hint: name the procedure alone; every hit shows its whole path"},
    {"enter(fact[3])",
     "-e:1:11: error: paths are not available in this version\n"
     "  enter(fact[3])\n"
     "            ^\n"
     "hint: name the procedure alone; every hit shows its whole path"},
    {"when temp { print *:clamp\\lo }",
     "-e:1:19: error: paths (*:f\\x) are not available in this version\n"
     "  when temp { print *:clamp\\lo }\n"
     "                    ^\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"when temp { set x }",
     "-e:1:13: error: `set` is not available in this version\n"
     "  when temp { set x }\n"
     "              ^~~\n"
     "hint: available actions: print and count"},
    {"when temp { increment x }",
     "-e:1:13: error: `increment` is not available in this version\n"
     "  when temp { increment x }\n"
     "              ^~~~~~~~~\n"
     "hint: write: count NAME"},
    {"when temp { decrement x }",
     "-e:1:13: error: `decrement` is not available in this version\n"
     "  when temp { decrement x }\n"
     "              ^~~~~~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { reset x }",
     "-e:1:13: error: `reset` is not available in this version\n"
     "  when temp { reset x }\n"
     "              ^~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { enable x }",
     "-e:1:13: error: `enable` is not available in this version\n"
     "  when temp { enable x }\n"
     "              ^~~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { disable x }",
     "-e:1:13: error: `disable` is not available in this version\n"
     "  when temp { disable x }\n"
     "              ^~~~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { trigger x }",
     "-e:1:13: error: `trigger` is not available in this version\n"
     "  when temp { trigger x }\n"
     "              ^~~~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { snapshot x }",
     "-e:1:13: error: `snapshot` is not available in this version\n"
     "  when temp { snapshot x }\n"
     "              ^~~~~~~~\n"
     "hint: print takes several variables: { print x, y }"},
    {"when temp { stop x }",
     "-e:1:13: error: `stop` is not available in this version\n"
     "  when temp { stop x }\n"
     "              ^~~~\n"
     "hint: `earshot watch --count N` ends after N hits"},
    {"when temp { halt x }",
     "-e:1:13: error: `halt` is not available in this version\n"
     "  when temp { halt x }\n"
     "              ^~~~\n"
     "hint: available actions: print and count"},
    {"(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((temp",
     "-e:1:65: error: more than 64 levels of parentheses and prefix operators\n"
     "  (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((temp\n"
     "                                                                  ^"},
    {"!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!temp",
     "-e:1:65: error: more than 64 levels of parentheses and prefix operators\n"
     "  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!temp\n"
     "                                                                  ^"},
};

#endif
