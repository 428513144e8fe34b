/* The target program of the firmware's tests, and its bus traffic: calls, returns, interrupts as sequences of
 * fetches. */
#ifndef TESTS_FIRMWARE_TARGET_H
#define TESTS_FIRMWARE_TARGET_H

#include "../image/fake_symbols.h"
#include "model.h"

enum { START, MAIN, F, G, H, REC, ISR, FREE, TOTAL };

extern const es_procedure target_procedures[TOTAL];
extern const es_symbols target_symbols;
extern const es_probe_limits target_limits;

#define TARGET_STACK_TOP 0x40000u
#define INSN_NOP 0x00000013u
#define INSN_RET_ 0x00008067u
#define INSN_MRET_ 0x30200073u

/* Call sites. */
#define SITE_MAIN 0x0010u /* _start calls main */
#define MAIN_F 0x0110u
#define MAIN_G 0x0120u
#define MAIN_REC 0x0130u
#define F_G 0x0210u
#define G_H 0x0310u
#define G_TAIL_H 0x0340u /* jump */
#define MAIN_POINTER 0x0140u
#define REC_REC 0x0510u
#define TARGET_LOOP 0x06C0u /* a jump to itself */
#define REC_LAST 0x05FCu    /* the return point is ISR's first instruction */

/* Stores of the instructions at address 0, at which tests are that fetch nothing, after main's call of f, and where f
 * and rec begin, are rounds of loops that go upwards. Besides: */
#define TARGET_PAIR 0x0040u  /* two words, the lower one first */
#define TARGET_ALONE 0x0050u /* any other instruction: each store is an assignment */

uint32_t insn_jal(uint32_t from, uint32_t to, unsigned rd);

void target_call(model *m, uint32_t site, int procedure); /* jal ra at site, then the procedure's first instruction */
void target_call_pointer(model *m, uint32_t site, int procedure);
/* ret at `from`, then the instruction after the call at site */
void target_return(model *m, uint32_t from, uint32_t site);
void target_jump(model *m, uint32_t from, int procedure); /* jal x0 */
void target_interrupt(model *m);                          /* ISR's first instruction, just so */
void target_mret(model *m, uint32_t back);                /* mret, then the instruction at back */

#endif
