/* What of the control registers differs from one processor to the next, although all keep to the privileged
 * specification, or nearly so. What a processor's entry does not say, its programs read as unknown. */
#ifndef ES_MACHINE_PROCESSOR_H
#define ES_MACHINE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

enum es_processor_name {
    ES_PROCESSOR_ANY,       /* nobody has said which */
    ES_PROCESSOR_REFERENCE, /* the simulated target's: rtl/cpu/es_cpu_csr.v */
    ES_PROCESSOR_STANDARD,  /* machine mode alone, to the letter */
    ES_PROCESSOR_PICORV32,
    ES_PROCESSOR_SERV,
    ES_PROCESSOR_IBEX,
    ES_PROCESSOR_VEXRISCV,
    ES_PROCESSOR_VEXRISCV_SMALL,
    ES_PROCESSORS,
};

/* mstatus.MPP, the mode before a trap */
enum es_processor_mode {
    ES_MODE_UNKNOWN, /* unknown when it is read */
    ES_MODE_MACHINE, /* always 3, as where there is machine mode alone */
    ES_MODE_ABSENT,  /* reads as 0; MPIE, too, which programs cannot set, and mret leaves */
    ES_MODE_KEPT,    /* two bits: 3 after a trap, 0 after mret, else what was written */
};

typedef struct es_processor {
    const char *name;                  /* for --processor */
    const char *what;                  /* in words, for lists */
    uint32_t status, status_unknown;   /* mstatus after a reset; bits that are not known */
    uint32_t interrupts;               /* bits of mie and mip that there are */
    uint32_t vector_bits, vector_ones; /* of mtvec: that can be written, that are always 1 */
    uint32_t cause_bits;               /* of mcause */
    enum es_processor_mode mode;
    bool known_at_reset; /* general registers are 0 after a reset */
    bool user_mode;      /* there is user mode besides machine mode */
    bool misaligned;     /* misaligned loads and stores are made of accesses that are not; else they raise exceptions */
    bool no_scratch;     /* mscratch reads as 0 */
    bool no_wfi;         /* what it makes of wfi is not known */
    bool silent;         /* its tap tells no fetch of an instruction that raises an exception */
    bool reads_enables;  /* mie can be read */
    bool clears_enables; /* mie is 0 after a reset; the specification leaves it open */
} es_processor;

const es_processor *es_processor_of(enum es_processor_name name);

/* By its name; ES_PROCESSORS: there is none such. */
enum es_processor_name es_processor_named(const char *name);

/* All names, as a sentence for messages: belongs to the library. */
const char *es_processor_names(void);

#endif
