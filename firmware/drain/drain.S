# Takes hits from the queue and drops them, for as long as the soft core is let run: before a monitor is loaded, so that nothing of an
# earlier run is left. The host alone would be too slow: while the queue is full the FIFO overflows, and each time it does, more is put
# into the queue.
#include "probe_defs.S.h"

    .globl _start
_start:
    li   a0, ES_REG_BASE
again:
    lw   a1, ES_REG_STATUS(a0)
    andi a2, a1, ES_STATUS_HIT
    beqz a2, none
    sw   zero, ES_REG_HIT_POP(a0)
    j    again
none:
    andi a2, a1, ES_STATUS_LOCKED
    beqz a2, rest
    li   a2, ES_CTRL_UNLOCK
    sw   a2, ES_REG_CTRL(a0)
    j    again
rest:
    .word 0x10500073 /* wfi: a hit wakes, and nothing locks without one */
    j    again
