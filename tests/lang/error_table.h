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
     "  ^~~~~~~"},
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
     "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested (src/thermostat.c:38); choose by the line of the declaration: control\\nested@34"},
    {"control\\nested",
     "-e:1:1: error: 'nested' is ambiguous: 2 variables have this name\n"
     "  control\\nested\n"
     "  ^~~~~~~~~~~~~~\n"
     "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested (src/thermostat.c:38); choose by the line of the declaration: control\\nested@34"},
    {"gone",
     "-e:1:1: error: 'other.c\\gone' is not observable: the compiler removed it: compile with -O0\n"
     "  gone\n"
     "  ^~~~"},
    {"fast == 2",
     "-e:1:1: error: 'control\\fast' is not observable: lives in register a5 in thermostat.c:33-36: compile this file with -O0\n"
     "  fast == 2\n"
     "  ^~~~"},
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
     "-e:1:2: error: p is a pointer\n"
     "  p.temp\n"
     "   ^\n"
     "hint: write -> instead of ."},
    {"p[1]",
     "-e:1:1: error: p[1] is a whole struct plant; a reference is one number\n"
     "  p[1]\n"
     "  ^~~~\n"
     "hint: name a member: p[1].temp"},
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
    {"grid[1",
     "-e:1:7: error: expected ]\n"
     "  grid[1\n"
     "        ^"},
    {"open_array[2]",
     "-e:1:12: error: the size of open_array is not known\n"
     "  open_array[2]\n"
     "             ^\n"
     "hint: watch the array in the file that defines it"},
    {"callback",
     "-e:1:1: error: callback is of type void (void), which cannot be watched\n"
     "  callback\n"
     "  ^~~~~~~~"},
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
    {"-p",
     "-e:1:2: error: a pointer has no -\n"
     "  -p\n"
     "   ^\n"
     "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"p << 1",
     "-e:1:1: error: this cannot be done with a pointer\n"
     "  p << 1\n"
     "  ^\n"
     "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"temp -> x",
     "-e:1:6: error: temp is no pointer but int\n"
     "  temp -> x\n"
     "       ^~"},
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
     "hint: there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x) and age(x)"},
    {"&temp",
     "-e:1:1: error: this predicate names no variable and no event, so it would never be evaluated\n"
     "  &temp\n"
     "  ^~~~~\n"
     "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"*p",
     "-e:1:1: error: *p is a whole struct plant; a reference is one number\n"
     "  *p\n"
     "  ^~\n"
     "hint: name a member: p->x"},
    {"temp @ 3",
     "-e:1:6: error: expected an operator or { and actions\n"
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
    {"temp == 0x",
     "-e:1:9: error: this is not a number\n"
     "  temp == 0x\n"
     "          ^~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 09",
     "-e:1:9: error: this is not a number\n"
     "  temp == 09\n"
     "          ^~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 12ab",
     "-e:1:9: error: this is not a number\n"
     "  temp == 12ab\n"
     "          ^~~~\n"
     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
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
    {"old()",
     "-e:1:5: error: expected the name of a variable\n"
     "  old()\n"
     "      ^"},
    {"old(temp",
     "-e:1:9: error: expected ) after the argument of old\n"
     "  old(temp\n"
     "          ^\n"
     "hint: old(x) takes one variable"},
    {"old(temp + 1)",
     "-e:1:10: error: expected ) after the argument of old\n"
     "  old(temp + 1)\n"
     "           ^\n"
     "hint: old(x) takes one variable"},
    {"old(old(temp))",
     "-e:1:5: error: expected the name of a variable\n"
     "  old(old(temp))\n"
     "      ^~~\n"
     "hint: old(x) takes one variable"},
    {"enter(main",
     "-e:1:11: error: expected ) after the argument of enter\n"
     "  enter(main\n"
     "            ^\n"
     "hint: enter(f) and leave(f) take one procedure or one path to it"},
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
     "-e:1:6: error: expected `when` or `expect` after the statement's name\n"
     "  name:\n"
     "       ^\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"name: temp > 3",
     "-e:1:7: error: expected `when` or `expect` after the statement's name\n"
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
     "hint: actions are print, count, set, increment, decrement, reset, enable, disable, snapshot, trigger, stop, halt"},
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
     "hint: print takes variables, old(x), age(x), elapsed, path and counters: { print x, old(x) }"},
    {"when temp { print tmp }",
     "-e:1:19: error: there is no variable 'tmp' in the program\n"
     "  when temp { print tmp }\n"
     "                    ^~~"},
    {"when temp { print 3 }",
     "-e:1:19: error: expected the name of a variable\n"
     "  when temp { print 3 }\n"
     "                    ^\n"
     "hint: print takes variables, old(x), age(x), elapsed, path and counters: { print x, old(x) }"},
    {"when temp { print temp, }",
     "-e:1:25: error: expected the name of a variable\n"
     "  when temp { print temp, }\n"
     "                          ^\n"
     "hint: print takes variables, old(x), age(x), elapsed, path and counters: { print x, old(x) }"},
    {"when temp { print old(temp }",
     "-e:1:28: error: expected )\n"
     "  when temp { print old(temp }\n"
     "                             ^\n"
     "hint: old(x) and age(x) take one variable"},
    {"when temp { count a } }",
     "-e:1:23: error: expected an expression\n"
     "  when temp { count a } }\n"
     "                        ^"},
    {"a: when temp { print }\n"
     "a: when mode { print }",
     "-e:2:1: error: there is a statement 'a' already, at -e:1\n"
     "  a: when mode { print }\n"
     "  ^\n"
     "hint: each statement needs a name of its own"},
    {"when temp > 3 mode: when level",
     "-e:1:15: error: the statement before has no actions\n"
     "  when temp > 3 mode: when level\n"
     "                ^~~~\n"
     "hint: write { print } behind the statement before: only the last one may go without"},
    {"// temp",
     "-e:1:1: error: this is not how a comment begins\n"
     "  // temp\n"
     "  ^\n"
     "hint: a comment begins with # and ends with the line"},
    {"when temp > 3\n"
     "\t&&\ttmp\n"
     "\t== 3 { print }",
     "-e:2:5: error: there is no variable 'tmp' in the program\n"
     "  \t&&\ttmp\n"
     "  \t  \t^~~"},
    {"temp == \001 3",
     "-e:1:9: error: this character does not belong in a statement\n"
     "  temp == \? 3\n"
     "          ^"},
    {"t\377mp == 3",
     "-e:1:1: error: there is no variable 't\?mp' in the program\n"
     "  t\?mp == 3\n"
     "  ^~~~"},
    {"temp == \"x\"",
     "-e:1:12: error: expected \\ after a file's name\n"
     "  temp == \"x\"\n"
     "             ^\n"
     "hint: \"file.c\"\\variable"},
    {"temp > 3 within 5",
     "-e:1:17: error: this time has no unit\n"
     "  temp > 3 within 5\n"
     "                  ^\n"
     "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"mode for 10",
     "-e:1:10: error: this time has no unit\n"
     "  mode for 10\n"
     "           ^~\n"
     "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp unchanged",
     "-e:1:15: error: expected `for` and a time after unchanged\n"
     "  temp unchanged\n"
     "                ^\n"
     "hint: heartbeat unchanged for 10ms"},
    {"not temp",
     "-e:1:1: error: write ! for not\n"
     "  not temp\n"
     "  ^~~"},
    {"at(3)",
     "-e:1:4: error: expected a file's name\n"
     "  at(3)\n"
     "     ^\n"
     "hint: at(file.c:42); a name with other characters in quotes: at(\"my file.c\":42)"},
    {"age(temp) > 5",
     "-e:1:11: error: times go with times only\n"
     "  age(temp) > 5\n"
     "            ^\n"
     "hint: write a unit behind the number: 50us, 5ms, 100 cycles"},
    {"elapsed > 50",
     "-e:1:9: error: times go with times only\n"
     "  elapsed > 50\n"
     "          ^\n"
     "hint: write a unit behind the number: 50us, 5ms, 100 cycles"},
    {"expect always temp",
     "-e:1:8: error: there is no `expect always`\n"
     "  expect always temp\n"
     "         ^~~~~~\n"
     "hint: expect never !(E)"},
    {"main:temp",
     "-e:1:6: error: there is no procedure 'temp' in the program\n"
     "  main:temp\n"
     "       ^~~~\n"
     "hint: 'temp' is a variable: write(temp) is true at every write to it"},
    {"a:b\\x < 0",
     "-e:1:3: error: expected `when` or `expect` after the statement's name\n"
     "  a:b\\x < 0\n"
     "    ^\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"1:3:1\\a == 1:3\\x",
     "-e:1:3: error: clamp makes no call number 3\n"
     "  1:3:1\\a == 1:3\\x\n"
     "    ^"},
    {"when temp { set x }",
     "-e:1:19: error: expected a number\n"
     "  when temp { set x }\n"
     "                    ^\n"
     "hint: set hot = 0"},
    {"when temp { enable x }",
     "-e:1:20: error: there is no statement 'x'\n"
     "  when temp { enable x }\n"
     "                     ^\n"
     "hint: statements without a name are s1, s2, ..."},
    {"when temp { disable x }",
     "-e:1:21: error: there is no statement 'x'\n"
     "  when temp { disable x }\n"
     "                      ^\n"
     "hint: statements without a name are s1, s2, ..."},
    {"when temp { trigger x }",
     "-e:1:21: error: expected the number of a pin, 0 to 7\n"
     "  when temp { trigger x }\n"
     "                      ^\n"
     "hint: trigger 0"},
    {"when temp { stop x }",
     "-e:1:18: error: expected ; or }\n"
     "  when temp { stop x }\n"
     "                   ^\n"
     "hint: separate actions by ; and the items of print by commas"},
    {"when temp { halt x }",
     "-e:1:18: error: expected ; or }\n"
     "  when temp { halt x }\n"
     "                   ^\n"
     "hint: separate actions by ; and the items of print by commas"},
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
