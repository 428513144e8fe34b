/* Wrong statements over the program of fake_symbols.h, and the whole message that each of them gets. */
#ifndef TESTS_LANG_ERROR_TABLE_H
#define TESTS_LANG_ERROR_TABLE_H

static const struct {
    const char *text, *message;
} errors[] = {
    {"tmp > 3", "-e:1:1: error: there is no variable 'tmp' in the program\n"
                "  tmp > 3\n"
                "  ^~~"},
    {"tem > 3", "-e:1:1: error: there is no variable 'tem' in the program\n"
                "  tem > 3\n"
                "  ^~~\n"
                "hint: did you mean 'temp'\?"},
    {"when temp > 3 && modd == ARMED { print }", "-e:1:18: error: there is no variable 'modd' in the program\n"
                                                 "  when temp > 3 && modd == ARMED { print }\n"
                                                 "                   ^~~~\n"
                                                 "hint: did you mean 'mode'\?"},
    {"foo", "-e:1:1: error: there is no variable 'foo' in the program\n"
            "  foo\n"
            "  ^~~"},
    {"mode == ARMD", "-e:1:9: error: there is no variable 'ARMD' in the program\n"
                     "  mode == ARMD\n"
                     "          ^~~~"},
    {"control",
     "-e:1:1: error: 'control' is a procedure, not a variable\n"
     "  control\n"
     "  ^~~~~~~\n"
     "hint: enter(control) is true when it is entered, leave(control) when it is left, *:control while it is active"},
    {"leave(control) { print result(control) }", "-e:1:24: error: result(...) is in registers, which no bus shows\n"
                                                 "  leave(control) { print result(control) }\n"
                                                 "                         ^\n"
                                                 "hint: --replay evaluates statements where registers are known"},
    {"temp > 3 && reg(a0) == 1", "-e:1:13: error: reg(...) is in registers, which no bus shows\n"
                                 "  temp > 3 && reg(a0) == 1\n"
                                 "              ^\n"
                                 "hint: --replay evaluates statements where registers are known"},
    {"enter(contrl)", "-e:1:7: error: there is no procedure 'contrl' in the program\n"
                      "  enter(contrl)\n"
                      "        ^~~~~~\n"
                      "hint: did you mean 'control'\?"},
    {"enter(temp)", "-e:1:7: error: there is no procedure 'temp' in the program\n"
                    "  enter(temp)\n"
                    "        ^~~~\n"
                    "hint: 'temp' is a variable: write(temp) is true at every write to it"},
    {"leave(nobody)", "-e:1:7: error: there is no procedure 'nobody' in the program\n"
                      "  leave(nobody)\n"
                      "        ^~~~~~"},
    {"enter(same)", "-e:1:7: error: 'same' is ambiguous: 2 procedures have this name\n"
                    "  enter(same)\n"
                    "        ^~~~\n"
                    "hint: write a.c\\same (a.c:1) or b.c\\same (b.c:1)"},
    {"main:same\\x", "-e:1:6: error: 'same' is ambiguous: 2 procedures have this name\n"
                     "  main:same\\x\n"
                     "       ^~~~\n"
                     "hint: write a.c\\same (a.c:1) or b.c\\same (b.c:1)"},
    {"enter(c.c\\same)", "-e:1:7: error: file 'c.c' has no procedure 'same'\n"
                         "  enter(c.c\\same)\n"
                         "        ^~~~~~~~\n"
                         "hint: write a.c\\same (a.c:1)"},
    {"enter(a.c\\9)", "-e:1:11: error: expected the name of a procedure\n"
                      "  enter(a.c\\9)\n"
                      "            ^\n"
                      "hint: file.c\\procedure"},
    {"main:a.c\\fact\\n", "-e:1:6: error: file 'a.c' has no procedure 'fact'\n"
                          "  main:a.c\\fact\\n\n"
                          "       ^~~~~~~~\n"
                          "hint: write fact (other.c:5)"},
    {"clamp:b.c\\same", "-e:1:7: error: clamp does not call b.c\\same\n"
                        "  clamp:b.c\\same\n"
                        "        ^~~~~~~~\n"
                        "hint: clamp:*:b.c\\same is b.c\\same however deep inside of clamp"},
    {"clamp\\hi", "-e:1:1: error: procedure 'clamp' has no variable 'hi'\n"
                  "  clamp\\hi\n"
                  "  ^~~~~~~~"},
    {"clamp\\delta", "-e:1:1: error: procedure 'clamp' has no variable 'delta'\n"
                     "  clamp\\delta\n"
                     "  ^~~~~~~~~~~\n"
                     "hint: there is control\\delta"},
    {"nobody\\x", "-e:1:1: error: there is no procedure 'nobody' in the program\n"
                  "  nobody\\x\n"
                  "  ^~~~~~~"},
    {"third.c\\state", "-e:1:1: error: file 'third.c' has no file-scope variable 'state'\n"
                       "  third.c\\state\n"
                       "  ^~~~~~~~~~~~~\n"
                       "hint: a file's name goes before the name of a file-scope variable: file.c\\x"},
    {"other.c\\lo", "-e:1:1: error: file 'other.c' has no file-scope variable 'lo'\n"
                    "  other.c\\lo\n"
                    "  ^~~~~~~~~~\n"
                    "hint: a file's name goes before the name of a file-scope variable: file.c\\x"},
    {"both", "-e:1:1: error: 'both' is ambiguous: 2 variables have this name\n"
             "  both\n"
             "  ^~~~\n"
             "hint: write clamp\\both (src/thermostat.c:21) or control\\both (src/thermostat.c:32)"},
    {"state > 3", "-e:1:1: error: 'state' is ambiguous: 2 variables have this name\n"
                  "  state > 3\n"
                  "  ^~~~~\n"
                  "hint: write thermostat.c\\state (src/thermostat.c:10) or other.c\\state (other.c:3)"},
    {"nested", "-e:1:1: error: 'nested' is ambiguous: 2 variables have this name\n"
               "  nested\n"
               "  ^~~~~~\n"
               "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested (src/thermostat.c:38); "
               "choose by the line of the declaration: control\\nested@34"},
    {"control\\nested", "-e:1:1: error: 'nested' is ambiguous: 2 variables have this name\n"
                        "  control\\nested\n"
                        "  ^~~~~~~~~~~~~~\n"
                        "hint: candidates: control\\nested (src/thermostat.c:34) or control\\nested "
                        "(src/thermostat.c:38); choose by the line of the declaration: control\\nested@34"},
    {"gone", "-e:1:1: error: 'other.c\\gone' is not observable: the compiler removed it: compile with -O0\n"
             "  gone\n"
             "  ^~~~"},
    {"fast == 2", "-e:1:1: error: 'control\\fast' is not observable: is in register a5 in thermostat.c:33-36: "
                  "compile this file with -O0\n"
                  "  fast == 2\n"
                  "  ^~~~"},
    {"\"other.c\" + 1", "-e:1:11: error: expected \\ after a file's name\n"
                        "  \"other.c\" + 1\n"
                        "            ^\n"
                        "hint: \"file.c\"\\variable"},
    {"clamp\\", "-e:1:7: error: expected the name of a variable\n"
                "  clamp\\\n"
                "        ^\n"
                "hint: procedure\\variable or file.c\\variable"},
    {"\"other.c\\state", "-e:1:1: error: this string has no end\n"
                         "  \"other.c\\state\n"
                         "  ^~~~~~~~~~~~~~"},
    {"plant", "-e:1:1: error: plant is a whole struct plant; a reference is one number\n"
              "  plant\n"
              "  ^~~~~\n"
              "hint: name a member: plant.temp"},
    {"grid > 1", "-e:1:1: error: grid is a whole array; a reference is one number\n"
                 "  grid > 1\n"
                 "  ^~~~\n"
                 "hint: name an element: grid[0]"},
    {"grid[1]", "-e:1:1: error: grid[1] is a whole array; a reference is one number\n"
                "  grid[1]\n"
                "  ^~~~~~~\n"
                "hint: name an element: grid[1][0]"},
    {"plant.temperature", "-e:1:7: error: struct plant has no member 'temperature'\n"
                          "  plant.temperature\n"
                          "        ^~~~~~~~~~~\n"
                          "hint: it has temp, a, b, c, array, word"},
    {"plant.", "-e:1:7: error: expected the name of a member\n"
               "  plant.\n"
               "        ^\n"
               "hint: it has temp, a, b, c, array, word"},
    {"temp.x", "-e:1:5: error: temp is no struct but int\n"
               "  temp.x\n"
               "      ^"},
    {"temp[1]", "-e:1:5: error: temp is no array but int\n"
                "  temp[1]\n"
                "      ^"},
    {"p.temp", "-e:1:2: error: p is a pointer\n"
               "  p.temp\n"
               "   ^\n"
               "hint: write -> instead of ."},
    {"p[1]", "-e:1:1: error: p[1] is a whole struct plant; a reference is one number\n"
             "  p[1]\n"
             "  ^~~~\n"
             "hint: name a member: p[1].temp"},
    {"plant.array[4]", "-e:1:13: error: index 4 is outside of plant.array, which has elements 0 to 3\n"
                       "  plant.array[4]\n"
                       "              ^"},
    {"grid[-1][0]", "-e:1:6: error: index -1 is outside of grid, which has elements 0 to 2\n"
                    "  grid[-1][0]\n"
                    "       ^~"},
    {"grid[0][0x80000000]", "-e:1:9: error: index 2147483648 is outside of grid[0], which has elements 0 to 3\n"
                            "  grid[0][0x80000000]\n"
                            "          ^~~~~~~~~~"},
    {"grid[1", "-e:1:7: error: expected ]\n"
               "  grid[1\n"
               "        ^"},
    {"open_array[2]", "-e:1:12: error: the size of open_array is not known\n"
                      "  open_array[2]\n"
                      "             ^\n"
                      "hint: watch the array in the file that defines it"},
    {"callback", "-e:1:1: error: callback is of type void (void), which cannot be watched\n"
                 "  callback\n"
                 "  ^~~~~~~~"},
    {"temp > 3 / 0", "-e:1:10: error: division by zero\n"
                     "  temp > 3 / 0\n"
                     "           ^"},
    {"temp = 3", "-e:1:6: error: = would assign, and monitoring changes nothing\n"
                 "  temp = 3\n"
                 "       ^\n"
                 "hint: write == to compare"},
    {"temp += 3", "-e:1:6: error: this would assign, and monitoring changes nothing\n"
                  "  temp += 3\n"
                  "       ^~"},
    {"temp++", "-e:1:5: error: this would assign, and monitoring changes nothing\n"
               "  temp++\n"
               "      ^~"},
    {"temp << 32", "-e:1:9: error: a shift of a 32-bit value takes 0 to 31\n"
                   "  temp << 32\n"
                   "          ^~"},
    {"-p", "-e:1:2: error: a pointer has no -\n"
           "  -p\n"
           "   ^\n"
           "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"p << 1", "-e:1:1: error: this cannot be done with a pointer\n"
               "  p << 1\n"
               "  ^\n"
               "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"temp -> x", "-e:1:6: error: temp is no pointer but int\n"
                  "  temp -> x\n"
                  "       ^~"},
    {"sizeof(temp)", "-e:1:1: error: sizeof is not available\n"
                     "  sizeof(temp)\n"
                     "  ^~~~~~\n"
                     "hint: write the number"},
    {"control(3)", "-e:1:1: error: procedures of the program cannot be called\n"
                   "  control(3)\n"
                   "  ^~~~~~~\n"
                   "hint: enter(control) is true when it is entered, leave(control) when it is left"},
    {"printf(3)", "-e:1:1: error: there is no 'printf(...)'\n"
                  "  printf(3)\n"
                  "  ^~~~~~\n"
                  "hint: there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x), age(x), and on the "
                  "replay result(f) and reg(a0)"},
    {"&temp", "-e:1:1: error: this predicate names no variable and no event, so it would never be evaluated\n"
              "  &temp\n"
              "  ^~~~~\n"
              "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"*p", "-e:1:1: error: *p is a whole struct plant; a reference is one number\n"
           "  *p\n"
           "  ^~\n"
           "hint: name a member: p->x"},
    {"temp @ 3", "-e:1:6: error: expected an operator or { and actions\n"
                 "  temp @ 3\n"
                 "       ^"},
    {"temp ! 3", "-e:1:6: error: expected an operator or { and actions\n"
                 "  temp ! 3\n"
                 "       ^"},
    {"temp > ", "-e:1:8: error: the statement ends where an expression was expected\n"
                "  temp > \n"
                "         ^"},
    {"temp > > 3", "-e:1:8: error: expected an expression\n"
                   "  temp > > 3\n"
                   "         ^"},
    {"(temp > 3", "-e:1:1: error: this ( has no )\n"
                  "  (temp > 3\n"
                  "  ^"},
    {"temp > 3)", "-e:1:9: error: expected an operator or { and actions\n"
                  "  temp > 3)\n"
                  "          ^"},
    {"()", "-e:1:2: error: expected an expression\n"
           "  ()\n"
           "   ^"},
    {"temp 3", "-e:1:6: error: expected an operator or { and actions\n"
               "  temp 3\n"
               "       ^"},
    {"temp mode", "-e:1:6: error: expected an operator or { and actions\n"
                  "  temp mode\n"
                  "       ^~~~"},
    {"temp == 0x", "-e:1:9: error: this is not a number\n"
                   "  temp == 0x\n"
                   "          ^~\n"
                   "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 09", "-e:1:9: error: this is not a number\n"
                   "  temp == 09\n"
                   "          ^~\n"
                   "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 12ab", "-e:1:9: error: this is not a number\n"
                     "  temp == 12ab\n"
                     "          ^~~~\n"
                     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 'ab'", "-e:1:9: error: this is not a character constant\n"
                     "  temp == 'ab'\n"
                     "          ^\n"
                     "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"temp == ''", "-e:1:9: error: this is not a character constant\n"
                   "  temp == ''\n"
                   "          ^\n"
                   "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"temp == '\\q'", "-e:1:9: error: this is not a character constant\n"
                      "  temp == '\\q'\n"
                      "          ^\n"
                      "hint: write one character: 'a', '\\n', '\\x1b' or '\\0'"},
    {"old()", "-e:1:5: error: expected the name of a variable\n"
              "  old()\n"
              "      ^"},
    {"old(temp", "-e:1:9: error: expected ) after the argument of old\n"
                 "  old(temp\n"
                 "          ^\n"
                 "hint: old(x) takes one variable"},
    {"old(temp + 1)", "-e:1:10: error: expected ) after the argument of old\n"
                      "  old(temp + 1)\n"
                      "           ^\n"
                      "hint: old(x) takes one variable"},
    {"old(old(temp))", "-e:1:5: error: expected the name of a variable\n"
                       "  old(old(temp))\n"
                       "      ^~~\n"
                       "hint: old(x) takes one variable"},
    {"enter(main", "-e:1:11: error: expected ) after the argument of enter\n"
                   "  enter(main\n"
                   "            ^\n"
                   "hint: enter(f) and leave(f) take one procedure or one path to it"},
    {"write(3)", "-e:1:7: error: expected the name of a variable\n"
                 "  write(3)\n"
                 "        ^"},
    {"enter()", "-e:1:7: error: expected the name of a procedure\n"
                "  enter()\n"
                "        ^"},
    {"temp && !write(temp)",
     "-e:1:1: error: at each of its events this predicate is false, so it would never be true\n"
     "  temp && !write(temp)\n"
     "  ^~~~~~~~~~~~~~~~~~~~\n"
     "hint: an event is one write, one enter or one leave: join events with ||, or one after the other with then"},
    {"when enter(clamp) && leave(clamp) then write(temp) { print }",
     "-e:1:6: error: at each of its events this predicate is false, so it would never be true\n"
     "  when enter(clamp) && leave(clamp) then write(temp) { print }\n"
     "       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
     "hint: an event is one write, one enter or one leave: join events with ||, or one after the other with then"},
    {"1 > 2", "-e:1:1: error: this predicate names no variable and no event, so it would never be evaluated\n"
              "  1 > 2\n"
              "  ^~~~~\n"
              "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"when (1) { print temp }",
     "-e:1:6: error: this predicate names no variable and no event, so it would never be evaluated\n"
     "  when (1) { print temp }\n"
     "       ^~~\n"
     "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"", "-e:1:1: error: there is no statement here\n"
         "  \n"
         "  ^\n"
         "hint: for example: when temp > 80 { print temp }"},
    {"# nothing", "-e:1:10: error: there is no statement here\n"
                  "  # nothing\n"
                  "           ^\n"
                  "hint: for example: when temp > 80 { print temp }"},
    {"name:", "-e:1:6: error: expected a predicate\n"
              "  name:\n"
              "       ^\n"
              "hint: for example: when temp > 80 { print temp }"},
    {"name:temp > 3", "-e:1:1: error: there is no procedure 'name' in the program\n"
                      "  name:temp > 3\n"
                      "  ^~~~"},
    {"when", "-e:1:5: error: expected a predicate\n"
             "  when\n"
             "      ^\n"
             "hint: for example: when temp > 80 { print temp }"},
    {"when { print }", "-e:1:6: error: expected a predicate\n"
                       "  when { print }\n"
                       "       ^\n"
                       "hint: for example: when temp > 80 { print temp }"},
    {"when temp { }", "-e:1:11: error: a statement needs an action\n"
                      "  when temp { }\n"
                      "            ^~~\n"
                      "hint: write { print }"},
    {"when temp { print temp", "-e:1:11: error: this { has no }\n"
                               "  when temp { print temp\n"
                               "            ^"},
    {"when temp { frobnicate }",
     "-e:1:13: error: expected an action\n"
     "  when temp { frobnicate }\n"
     "              ^~~~~~~~~~\n"
     "hint: actions are print, hist, stats, count, set, increment, decrement, reset, enable, disable, "
     "snapshot, trigger, stop, halt"},
    {"when temp { print temp mode }", "-e:1:24: error: expected ; or }\n"
                                      "  when temp { print temp mode }\n"
                                      "                         ^~~~\n"
                                      "hint: separate actions by ; and the items of print by commas"},
    {"when temp { count }", "-e:1:19: error: expected the name of a counter\n"
                            "  when temp { count }\n"
                            "                    ^\n"
                            "hint: a counter needs no declaration: { count overheats }"},
    {"when temp { count a, b }", "-e:1:20: error: expected ; between actions\n"
                                 "  when temp { count a, b }\n"
                                 "                     ^\n"
                                 "hint: { count a; print x, y }"},
    {"when temp { print temp + 1 }", "-e:1:24: error: expected ; or }\n"
                                     "  when temp { print temp + 1 }\n"
                                     "                         ^\n"
                                     "hint: separate actions by ; and the items of print by commas"},
    {"when temp { print enter(main) }", "-e:1:19: error: this cannot be printed\n"
                                        "  when temp { print enter(main) }\n"
                                        "                    ^~~~~\n"
                                        "hint: print takes variables, old(x), age(x), elapsed, which(x), path, "
                                        "backtrace and counters: { print x, old(x) }"},
    {"when temp { print tmp }", "-e:1:19: error: there is no variable 'tmp' in the program\n"
                                "  when temp { print tmp }\n"
                                "                    ^~~"},
    {"when temp { print 3 }", "-e:1:19: error: expected the name of a variable\n"
                              "  when temp { print 3 }\n"
                              "                    ^\n"
                              "hint: print takes variables, old(x), age(x), elapsed, which(x), path, backtrace and "
                              "counters: { print x, old(x) }"},
    {"when temp { print temp, }", "-e:1:25: error: expected the name of a variable\n"
                                  "  when temp { print temp, }\n"
                                  "                          ^\n"
                                  "hint: print takes variables, old(x), age(x), elapsed, which(x), path, backtrace and "
                                  "counters: { print x, old(x) }"},
    {"when temp { print old(temp }", "-e:1:28: error: expected )\n"
                                     "  when temp { print old(temp }\n"
                                     "                             ^\n"
                                     "hint: old(x) and age(x) take one variable"},
    {"when temp { count a } }", "-e:1:23: error: expected an expression\n"
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
     "hint: write { print } after the statement before: only the last one may go without"},
    {"// temp", "-e:1:1: error: this is not how a comment begins\n"
                "  // temp\n"
                "  ^\n"
                "hint: a comment begins with # and ends with the line"},
    {"when temp > 3\n"
     "\t&&\ttmp\n"
     "\t== 3 { print }",
     "-e:2:5: error: there is no variable 'tmp' in the program\n"
     "  \t&&\ttmp\n"
     "  \t  \t^~~"},
    {"temp == \001 3", "-e:1:9: error: this character does not belong in a statement\n"
                       "  temp == \? 3\n"
                       "          ^"},
    {"t\377mp == 3", "-e:1:1: error: there is no variable 't\?mp' in the program\n"
                     "  t\?mp == 3\n"
                     "  ^~~~"},
    {"temp > 3 within 5", "-e:1:17: error: this time has no unit\n"
                          "  temp > 3 within 5\n"
                          "                  ^\n"
                          "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"mode for 10", "-e:1:10: error: this time has no unit\n"
                    "  mode for 10\n"
                    "           ^~\n"
                    "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp unchanged", "-e:1:15: error: expected `for` and a time after unchanged\n"
                       "  temp unchanged\n"
                       "                ^\n"
                       "hint: heartbeat unchanged for 10ms"},
    {"not temp", "-e:1:1: error: write ! for not\n"
                 "  not temp\n"
                 "  ^~~"},
    {"at(0x1)", "-e:1:4: error: no instruction begins there\n"
                "  at(0x1)\n"
                "     ^~~\n"
                "hint: _start begins at 0x0, and its instructions have 2 or 4 bytes"},
    {"at(0x20000)", "-e:1:4: error: no instruction begins there\n"
                    "  at(0x20000)\n"
                    "     ^~~~~~~\n"
                    "hint: at(0x1234) takes the address of an instruction in a procedure"},
    {"at(3)", "-e:1:4: error: expected a file's name\n"
              "  at(3)\n"
              "     ^\n"
              "hint: at(file.c:42); a name with other characters in quotes: at(\"my file.c\":42)"},
    {"age(temp) > 5", "-e:1:11: error: times combine with times only\n"
                      "  age(temp) > 5\n"
                      "            ^\n"
                      "hint: write a unit after the number: 50us, 5ms, 100 cycles"},
    {"elapsed > 50", "-e:1:9: error: times combine with times only\n"
                     "  elapsed > 50\n"
                     "          ^\n"
                     "hint: write a unit after the number: 50us, 5ms, 100 cycles"},
    {"expect always temp", "-e:1:8: error: there is no `expect always`\n"
                           "  expect always temp\n"
                           "         ^~~~~~\n"
                           "hint: expect never !(E)"},
    {"main:temp", "-e:1:6: error: there is no procedure 'temp' in the program\n"
                  "  main:temp\n"
                  "       ^~~~\n"
                  "hint: 'temp' is a variable: write(temp) is true at every write to it"},
    {"a:b\\x < 0", "-e:1:1: error: there is no procedure 'a' in the program\n"
                   "  a:b\\x < 0\n"
                   "  ^"},
    {"1:3:1\\a == 1:3\\x", "-e:1:3: error: clamp makes no call number 3\n"
                           "  1:3:1\\a == 1:3\\x\n"
                           "    ^"},
    {"when temp { set x }", "-e:1:19: error: expected a number\n"
                            "  when temp { set x }\n"
                            "                    ^\n"
                            "hint: set hot = 0"},
    {"when temp { enable x }", "-e:1:20: error: there is no statement 'x'\n"
                               "  when temp { enable x }\n"
                               "                     ^\n"
                               "hint: statements without a name are s1, s2, ..."},
    {"when temp { disable x }", "-e:1:21: error: there is no statement 'x'\n"
                                "  when temp { disable x }\n"
                                "                      ^\n"
                                "hint: statements without a name are s1, s2, ..."},
    {"when temp { trigger x }", "-e:1:21: error: expected the number of a pin, 0 to 7\n"
                                "  when temp { trigger x }\n"
                                "                      ^\n"
                                "hint: trigger 0"},
    {"when temp { stop x }", "-e:1:18: error: expected ; or }\n"
                             "  when temp { stop x }\n"
                             "                   ^\n"
                             "hint: separate actions by ; and the items of print by commas"},
    {"when temp { halt x }", "-e:1:18: error: expected ; or }\n"
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
    {"when temp { print elapsed }", "-e:1:19: error: elapsed counts from an event before this one, and there is none\n"
                                    "  when temp { print elapsed }\n"
                                    "                    ^~~~~~~\n"
                                    "hint: when enter(f) then leave(f) { print elapsed }"},
    {"when temp { set c = level }", "-e:1:21: error: a counter is set to a constant of 32 bits\n"
                                    "  when temp { set c = level }\n"
                                    "                      ^~~~~\n"
                                    "hint: set hot = 0"},
    {"when temp { set c = 1.5 }", "-e:1:21: error: a counter is set to a constant of 32 bits\n"
                                  "  when temp { set c = 1.5 }\n"
                                  "                      ^~~\n"
                                  "hint: set hot = 0"},
    {"when temp { set c = }", "-e:1:21: error: expected a number\n"
                              "  when temp { set c = }\n"
                              "                      ^\n"
                              "hint: set hot = 0"},
    {"when temp { set c = + }", "-e:1:23: error: expected an expression\n"
                                "  when temp { set c = + }\n"
                                "                        ^"},
    {"when temp { disable }", "-e:1:21: error: expected the name of a statement\n"
                              "  when temp { disable }\n"
                              "                      ^\n"
                              "hint: name: when ... { disable name }"},
    {"when temp { disable 3 }", "-e:1:21: error: expected the name of a statement\n"
                                "  when temp { disable 3 }\n"
                                "                      ^\n"
                                "hint: name: when ... { disable name }"},
    {"when temp { snapshot memory(level, 4) }", "-e:1:29: error: addresses and sizes are constants of 32 bits\n"
                                                "  when temp { snapshot memory(level, 4) }\n"
                                                "                              ^~~~~\n"
                                                "hint: memory(0x20000, 64)"},
    {"when temp { snapshot memory(3 }", "-e:1:31: error: expected ,\n"
                                        "  when temp { snapshot memory(3 }\n"
                                        "                                ^\n"
                                        "hint: memory(0x20000, 64): address and number of bytes"},
    {"when temp { snapshot memory(3, 4 }", "-e:1:34: error: expected )\n"
                                           "  when temp { snapshot memory(3, 4 }\n"
                                           "                                   ^\n"
                                           "hint: memory(0x20000, 64): address and number of bytes"},
    {"when temp { snapshot memory(3, 0) }", "-e:1:22: error: there is no such range of memory\n"
                                            "  when temp { snapshot memory(3, 0) }\n"
                                            "                       ^~~~~~~~~~~~\n"
                                            "hint: memory(ADDRESS, BYTES)"},
    {"when temp { snapshot memory(0xFFFFFFF0, 0x20) }", "-e:1:22: error: there is no such range of memory\n"
                                                        "  when temp { snapshot memory(0xFFFFFFF0, 0x20) }\n"
                                                        "                       ^~~~~~~~~~~~~~~~~~~~~~~~\n"
                                                        "hint: memory(ADDRESS, BYTES)"},
    {"when temp { snapshot memory(+) }", "-e:1:30: error: expected an expression\n"
                                         "  when temp { snapshot memory(+) }\n"
                                         "                               ^"},
    {"when temp { snapshot open_array }", "-e:1:22: error: the size of open_array is not known\n"
                                          "  when temp { snapshot open_array }\n"
                                          "                       ^~~~~~~~~~\n"
                                          "hint: memory(ADDRESS, BYTES)"},
    {"when temp { snapshot 3 }", "-e:1:22: error: expected a variable or memory(ADDRESS, BYTES)\n"
                                 "  when temp { snapshot 3 }\n"
                                 "                       ^\n"
                                 "hint: snapshot plant, memory(0x20000, 64)"},
    {"when temp { snapshot missing }", "-e:1:22: error: there is no variable 'missing' in the program\n"
                                       "  when temp { snapshot missing }\n"
                                       "                       ^~~~~~~"},
    {"when temp { trigger 8 }", "-e:1:21: error: expected the number of a pin, 0 to 7\n"
                                "  when temp { trigger 8 }\n"
                                "                      ^\n"
                                "hint: trigger 0"},
    {"when temp { stop now }", "-e:1:18: error: expected ; or }\n"
                               "  when temp { stop now }\n"
                               "                   ^~~\n"
                               "hint: separate actions by ; and the items of print by commas"},
    {"when temp { print age(temp }", "-e:1:28: error: expected )\n"
                                     "  when temp { print age(temp }\n"
                                     "                             ^\n"
                                     "hint: old(x) and age(x) take one variable"},
    {"elapsed > 5us", "-e:1:1: error: elapsed counts from an event before this one, and there is none\n"
                      "  elapsed > 5us\n"
                      "  ^~~~~~~~~~~~~\n"
                      "hint: enter(f) then leave(f) && elapsed > 50us"},
    {"elapsed > 5us && enter(main) then leave(main)",
     "-e:1:1: error: elapsed counts from an event before this one, and there is none\n"
     "  elapsed > 5us && enter(main) then leave(main)\n"
     "  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
     "hint: enter(f) then leave(f) && elapsed > 50us"},
    {"elapsed", "-e:1:1: error: a time alone is no condition\n"
                "  elapsed\n"
                "  ^~~~~~~\n"
                "hint: compare it: elapsed > 50us"},
    {"age(temp)", "-e:1:1: error: a time alone is no condition\n"
                  "  age(temp)\n"
                  "  ^~~~~~~~~\n"
                  "hint: compare it: elapsed > 50us"},
    {"when temp then mode then elapsed { print }", "-e:1:26: error: a time alone is no condition\n"
                                                   "  when temp then mode then elapsed { print }\n"
                                                   "                           ^~~~~~~\n"
                                                   "hint: compare it: elapsed > 50us"},
    {"temp then", "-e:1:10: error: the statement ends where an expression was expected\n"
                  "  temp then\n"
                  "           ^"},
    {"temp and", "-e:1:9: error: the statement ends where an expression was expected\n"
                 "  temp and\n"
                 "          ^"},
    {"temp or { print }", "-e:1:9: error: expected an expression\n"
                          "  temp or { print }\n"
                          "          ^"},
    {"(temp then mode", "-e:1:1: error: this ( has no )\n"
                        "  (temp then mode\n"
                        "  ^"},
    {"(temp then mode + 3", "-e:1:1: error: this ( has no )\n"
                            "  (temp then mode + 3\n"
                            "  ^"},
    {"(temp then mode) && level", "-e:1:18: error: events joined by then, and, or have no value to calculate with\n"
                                  "  (temp then mode) && level\n"
                                  "                   ^~\n"
                                  "hint: && and || join conditions on one event; `and`, `or`, `then` join events"},
    {"(temp then mode) + 1", "-e:1:18: error: events joined by then, and, or have no value to calculate with\n"
                             "  (temp then mode) + 1\n"
                             "                   ^\n"
                             "hint: && and || join conditions on one event; `and`, `or`, `then` join events"},
    {"temp within 5ms", "-e:1:6: error: `within` limits how long an event of several parts may take\n"
                        "  temp within 5ms\n"
                        "       ^~~~~~~~~~\n"
                        "hint: A then B within 5ms, (A and B) within 5ms; a condition that lasts is: E for 5ms"},
    {"temp or mode within 5ms",
     "-e:1:14: error: `within` limits how long an event of several parts may take\n"
     "  temp or mode within 5ms\n"
     "               ^~~~~~~~~~\n"
     "hint: A then B within 5ms, (A and B) within 5ms; a condition that lasts is: E for 5ms"},
    {"temp then mode within 5ms then level",
     "-e:1:27: error: `within` ends an event: put the part that it limits in parentheses\n"
     "  temp then mode within 5ms then level\n"
     "                            ^~~~\n"
     "hint: (A then B within 5ms) then C"},
    {"temp then mode within", "-e:1:22: error: expected a time after `within`\n"
                              "  temp then mode within\n"
                              "                       ^\n"
                              "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp then mode within level", "-e:1:23: error: expected a time after `within`\n"
                                    "  temp then mode within level\n"
                                    "                        ^~~~~\n"
                                    "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp then mode within 0us", "-e:1:23: error: this time is 0\n"
                                  "  temp then mode within 0us\n"
                                  "                        ^~~"},
    {"temp for", "-e:1:9: error: expected a time after `for`\n"
                 "  temp for\n"
                 "          ^\n"
                 "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp for 3 level", "-e:1:10: error: this time has no unit\n"
                         "  temp for 3 level\n"
                         "           ^\n"
                         "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp for 1.0005us", "-e:1:10: error: times are whole nanoseconds\n"
                          "  temp for 1.0005us\n"
                          "           ^~~~~~~~\n"
                          "hint: for example 5ms, 1.5us, 100 cycles"},
    {"temp for 1.5 cycles", "-e:1:10: error: cycles are whole\n"
                            "  temp for 1.5 cycles\n"
                            "           ^~~~~~~~~~\n"
                            "hint: for example 5ms, 1.5us, 100 cycles"},
    {"temp for 1e3ms", "-e:1:10: error: a time is written as 5ms, 1.5us or 100 cycles\n"
                       "  temp for 1e3ms\n"
                       "           ^~~~~\n"
                       "hint: for example 5ms, 1.5us, 100 cycles"},
    {"temp for 99999999999999999999s", "-e:1:10: error: this time is too long\n"
                                       "  temp for 99999999999999999999s\n"
                                       "           ^~~~~~~~~~~~~~~~~~~~~\n"
                                       "hint: for example 5ms, 1.5us, 100 cycles"},
    {"temp for 99999999999999999999 s", "-e:1:10: error: this number does not fit 64 bits\n"
                                        "  temp for 99999999999999999999 s\n"
                                        "           ^~~~~~~~~~~~~~~~~~~~\n"
                                        "hint: the largest constant is 18446744073709551615u"},
    {"temp unchanged for", "-e:1:19: error: expected a time after `for`\n"
                           "  temp unchanged for\n"
                           "                    ^\n"
                           "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp unchanged for x", "-e:1:20: error: expected a time after `for`\n"
                             "  temp unchanged for x\n"
                             "                     ^\n"
                             "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"temp + 1 unchanged for 5ms", "-e:1:1: error: `unchanged` goes after one variable\n"
                                   "  temp + 1 unchanged for 5ms\n"
                                   "  ^~~~~~~~\n"
                                   "hint: heartbeat unchanged for 10ms"},
    {"temp becomes", "-e:1:13: error: the statement ends where an expression was expected\n"
                     "  temp becomes\n"
                     "              ^"},
    {"temp becomes enter(main)", "-e:1:14: error: becomes compares variables and constants\n"
                                 "  temp becomes enter(main)\n"
                                 "               ^~~~~~~~~~~\n"
                                 "hint: x becomes 3 is: x == 3 && old(x) != 3"},
    {"1 becomes 2", "-e:1:1: error: becomes needs a variable\n"
                    "  1 becomes 2\n"
                    "  ^\n"
                    "hint: mode becomes ARMED"},
    {"temp becomes missing", "-e:1:14: error: there is no variable 'missing' in the program\n"
                             "  temp becomes missing\n"
                             "               ^~~~~~~"},
    {"level (", "-e:1:1: error: there is no 'level(...)'\n"
                "  level (\n"
                "  ^~~~~\n"
                "hint: there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x), age(x), and on the "
                "replay result(f) and reg(a0)"},
    {"temp main:control", "-e:1:6: error: expected an operator or { and actions\n"
                          "  temp main:control\n"
                          "       ^~~~"},
    {"temp \\ 3", "-e:1:8: error: expected the name of a variable\n"
                  "  temp \\ 3\n"
                  "         ^\n"
                  "hint: procedure\\variable or file.c\\variable"},
    {"temp : 3", "-e:1:8: error: this predicate names no variable and no event, so it would never be evaluated\n"
                 "  temp : 3\n"
                 "         ^\n"
                 "hint: name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered"},
    {"(temp).x", "-e:1:7: error: only variables have members and elements\n"
                 "  (temp).x\n"
                 "        ^\n"
                 "hint: write p->x instead of (*p).x, p[2] instead of (p + 2)[0]"},
    {"temp until mode", "-e:1:6: error: there is no `until`\n"
                        "  temp until mode\n"
                        "       ^~~~~\n"
                        "hint: A then B, within T or for T"},
    {"temp \? 1", "-e:1:9: error: expected :\n"
                  "  temp \? 1\n"
                  "          ^\n"
                  "hint: condition \? a : b"},
    {"temp \? 1 : ", "-e:1:12: error: the statement ends where an expression was expected\n"
                     "  temp \? 1 : \n"
                     "             ^"},
    {"temp \? 1 ; 2", "-e:1:10: error: expected :\n"
                      "  temp \? 1 ; 2\n"
                      "           ^\n"
                      "hint: condition \? a : b"},
    {"temp \? (missing) : 2", "-e:1:9: error: there is no variable 'missing' in the program\n"
                              "  temp \? (missing) : 2\n"
                              "          ^~~~~~~"},
    {"temp \? ratio : age(mode)", "-e:1:1: error: times combine with times only\n"
                                  "  temp \? ratio : age(mode)\n"
                                  "  ^~~~\n"
                                  "hint: write a unit after the number: 50us, 5ms, 100 cycles"},
    {"(void)temp", "-e:1:2: error: only casts to numbers are possible\n"
                   "  (void)temp\n"
                   "   ^~~~\n"
                   "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(struct plant)temp", "-e:1:2: error: only casts to numbers are possible\n"
                           "  (struct plant)temp\n"
                           "   ^~~~~~\n"
                           "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(int *)delta16", "-e:1:8: error: delta16 is no pointer but short int\n"
                       "  (int *)delta16\n"
                       "         ^~~~~~~"},
    {"(unsigned signed)temp", "-e:1:2: error: only casts to numbers are possible\n"
                              "  (unsigned signed)temp\n"
                              "   ^~~~~~~~~~~~~~~\n"
                              "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(char int)temp", "-e:1:2: error: only casts to numbers are possible\n"
                       "  (char int)temp\n"
                       "   ^~~~~~~~\n"
                       "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(long long long)temp", "-e:1:2: error: only casts to numbers are possible\n"
                             "  (long long long)temp\n"
                             "   ^~~~~~~~~~~~~~\n"
                             "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(int", "-e:1:2: error: only casts to numbers are possible\n"
             "  (int\n"
             "   ^~~\n"
             "hint: (int), (unsigned char), (uint16_t), (long long), (float), (bool), ..."},
    {"(int)", "-e:1:6: error: the statement ends where an expression was expected\n"
              "  (int)\n"
              "       ^"},
    {"(int)missing", "-e:1:6: error: there is no variable 'missing' in the program\n"
                     "  (int)missing\n"
                     "       ^~~~~~~"},
    {"(float)age(temp) > 1", "-e:1:8: error: a time cannot be cast\n"
                             "  (float)age(temp) > 1\n"
                             "         ^~~~~~~~~"},
    {"(temp(3", "-e:1:2: error: there is no 'temp(...)'\n"
                "  (temp(3\n"
                "   ^~~~\n"
                "hint: there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x), age(x), and on the "
                "replay result(f) and reg(a0)"},
    {"temp == 1.5x", "-e:1:9: error: this is not a number\n"
                     "  temp == 1.5x\n"
                     "          ^~~~\n"
                     "hint: write 1.5, 1e-3 or 1.5f"},
    {"temp == 1.5.2", "-e:1:9: error: this is not a number\n"
                      "  temp == 1.5.2\n"
                      "          ^~~~~\n"
                      "hint: write 1.5, 1e-3 or 1.5f"},
    {"temp == 1e999", "-e:1:9: error: this number is too large\n"
                      "  temp == 1e999\n"
                      "          ^~~~~"},
    {"temp == 1e39f", "-e:1:9: error: this number is too large\n"
                      "  temp == 1e39f\n"
                      "          ^~~~~"},
    {"temp == 1lul", "-e:1:9: error: this is not a number\n"
                     "  temp == 1lul\n"
                     "          ^~~~\n"
                     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 5luu", "-e:1:9: error: this is not a number\n"
                     "  temp == 5luu\n"
                     "          ^~~~\n"
                     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp == 18446744073709551616", "-e:1:9: error: this number does not fit 64 bits\n"
                                     "  temp == 18446744073709551616\n"
                                     "          ^~~~~~~~~~~~~~~~~~~~\n"
                                     "hint: the largest constant is 18446744073709551615u"},
    {"temp == 5msx", "-e:1:9: error: this is not a number\n"
                     "  temp == 5msx\n"
                     "          ^~~~\n"
                     "hint: write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles"},
    {"temp > 5ms", "-e:1:6: error: times combine with times only\n"
                   "  temp > 5ms\n"
                   "       ^\n"
                   "hint: write a unit after the number: 50us, 5ms, 100 cycles"},
    {"age(temp) * 2 > 5ms", "-e:1:11: error: times can be compared, added and subtracted\n"
                            "  age(temp) * 2 > 5ms\n"
                            "            ^\n"
                            "hint: age(x) + 5us < elapsed"},
    {"!age(temp) > 5", "-e:1:2: error: a time has no !\n"
                       "  !age(temp) > 5\n"
                       "   ^~~~~~~~~"},
    {"-age(temp) > 5ms", "-e:1:2: error: a time has no -\n"
                         "  -age(temp) > 5ms\n"
                         "   ^~~~~~~~~"},
    {"~ratio", "-e:1:2: error: a float has no ~\n"
               "  ~ratio\n"
               "   ^~~~~"},
    {"ratio & 3", "-e:1:7: error: this works with whole numbers only\n"
                  "  ratio & 3\n"
                  "        ^\n"
                  "hint: cast it: (int)x"},
    {"ratio << 1", "-e:1:7: error: this works with whole numbers only\n"
                   "  ratio << 1\n"
                   "        ^~\n"
                   "hint: cast it: (int)x"},
    {"temp % ratio", "-e:1:6: error: this works with whole numbers only\n"
                     "  temp % ratio\n"
                     "       ^\n"
                     "hint: cast it: (int)x"},
    {"temp << 64", "-e:1:9: error: a shift of a 32-bit value takes 0 to 31\n"
                   "  temp << 64\n"
                   "          ^~"},
    {"ticks << 64", "-e:1:10: error: a shift of a 64-bit value takes 0 to 63\n"
                    "  ticks << 64\n"
                    "           ^~"},
    {"p * 2", "-e:1:1: error: this cannot be done with a pointer\n"
              "  p * 2\n"
              "  ^\n"
              "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"p + p", "-e:1:1: error: this cannot be done with a pointer\n"
              "  p + p\n"
              "  ^\n"
              "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"1 - p", "-e:1:5: error: this cannot be done with a pointer\n"
              "  1 - p\n"
              "      ^\n"
              "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"p + ratio", "-e:1:5: error: a pointer moves by a whole number\n"
                  "  p + ratio\n"
                  "      ^~~~~"},
    {"p + age(temp)", "-e:1:5: error: a pointer moves by a whole number\n"
                      "  p + age(temp)\n"
                      "      ^~~~~~~~~"},
    {"anything + 1", "-e:1:1: error: what this points to has no size\n"
                     "  anything + 1\n"
                     "  ^~~~~~~~"},
    {"~p", "-e:1:2: error: a pointer has no ~\n"
           "  ~p\n"
           "   ^\n"
           "hint: pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)"},
    {"temp / 0", "-e:1:6: error: division by zero\n"
                 "  temp / 0\n"
                 "       ^"},
    {"ticks % 0ll", "-e:1:7: error: division by zero\n"
                    "  ticks % 0ll\n"
                    "        ^"},
    {"grid[ratio][0]", "-e:1:6: error: an index is a whole number\n"
                       "  grid[ratio][0]\n"
                       "       ^~~~~"},
    {"grid[1.5][0]", "-e:1:6: error: an index is a whole number\n"
                     "  grid[1.5][0]\n"
                     "       ^~~"},
    {"grid[5ms][0]", "-e:1:6: error: an index is a whole number\n"
                     "  grid[5ms][0]\n"
                     "       ^~~"},
    {"grid[p][0]", "-e:1:6: error: an index is a whole number\n"
                   "  grid[p][0]\n"
                   "       ^"},
    {"bytes[ratio]", "-e:1:7: error: an index is a whole number\n"
                     "  bytes[ratio]\n"
                     "        ^~~~~"},
    {"grid[0][4294967296]", "-e:1:9: error: index 4294967296 is outside of grid[0], which has elements 0 to 3\n"
                            "  grid[0][4294967296]\n"
                            "          ^~~~~~~~~~"},
    {"grid[0x100000000][1]", "-e:1:6: error: index 4294967296 is outside of grid, which has elements 0 to 2\n"
                             "  grid[0x100000000][1]\n"
                             "       ^~~~~~~~~~~"},
    {"*temp", "-e:1:2: error: temp is no pointer but int\n"
              "  *temp\n"
              "   ^~~~"},
    {"**bytes", "-e:1:3: error: *bytes is no pointer but uint8_t\n"
                "  **bytes\n"
                "    ^~~~~"},
    {"*anything", "-e:1:2: error: anything points to void, which cannot be watched\n"
                  "  *anything\n"
                  "   ^~~~~~~~"},
    {"anything[1]", "-e:1:1: error: anything points to void, which cannot be watched\n"
                    "  anything[1]\n"
                    "  ^~~~~~~~"},
    {"anything->x", "-e:1:1: error: anything points to void, which cannot be watched\n"
                    "  anything->x\n"
                    "  ^~~~~~~~"},
    {"pp->temp", "-e:1:3: error: pp is a pointer to a pointer\n"
                 "  pp->temp\n"
                 "    ^~\n"
                 "hint: what it points to is p[0]: write p[0]->x"},
    {"temp->x", "-e:1:5: error: temp is no pointer but int\n"
                "  temp->x\n"
                "      ^~"},
    {"plant->temp", "-e:1:6: error: plant is no pointer but struct plant\n"
                    "  plant->temp\n"
                    "       ^~\n"
                    "hint: write . instead of ->"},
    {"node->", "-e:1:7: error: expected the name of a member\n"
               "  node->\n"
               "        ^\n"
               "hint: it has next, value, row"},
    {"node->missing", "-e:1:7: error: struct node has no member 'missing'\n"
                      "  node->missing\n"
                      "        ^~~~~~~\n"
                      "hint: it has next, value, row"},
    {"node->next.value", "-e:1:11: error: node->next is a pointer\n"
                         "  node->next.value\n"
                         "            ^\n"
                         "hint: write -> instead of ."},
    {"big", "-e:1:1: error: big is a long double of 16 bytes; values of 1, 2, 4 and 8 bytes can be watched\n"
            "  big\n"
            "  ^~~"},
    {"***********************************bytes", "-e:1:34: error: this follows more than 32 pointers\n"
                                                 "  ***********************************bytes\n"
                                                 "                                   ^"},
    {"node->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next-"
     ">next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next",
     "-e:1:1: error: this follows more than 32 pointers\n"
     "  "
     "node->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next->next-"
     ">next->...\n"
     "  "
     "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
     "~~~~~~~"},
    {"untyped", "-e:1:1: error: the type of 'untyped' is not known\n"
                "  untyped\n"
                "  ^~~~~~~"},
    {"lost", "-e:1:1: error: 'other.c\\lost' lies in a frame of no known procedure\n"
             "  lost\n"
             "  ^~~~"},
    {"unseen", "-e:1:1: error: 'other.c\\unseen' is not observable: the program does not say where it is\n"
               "  unseen\n"
               "  ^~~~~~"},
    {"&clamp\\lo == p", "-e:1:1: error: the address of clamp\\lo is no constant\n"
                        "  &clamp\\lo == p\n"
                        "  ^~~~~~~~~\n"
                        "hint: a variable outside of procedures (or static), its members and elements by number"},
    {"&*p == p", "-e:1:1: error: the address of *p is no constant\n"
                 "  &*p == p\n"
                 "  ^~~\n"
                 "hint: a variable outside of procedures (or static), its members and elements by number"},
    {"&missing", "-e:1:2: error: there is no variable 'missing' in the program\n"
                 "  &missing\n"
                 "   ^~~~~~~"},
    {"&plant.a == p", "-e:1:1: error: the address of plant.a is no constant\n"
                      "  &plant.a == p\n"
                      "  ^~~~~~~~\n"
                      "hint: a variable outside of procedures (or static), its members and elements by number"},
    {"&", "-e:1:2: error: expected the name of a variable\n"
          "  &\n"
          "   ^"},
    {"many", "-e:1:1: error: 'many' is ambiguous: 9 variables have this name\n"
             "  many\n"
             "  ^~~~\n"
             "hint: write \"1.c\"\\many (1.c:1), \"2.c\"\\many (2.c:1), \"3.c\"\\many (3.c:1), \"4.c\"\\many (4.c:1), "
             "\"5.c\"\\many (5.c:1), \"6.c\"\\many (6.c:1), \"7.c\"\\many (7.c:1), \"8.c\"\\many (8.c:1), ..."},
    {"many > 1 { print }",
     "-e:1:1: error: 'many' is ambiguous: 9 variables have this name\n"
     "  many > 1 { print }\n"
     "  ^~~~\n"
     "hint: write \"1.c\"\\many (1.c:1), \"2.c\"\\many (2.c:1), \"3.c\"\\many (3.c:1), \"4.c\"\\many (4.c:1), "
     "\"5.c\"\\many (5.c:1), \"6.c\"\\many (6.c:1), \"7.c\"\\many (7.c:1), \"8.c\"\\many (8.c:1), ..."},
    {"cloned\\x",
     "-e:1:1: error: 'cloned' has 2 copies: enter(cloned) and leave(cloned) mean all of them, but here it must be one\n"
     "  cloned\\x\n"
     "  ^~~~~~~\n"
     "hint: compile its file with -fno-ipa-cp -fno-ipa-sra, or give it __attribute__((noipa))"},
    {"enter(tiny)", "-e:1:7: error: 'tiny' has no code of its own: it was inlined into control (src/thermostat.c:35): "
                    "compile that file with -fno-inline\n"
                    "  enter(tiny)\n"
                    "        ^~~~"},
    {"tiny\\x", "-e:1:1: error: 'tiny' has no code of its own: it was inlined into control (src/thermostat.c:35): "
                "compile that file with -fno-inline\n"
                "  tiny\\x\n"
                "  ^~~~~"},
    {"tiny[2]\\x", "-e:1:1: error: 'tiny' has no code of its own: it was inlined into control (src/thermostat.c:35): "
                   "compile that file with -fno-inline\n"
                   "  tiny[2]\\x\n"
                   "  ^~~~"},
    {"control\\nested@33", "-e:1:1: error: line 33 of control declares no 'nested'\n"
                           "  control\\nested@33\n"
                           "  ^~~~~~~~~~~~~~~~~\n"
                           "hint: it is declared in line 34: control\\nested@34"},
    {"control\\nested@", "-e:1:16: error: expected a line's number\n"
                         "  control\\nested@\n"
                         "                 ^\n"
                         "hint: procedure\\variable@31: the one that is declared in line 31"},
    {"control\\nested@0", "-e:1:16: error: expected a line's number\n"
                          "  control\\nested@0\n"
                          "                 ^\n"
                          "hint: procedure\\variable@31: the one that is declared in line 31"},
    {"control\\delta@x", "-e:1:15: error: expected a line's number\n"
                         "  control\\delta@x\n"
                         "                ^\n"
                         "hint: procedure\\variable@31: the one that is declared in line 31"},
    {"main:", "-e:1:6: error: expected a procedure, a call number or *\n"
              "  main:\n"
              "       ^\n"
              "hint: a path is made of procedures, call numbers, * and f[k]: main:control\\x, 1:3\\x, *:f\\x"},
    {"main:3.5", "-e:1:6: error: expected a procedure, a call number or *\n"
                 "  main:3.5\n"
                 "       ^~~\n"
                 "hint: a path is made of procedures, call numbers, * and f[k]: main:control\\x, 1:3\\x, *:f\\x"},
    {"main:clamp:control\\delta", "-e:1:12: error: clamp does not call control\n"
                                  "  main:clamp:control\\delta\n"
                                  "             ^~~~~~~\n"
                                  "hint: clamp:*:control is control however deep inside of clamp"},
    {"main:missing\\x", "-e:1:6: error: there is no procedure 'missing' in the program\n"
                        "  main:missing\\x\n"
                        "       ^~~~~~~"},
    {"*:2\\x", "-e:1:3: error: a call number needs to know whose call it is\n"
               "  *:2\\x\n"
               "    ^\n"
               "hint: name the procedure that calls: *:control:2"},
    {"7\\x", "-e:1:1: error: main makes no call number 7\n"
             "  7\\x\n"
             "  ^\n"
             "hint: it calls 1: clamp (line 53), 2: control (line 55), 3: fact (line 56), 4: through a pointer (line "
             "57), 5: clamp (line 58), 6: a.c\\same (line 58)"},
    {"0\\x", "-e:1:1: error: main makes no call number 0\n"
             "  0\\x\n"
             "  ^\n"
             "hint: it calls 1: clamp (line 53), 2: control (line 55), 3: fact (line 56), 4: through a pointer (line "
             "57), 5: clamp (line 58), 6: a.c\\same (line 58)"},
    {"4\\x", "-e:1:1: error: call 4 of main goes through a pointer: its number does not say what is called\n"
             "  4\\x\n"
             "  ^\n"
             "hint: write the name of the procedure instead of the number"},
    {"6\\x", "-e:1:1: error: call 6 of main, of a.c\\same, is a jump that ends main: there is no activation of both\n"
             "  6\\x\n"
             "  ^\n"
             "hint: compile with -fno-optimize-sibling-calls"},
    {"main:*\\lo", "-e:1:1: error: * means any activations, and a path ends with one\n"
                   "  main:*\\lo\n"
                   "  ^~~~~~\n"
                   "hint: name the procedure that is meant: main:*:clamp; whatever main calls is main\\*"},
    {"*:*\\lo", "-e:1:1: error: * means any activations, and a path ends with one\n"
                "  *:*\\lo\n"
                "  ^~~\n"
                "hint: name the procedure that is meant: main:*:clamp; whatever main calls is main\\*"},
    {"main:control\\", "-e:1:14: error: expected the name of a variable\n"
                       "  main:control\\\n"
                       "               ^\n"
                       "hint: path\\variable, path\\3 for a statement"},
    {"main:control\\delta.x", "-e:1:19: error: main:control\\delta is no struct but int\n"
                              "  main:control\\delta.x\n"
                              "                    ^"},
    {"main:control\\5", "-e:1:1: error: control has no statement 5: lines with code are counted, its head is not\n"
                        "  main:control\\5\n"
                        "  ^~~~~~~~~~~~~~\n"
                        "hint: it has 1: line 35"},
    {"flat\\1 && flat\\2", "-e:1:11: error: flat has no statement 2: lines with code are counted, its head is not\n"
                           "  flat\\1 && flat\\2\n"
                           "            ^~~~~~\n"
                           "hint: it has 1: line 80"},
    {"control\\0", "-e:1:1: error: control has no statement 0: lines with code are counted, its head is not\n"
                   "  control\\0\n"
                   "  ^~~~~~~~~\n"
                   "hint: it has 1: line 35"},
    {"_start\\1", "-e:1:1: error: nothing is known about the lines of _start\n"
                  "  _start\\1\n"
                  "  ^~~~~~~~\n"
                  "hint: compile its file with -g"},
    {"main:fact[0]\\n", "-e:1:11: error: an activation's number is a constant from 1 to 256\n"
                        "  main:fact[0]\\n\n"
                        "            ^\n"
                        "hint: f[1] is the outermost activation of f, f[2] the next one inside, ..."},
    {"main:fact[temp]\\n", "-e:1:11: error: an activation's number is a constant from 1 to 256\n"
                           "  main:fact[temp]\\n\n"
                           "            ^~~~\n"
                           "hint: f[1] is the outermost activation of f, f[2] the next one inside, ..."},
    {"fact[300]\\n", "-e:1:6: error: an activation's number is a constant from 1 to 256\n"
                     "  fact[300]\\n\n"
                     "       ^~~\n"
                     "hint: f[1] is the outermost activation of f, f[2] the next one inside, ..."},
    {"fact[1.5]\\n", "-e:1:6: error: an activation's number is a constant from 1 to 256\n"
                     "  fact[1.5]\\n\n"
                     "       ^~~\n"
                     "hint: f[1] is the outermost activation of f, f[2] the next one inside, ..."},
    {"fact[2\\n", "-e:1:6: error: procedure 'control' has no variable 'n'\n"
                  "  fact[2\\n\n"
                  "       ^~~\n"
                  "hint: there is fact\\n"},
    {"fact[200]:*:even[200]", "-e:1:1: error: this path is more than 256 activations deep\n"
                              "  fact[200]:*:even[200]\n"
                              "  ^~~~~~~~~~~~~~~~~~~~~"},
    {"fact[", "-e:1:6: error: the statement ends where an expression was expected\n"
              "  fact[\n"
              "       ^"},
    {"2:{1\\lo == delta", "-e:1:17: error: expected an operator or }\n"
                          "  2:{1\\lo == delta\n"
                          "                  ^"},
    {"2:{1\\lo == missing}", "-e:1:12: error: there is no variable 'missing' in the program\n"
                             "  2:{1\\lo == missing}\n"
                             "             ^~~~~~~"},
    {"2:{}", "-e:1:4: error: expected an expression\n"
             "  2:{}\n"
             "     ^"},
    {"2:{temp + }", "-e:1:11: error: expected an expression\n"
                    "  2:{temp + }\n"
                    "            ^"},
    {"2:{1\\lo == delta } > ", "-e:1:22: error: the statement ends where an expression was expected\n"
                               "  2:{1\\lo == delta } > \n"
                               "                       ^"},
    {"2:{1\\lo then delta}", "-e:1:9: error: expected an operator or }\n"
                             "  2:{1\\lo then delta}\n"
                             "          ^~~~"},
    {"write(2)", "-e:1:7: error: expected the name of a variable\n"
                 "  write(2)\n"
                 "        ^"},
    {"write(main:control)", "-e:1:19: error: expected \\ and the name of a variable\n"
                            "  write(main:control)\n"
                            "                    ^\n"
                            "hint: main:control\\delta"},
    {"read(", "-e:1:6: error: expected the name of a variable\n"
              "  read(\n"
              "       ^"},
    {"read(temp", "-e:1:10: error: expected ) after the argument of read\n"
                  "  read(temp\n"
                  "           ^\n"
                  "hint: read(x) takes one variable"},
    {"age()", "-e:1:5: error: expected the name of a variable\n"
              "  age()\n"
              "      ^"},
    {"age(3)", "-e:1:5: error: expected the name of a variable\n"
               "  age(3)\n"
               "      ^"},
    {"at()", "-e:1:4: error: expected a file's name\n"
             "  at()\n"
             "     ^\n"
             "hint: at(file.c:42); a name with other characters in quotes: at(\"my file.c\":42)"},
    {"at(", "-e:1:4: error: expected a file's name\n"
            "  at(\n"
            "     ^\n"
            "hint: at(file.c:42); a name with other characters in quotes: at(\"my file.c\":42)"},
    {"at(main)", "-e:1:8: error: expected : and a line's number\n"
                 "  at(main)\n"
                 "         ^\n"
                 "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(control)", "-e:1:11: error: expected : and a line's number\n"
                    "  at(control)\n"
                    "            ^\n"
                    "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(control\\)", "-e:1:11: error: expected : and a line's number\n"
                      "  at(control\\)\n"
                      "            ^\n"
                      "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(control\\x)", "-e:1:11: error: expected : and a line's number\n"
                       "  at(control\\x)\n"
                       "            ^\n"
                       "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(control\\7)", "-e:1:4: error: control has no statement 7: lines with code are counted, its head is not\n"
                       "  at(control\\7)\n"
                       "     ^~~~~~~~~\n"
                       "hint: it has 1: line 35"},
    {"at(thermostat.c)", "-e:1:16: error: expected : and a line's number\n"
                         "  at(thermostat.c)\n"
                         "                 ^\n"
                         "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(thermostat.c:)", "-e:1:17: error: expected a line's number\n"
                          "  at(thermostat.c:)\n"
                          "                  ^\n"
                          "hint: at(file.c:42)"},
    {"at(thermostat.c:0)", "-e:1:17: error: expected a line's number\n"
                           "  at(thermostat.c:0)\n"
                           "                  ^\n"
                           "hint: at(file.c:42)"},
    {"at(thermostat.c:21)", "-e:1:4: error: line 21 of src/thermostat.c has no code\n"
                            "  at(thermostat.c:21)\n"
                            "     ^~~~~~~~~~~~~~~\n"
                            "hint: the next line that has code is 22"},
    {"at(thermostat.c:99)", "-e:1:4: error: line 99 of src/thermostat.c has no code\n"
                            "  at(thermostat.c:99)\n"
                            "     ^~~~~~~~~~~~~~~\n"
                            "hint: the last line that has code is 80"},
    {"at(missing.c:3)", "-e:1:4: error: no code comes from a file 'missing.c'\n"
                        "  at(missing.c:3)\n"
                        "     ^~~~~~~~~~~\n"
                        "hint: the files that were compiled with -g count, as the compiler was given their names"},
    {"at(other.c:5)", "-e:1:4: error: 'other.c' is ambiguous: there are several files of this name\n"
                      "  at(other.c:5)\n"
                      "     ^~~~~~~~~\n"
                      "hint: write at(\"other.c\":5) or at(\"lib/other.c\":5)"},
    {"at(\"thermostat.c\":22", "-e:1:21: error: expected ) after the argument of at\n"
                               "  at(\"thermostat.c\":22\n"
                               "                      ^\n"
                               "hint: at(file.c:42)"},
    {"at(src/thermostat.c:22:3)", "-e:1:23: error: expected ) after the argument of at\n"
                                  "  at(src/thermostat.c:22:3)\n"
                                  "                        ^\n"
                                  "hint: at(file.c:42)"},
    {"at(3.c:5)", "-e:1:4: error: this is not a number\n"
                  "  at(3.c:5)\n"
                  "     ^~~\n"
                  "hint: write 1.5, 1e-3 or 1.5f"},
    {"at(main:missing\\3)", "-e:1:9: error: there is no procedure 'missing' in the program\n"
                            "  at(main:missing\\3)\n"
                            "          ^~~~~~~"},
    {"path == ", "-e:1:9: error: expected a path\n"
                 "  path == \n"
                 "          ^\n"
                 "hint: path == main:control"},
    {"path == {", "-e:1:9: error: expected a path\n"
                  "  path == {\n"
                  "          ^\n"
                  "hint: path == main:control"},
    {"path == main:control\\x", "-e:1:21: error: expected the number of a statement or *\n"
                                "  path == main:control\\x\n"
                                "                      ^\n"
                                "hint: path == main:control, path == main:control\\3 or path == main:control\\*"},
    {"path != main:missing", "-e:1:14: error: there is no procedure 'missing' in the program\n"
                             "  path != main:missing\n"
                             "               ^~~~~~~"},
    {"control substate 3", "-e:1:18: error: expected =\n"
                           "  control substate 3\n"
                           "                   ^\n"
                           "hint: control substate = 1:1:2"},
    {"control substate = +", "-e:1:20: error: expected a path\n"
                             "  control substate = +\n"
                             "                     ^\n"
                             "hint: path == main:control"},
    {"enter(3:9)", "-e:1:9: error: fact makes no call number 9\n"
                   "  enter(3:9)\n"
                   "          ^\n"
                   "hint: it calls 1: even (line 5)"},
    {"enter(main:clamp:control)", "-e:1:18: error: clamp does not call control\n"
                                  "  enter(main:clamp:control)\n"
                                  "                   ^~~~~~~\n"
                                  "hint: clamp:*:control is control however deep inside of clamp"},
    {"enter(9)", "-e:1:7: error: main makes no call number 9\n"
                 "  enter(9)\n"
                 "        ^\n"
                 "hint: it calls 1: clamp (line 53), 2: control (line 55), 3: fact (line 56), 4: through a pointer "
                 "(line 57), 5: clamp (line 58), 6: a.c\\same (line 58)"},
    {"when when temp", "-e:1:6: error: expected an expression\n"
                       "  when when temp\n"
                       "       ^~~~\n"
                       "hint: name: when EXPRESSION { print x, y }"},
    {"temp && print", "-e:1:9: error: expected an expression\n"
                      "  temp && print\n"
                      "          ^~~~~\n"
                      "hint: name: when EXPRESSION { print x, y }"},
    {"sizeof temp", "-e:1:1: error: sizeof is not available\n"
                    "  sizeof temp\n"
                    "  ^~~~~~\n"
                    "hint: write the number"},
    {"elapsed(3)", "-e:1:1: error: there is no 'elapsed(...)'\n"
                   "  elapsed(3)\n"
                   "  ^~~~~~~\n"
                   "hint: there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x), age(x), and on the "
                   "replay result(f) and reg(a0)"},
    {"expect temp > 3", "-e:1:16: error: expected `within` and a time\n"
                        "  expect temp > 3\n"
                        "                 ^\n"
                        "hint: expect E within 5ms, expect never E, or expect eventually E"},
    {"expect never", "-e:1:13: error: expected a predicate\n"
                     "  expect never\n"
                     "              ^\n"
                     "hint: for example: when temp > 80 { print temp }"},
    {"expect eventually { print }", "-e:1:19: error: expected a predicate\n"
                                    "  expect eventually { print }\n"
                                    "                    ^\n"
                                    "hint: for example: when temp > 80 { print temp }"},
    {"name: expect temp then mode", "-e:1:28: error: expected `within` and a time\n"
                                    "  name: expect temp then mode\n"
                                    "                             ^\n"
                                    "hint: expect E within 5ms, expect never E, or expect eventually E"},
    {"name: expect temp within 5", "-e:1:26: error: this time has no unit\n"
                                   "  name: expect temp within 5\n"
                                   "                           ^\n"
                                   "hint: for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles"},
    {"disabled temp", "-e:1:1: error: there is no variable 'disabled' in the program\n"
                      "  disabled temp\n"
                      "  ^~~~~~~~"},
    {"when temp { enable nobody }", "-e:1:20: error: there is no statement 'nobody'\n"
                                    "  when temp { enable nobody }\n"
                                    "                     ^~~~~~\n"
                                    "hint: statements without a name are s1, s2, ..."},
    {"1:{1\\x} = 3 && temp = 3", "-e:1:4: error: clamp makes no call number 1\n"
                                 "  1:{1\\x} = 3 && temp = 3\n"
                                 "     ^"},
    {"enter(main) == 1 = 2", "-e:1:18: error: = would assign, and monitoring changes nothing\n"
                             "  enter(main) == 1 = 2\n"
                             "                   ^\n"
                             "hint: write == to compare"},
    {"1\\x == 2:1\\x", "-e:1:8: error: the activations 1 and 2:1 exclude each other, so this can never be evaluated\n"
                       "  1\\x == 2:1\\x\n"
                       "         ^~~~~\n"
                       "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    {"write(2:1\\lo) && 1\\x",
     "-e:1:18: error: the activations 2:1 and 1 exclude each other, so this can never be evaluated\n"
     "  write(2:1\\lo) && 1\\x\n"
     "                   ^~~\n"
     "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    {"when 2:1\\lo { print 1\\x }",
     "-e:1:21: error: the activations 2:1 and 1 exclude each other, so this can never be evaluated\n"
     "  when 2:1\\lo { print 1\\x }\n"
     "                      ^~~\n"
     "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    {"when temp { print 1\\x, 2\\delta }",
     "-e:1:24: error: the activations 1 and 2 exclude each other, so this can never be evaluated\n"
     "  when temp { print 1\\x, 2\\delta }\n"
     "                         ^~~~~~~\n"
     "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    {"main:clamp\\lo + main:control\\delta",
     "-e:1:17: error: the activations main:clamp and main:control exclude each other, so this can never be evaluated\n"
     "  main:clamp\\lo + main:control\\delta\n"
     "                  ^~~~~~~~~~~~~~~~~~\n"
     "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    {"temp when mode", "-e:1:6: error: the statement before has no actions\n"
                       "  temp when mode\n"
                       "       ^~~~\n"
                       "hint: write { print } after the statement before: only the last one may go without"},
    {"a: when temp { print } b: tmp", "-e:1:27: error: there is no variable 'tmp' in the program\n"
                                      "  a: when temp { print } b: tmp\n"
                                      "                            ^~~"},
    {"p > 3.0", "-e:1:3: error: a pointer and a floating-point number cannot be combined\n"
                "  p > 3.0\n"
                "    ^\n"
                "hint: compare with another pointer, NULL or an address: p == NULL, p >= 0x20000"},
    {"ratio == p", "-e:1:7: error: a pointer and a floating-point number cannot be combined\n"
                   "  ratio == p\n"
                   "        ^~\n"
                   "hint: compare with another pointer, NULL or an address: p == NULL, p >= 0x20000"},
    {"p becomes 1.5", "-e:1:3: error: a pointer and a floating-point number cannot be combined\n"
                      "  p becomes 1.5\n"
                      "    ^~~~~~~\n"
                      "hint: compare with another pointer, NULL or an address: p == NULL, p >= 0x20000"},
    {"(temp ? p : 0.5) != NULL", "-e:1:13: error: the other value is a pointer: this must be one, too\n"
                                 "  (temp ? p : 0.5) != NULL\n"
                                 "              ^~~"},
    {"(float)p > 3", "-e:1:8: error: a pointer is no floating-point number\n"
                     "  (float)p > 3\n"
                     "         ^\n"
                     "hint: (uint32_t)p is its address"},
    {"(temp then mode ]", "-e:1:17: error: expected then, and, or, within or )\n"
                          "  (temp then mode ]\n"
                          "                  ^"},
    {"(temp then mode on)", "-e:1:17: error: expected then, and, or, within or )\n"
                            "  (temp then mode on)\n"
                            "                  ^~"},
    {"temp + (level ;", "-e:1:15: error: expected an operator or )\n"
                        "  temp + (level ;\n"
                        "                ^"},
    {"(temp)(3)", "-e:1:7: error: procedures of the program cannot be called\n"
                  "  (temp)(3)\n"
                  "        ^\n"
                  "hint: enter(f) is true when procedure f is entered, leave(f) when it is left"},
    {"temp > (3) : 4", "-e:1:12: error: a : does not fit here\n"
                       "  temp > (3) : 4\n"
                       "             ^\n"
                       "hint: a path is made of procedures, call numbers, * and f[k]: main:control\\x, 1:3\\x, *:f\\x"},
    {"temp > 3 \\ x", "-e:1:8: error: procedure 'fact' has no variable 'x'\n"
                      "  temp > 3 \\ x\n"
                      "         ^~~~~\n"
                      "hint: there is clamp\\x"},
    {"temp && (level ]", "-e:1:16: error: expected an operator or )\n"
                         "  temp && (level ]\n"
                         "                 ^"},
    {"at(main:control)", "-e:1:16: error: expected \\ and the number of a statement\n"
                         "  at(main:control)\n"
                         "                 ^\n"
                         "hint: at(file.c:42), or at(control\\3): the third line of control that has code"},
    {"at(main:control\\x)", "-e:1:17: error: expected the number of a statement\n"
                            "  at(main:control\\x)\n"
                            "                  ^\n"
                            "hint: at(control\\3): the third line of control that has code"},
    {"fact[1 ;", "-e:1:8: error: expected ]\n"
                 "  fact[1 ;\n"
                 "         ^"},
    {"fact[(]\\n", "-e:1:7: error: expected an expression\n"
                   "  fact[(]\\n\n"
                   "        ^"},
    {"2:{fact[1;}", "-e:1:10: error: expected ]\n"
                    "  2:{fact[1;}\n"
                    "           ^"},
    {"opaque[1].x", "-e:1:8: error: what opaque points to has no size\n"
                    "  opaque[1].x\n"
                    "         ^"},
    {"opaque->x", "-e:1:9: error: struct opaque has no member 'x'\n"
                  "  opaque->x\n"
                  "          ^"},
    {"opaque[0]", "-e:1:8: error: what opaque points to has no size\n"
                  "  opaque[0]\n"
                  "         ^"},
    {"packed.wide", "-e:1:1: error: bit-field packed.wide is too wide\n"
                    "  packed.wide\n"
                    "  ^~~~~~~~~~~\n"
                    "hint: keep bit-fields inside 64 bits"},
    {"c1x", "-e:1:1: error: there is no variable 'c1x' in the program\n"
            "  c1x\n"
            "  ^~~"},
    {"c0", "-e:1:1: error: there is no variable 'c0' in the program\n"
           "  c0\n"
           "  ^~"},
    {"c12x && c1", "-e:1:1: error: there is no variable 'c12x' in the program\n"
                   "  c12x && c1\n"
                   "  ^~~~\n"
                   "hint: did you mean 'c12' or 'c123'\?"},
    {"1 \? (2 : 3", "-e:1:10: error: control makes no call number 3\n"
                    "  1 \? (2 : 3\n"
                    "           ^\n"
                    "hint: it calls 1: clamp (line 35)"},
    {"temp \? on", "-e:1:10: error: expected :\n"
                   "  temp \? on\n"
                   "           ^\n"
                   "hint: condition \? a : b"},
    {"missing \? 1 : 2", "-e:1:1: error: there is no variable 'missing' in the program\n"
                         "  missing \? 1 : 2\n"
                         "  ^~~~~~~"},
    {"temp \? missing : 2", "-e:1:8: error: there is no variable 'missing' in the program\n"
                            "  temp \? missing : 2\n"
                            "         ^~~~~~~"},
    {"temp \? 1 : missing", "-e:1:12: error: there is no variable 'missing' in the program\n"
                            "  temp \? 1 : missing\n"
                            "             ^~~~~~~"},
    {"2:1\\lo && 2:{print}", "-e:1:14: error: expected an expression\n"
                             "  2:1\\lo && 2:{print}\n"
                             "               ^~~~~\n"
                             "hint: name: when EXPRESSION { print x, y }"},
    {"3:{1:{1\\n > 3}", "-e:1:15: error: expected an operator or }\n"
                        "  3:{1:{1\\n > 3}\n"
                        "                ^"},
    {"grid['\"'][0]", "-e:1:6: error: index 34 is outside of grid, which has elements 0 to 2\n"
                      "  grid['\"'][0]\n"
                      "       ^~~"},
    {"temp then (mode and (level or on) for 5ms) then", "-e:1:35: error: expected then, and, or, within or )\n"
                                                        "  temp then (mode and (level or on) for 5ms) then\n"
                                                        "                                    ^~~"},
    {"temp > 3 then && mode", "-e:1:15: error: expected an expression\n"
                              "  temp > 3 then && mode\n"
                              "                ^~"},
    {"- - enter(9)", "-e:1:11: error: main makes no call number 9\n"
                     "  - - enter(9)\n"
                     "            ^\n"
                     "hint: it calls 1: clamp (line 53), 2: control (line 55), 3: fact (line 56), 4: through a pointer "
                     "(line 57), 5: clamp (line 58), 6: a.c\\same (line 58)"},
    {"tasks temp; tasks mode; temp > 3",
     "-e:1:19: error: only one variable can name the running task, and it is temp already\n"
     "  tasks temp; tasks mode; temp > 3\n"
     "                    ^~~~\n"
     "hint: watch each core's tasks in a run of its own"},
    {"tasks tmp", "-e:1:7: error: there is no variable 'tmp' in the program\n"
                  "  tasks tmp\n"
                  "        ^~~"},
    {"tasks ratio; temp > 3", "-e:1:7: error: the variable that names the running task must be a static pointer or "
                              "whole number of at most 4 bytes; ratio is not\n"
                              "  tasks ratio; temp > 3\n"
                              "        ^~~~~\n"
                              "hint: for example: tasks pxCurrentTCB"},
    {"write(grid[2..1])", "-e:1:13: error: a range of elements goes upwards\n"
                          "  write(grid[2..1])\n"
                          "              ^~~\n"
                          "hint: buf[0..63]"},
    {"grid[0..1][0]", "-e:1:7: error: a range of elements can stand in write() and read() only\n"
                      "  grid[0..1][0]\n"
                      "        ^~~\n"
                      "hint: write(buf[0..63])"},
    {"write(grid[0..9])", "-e:1:15: error: index 9 is outside of grid, which has elements 0 to 2\n"
                          "  write(grid[0..9])\n"
                          "                ^"},
    {"write(grid[temp..2])", "-e:1:12: error: the ends of a range are constants\n"
                             "  write(grid[temp..2])\n"
                             "             ^~~~\n"
                             "hint: buf[0..63]"},
    {"write(temp) { print which(grid) }",
     "-e:1:27: error: which(x) tells which part of an array or struct the event has written or read, and the event of "
     "this statement is not write(grid) or read(grid)\n"
     "  write(temp) { print which(grid) }\n"
     "                            ^~~~\n"
     "hint: when write(grid) { print which(grid) }"},
    {"temp unchanged for 3us || write(grid) { print which(grid) }",
     "-e:1:47: error: with `for` and `unchanged for` a hit may be that of a time that has passed, when nothing is "
     "written or read\n"
     "  temp unchanged for 3us || write(grid) { print which(grid) }\n"
     "                                                ^~~~~~~~~~~\n"
     "hint: print elements: buf[0]"},
    {"write(pp[0..1]->temp)", "-e:1:7: error: pp[0..1] is a range of pointers: what several point to is not one place\n"
                              "  write(pp[0..1]->temp)\n"
                              "        ^~~~~~~~\n"
                              "hint: name one of them: p[3]->x"},
    {"write(grid[mode])", "-e:1:7: error: grid[mode]: what is watched as a whole cannot have a variable index\n"
                          "  write(grid[mode])\n"
                          "        ^~~~~~~~~~\n"
                          "hint: name the element by a number, or watch all of them: write(a)"},
    {"write(grid[0..1)", "-e:1:16: error: expected ]\n"
                         "  write(grid[0..1)\n"
                         "                 ^"},
    {"temp { hist(p) }", "-e:1:13: error: hist takes a number\n"
                         "  temp { hist(p) }\n"
                         "              ^\n"
                         "hint: hist(elapsed), hist(x), hist(age(x)) by path"},
    {"temp { stats(path) }", "-e:1:14: error: stats takes a number\n"
                             "  temp { stats(path) }\n"
                             "               ^~~~\n"
                             "hint: stats(elapsed), stats(x), stats(age(x)) by path"},
    {"temp { hist(backtrace) }", "-e:1:13: error: hist takes a number\n"
                                 "  temp { hist(backtrace) }\n"
                                 "              ^~~~~~~~~\n"
                                 "hint: hist(elapsed), hist(x), hist(age(x)) by path"},
    {"temp { count by backtrace }", "-e:1:17: error: hits cannot be told apart by a text\n"
                                    "  temp { count by backtrace }\n"
                                    "                  ^~~~~~~~~\n"
                                    "hint: count by path"},
    {"temp { hist(temp, mode) }", "-e:1:17: error: hist takes one value, as print shows it: expected )\n"
                                  "  temp { hist(temp, mode) }\n"
                                  "                  ^\n"
                                  "hint: hist(elapsed), hist(x), hist(age(x)) by path"},
    {"temp { stats(temp) top 3 }", "-e:1:20: error: `top` chooses among what `by` tells apart\n"
                                   "  temp { stats(temp) top 3 }\n"
                                   "                     ^~~\n"
                                   "hint: stats(x) by path top 10"},
    {"temp { stats(temp) by path top x }", "-e:1:32: error: expected how many to show\n"
                                           "  temp { stats(temp) by path top x }\n"
                                           "                                 ^\n"
                                           "hint: count by path top 10"},
    {"temp { stats(temp) by }", "-e:1:23: error: expected what to tell apart by\n"
                                "  temp { stats(temp) by }\n"
                                "                        ^\n"
                                "hint: hist(elapsed) by path, by task, by place, by mode"},
    {"temp == \"x\"", "-e:1:1: error: temp is no text but int\n"
                      "  temp == \"x\"\n"
                      "  ^~~~\n"
                      "hint: name == \"idle\", of an array of characters or a pointer to some"},
    {"letters == \"abcde\"", "-e:1:12: error: letters has 4 characters: it never holds this text\n"
                             "  letters == \"abcde\"\n"
                             "             ^~~~~~~"},
    {"letters == \"a\\q\"", "-e:1:12: error: this is not a text as C writes it\n"
                            "  letters == \"a\\q\"\n"
                            "             ^~~~~\n"
                            "hint: \\n, \\t, \\x41, \\\\"},
    {"temp { hist(letters) }", "-e:1:13: error: hist takes a number\n"
                               "  temp { hist(letters) }\n"
                               "              ^~~~~~~\n"
                               "hint: hist(elapsed), hist(x), hist(age(x)) by path"},
    {"temp { hist(temp) by letters }", "-e:1:22: error: hits cannot be told apart by a text\n"
                                       "  temp { hist(temp) by letters }\n"
                                       "                       ^~~~~~~\n"
                                       "hint: hist(elapsed) by mode"},
    {"temp { print text(temp) }", "-e:1:19: error: temp is no text but int\n"
                                  "  temp { print text(temp) }\n"
                                  "                    ^~~~\n"
                                  "hint: name == \"idle\", of an array of characters or a pointer to some"},
    {"letters > \"x\"", "-e:1:1: error: letters is a whole array; a reference is one number\n"
                        "  letters > \"x\"\n"
                        "  ^~~~~~~\n"
                        "hint: name an element: letters[0]"},
    {"profile nothing_*", "-e:1:9: error: no procedure of the program, and no file, is called nothing_*\n"
                          "  profile nothing_*\n"
                          "          ^~~~~~~~~\n"
                          "hint: profile control, profile control.c, profile plant_*"},
    {"cover nothing_*", "-e:1:7: error: no procedure of the program, and no file, with lines that have code is called "
                        "nothing_*\n"
                        "  cover nothing_*\n"
                        "        ^~~~~~~~~\n"
                        "hint: cover control.c, cover control, cover plant_*; compiled with -g"},
    {"temp { profile }", "-e:1:8: error: a profile is one of a procedure that is entered and left\n"
                         "  temp { profile }\n"
                         "         ^~~~~~~\n"
                         "hint: enter(f) || leave(f) { profile }; or `profile f`, `profile file.c`"},
    {"tasks plant temp > 3", "-e:1:7: error: plant is a whole struct plant; a reference is one number\n"
                             "  tasks plant temp > 3\n"
                             "        ^~~~~\n"
                             "hint: name a member: plant.temp"},
};

#endif
