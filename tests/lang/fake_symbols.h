/* A made-up program for the tests of statements: what its source would look like.
 *
 *     thermostat.c:  enum mode { IDLE, ARMED, ALARM = 7, LOW = -2 };    enum wide { BIG = 0x80000000u };
 *         int temp;  unsigned level;  enum mode mode;  volatile uint8_t byte_;  short delta16;  char key;  bool on;
 *         float ratio;  double precise;  uint64_t ticks;  struct plant *p;  int grid[3][4];  int open_array[];
 *         struct plant { int temp; struct { short lo, hi; }; unsigned a : 3, b : 7, c : 22; int array[4]; } plant;
 *         struct __attribute__((packed)) { char c; int i; short s; unsigned f : 9; short s2; uint64_t wide : 63, w40 :
 * 40; } packed; struct opaque *opaque, of which nothing is known;  int c1, c12, c123; static int state;  int elapsed_;
 * int at;  int path_; int clamp(int lo, int x)  { int both; static int calls; }       void control(void) { int delta;
 * int both; int fast; } int index;  struct node { struct node *next; short value; int row[4]; } *node;  uint8_t *bytes;
 * void *anything; long double big;  void cloned(void), as two clones;  void flat(void) { ... } in line 80 alone; tiny()
 * is inlined struct plant **pp;  static int callback1(void) { int value; }, whose address is taken main calls by
 * address: control, __mulsi3, clamp, fact, something through a pointer, clamp, and jumps to same; by line: clamp (53),
 * control (55), fact (56), the pointer (57), clamp (58), same (58). control calls clamp. Lines with code: main 50, 53,
 * 55 to 59; clamp 20, 22, 24; control 30, 35. other.c:       static int state;  static int twice;   int fact(int n) {
 * return n * even(n - 1); }  int even(int n) { fact(n); } int lost, of no known procedure's frame;  int unseen, without
 * a place or a reason;  untyped 1.c to 9.c:    static int many; lib/third.c:   static int twice;  static int twice2
 *     isr.c:         void uart_isr(void) __attribute__((interrupt)) { int seen; }
 */
#ifndef TESTS_LANG_FAKE_SYMBOLS_H
#define TESTS_LANG_FAKE_SYMBOLS_H

#include "symbols/symbols.h"

/* The functions of symbols.h that statements need are defined over this program; the es_symbols is not looked at. */
const es_symbols *fake_symbols(void);

/* Set: the program has no procedure main. */
extern bool fake_without_main;

#endif
