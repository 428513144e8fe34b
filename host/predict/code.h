/* The program's code as basic blocks, with what each instruction takes. */
#ifndef ES_PREDICT_CODE_H
#define ES_PREDICT_CODE_H

#include "symbols/code.h"

/* An instruction as the target's processor executes it (interface/cpu_cycles.def). */
typedef struct es_predict_insn {
    uint8_t size;               /* bytes; 0: there is none here */
    uint8_t fetch;              /* clocks from its fetch's request to the next request */
    uint8_t data;               /* from its data access's request to the next fetch's; 0: it has none */
    bool leads;                 /* a basic block begins here */
    bool ends;                  /* a basic block ends here */
    uint8_t kind, rd, rs1, rs2; /* as es_insn has them */
} es_predict_insn;

typedef struct es_predict_code {
    const es_symbols *symbols;
    uint32_t low, count; /* instructions at low + 2 i */
    es_predict_insn *insns;
} es_predict_code;

void es_predict_code_read(es_predict_code *code, const es_symbols *symbols);
void es_predict_code_free(es_predict_code *code);

/* The instruction at an address; NULL: there is no code. */
static inline const es_predict_insn *es_predict_insn_at(const es_predict_code *code, uint32_t address)
{
    uint32_t i = (address - code->low) / 2;
    return i < code->count && code->insns[i].size ? &code->insns[i] : NULL;
}

#endif
