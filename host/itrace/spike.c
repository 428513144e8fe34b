/* Spike's commit log: "core   0: 3 0x80000000 (0x00000297) x5  0x80000000 mem 0x80001000". */
#include <string.h>

#include "itrace/private.h"

static char *put(char *to, const char *text)
{
    return stpcpy(to, text);
}

static char *put_hex(char *to, uint64_t value, uint64_t unknown, unsigned digits)
{
    return es_itrace_hex(put(to, "0x"), value, unknown, digits);
}

static char *put_set(char *to, const es_itrace *trace, const es_itrace_set *set)
{
    bool floating = set->reg >= 32;
    unsigned number = set->reg % 32;
    *to++ = ' ';
    *to++ = floating ? 'f' : 'x';
    if (number >= 10)
        *to++ = (char)('0' + number / 10);
    *to++ = (char)('0' + number % 10);
    if (number < 10)
        *to++ = ' ';
    *to++ = ' ';
    return put_hex(to, set->value, set->unknown, floating && trace->wide ? 16 : 8);
}

void es_itrace_spike(es_itrace *trace, const es_itrace_insn *insn)
{
    char *at = es_text_room(&trace->out, 64 + insn->set_count * 32 + insn->access_count * 40), *begin = at;
    at = put(at, insn->user ? "core   0: 0 " : "core   0: 3 ");
    at = put_hex(at, insn->pc, 0, 8);
    at = put(at, " (");
    at = put_hex(at, insn->word, 0, 2 * es_itrace_size(insn->word));
    *at++ = ')';
    for (unsigned i = 0; i < insn->set_count; i++)
        at = put_set(at, trace, &insn->sets[i]);
    for (unsigned pass = 0; pass < 2; pass++) /* reads first */
        for (unsigned i = 0; i < insn->access_count; i++) {
            const es_itrace_access *access = &insn->accesses[i];
            if (access->write != (pass > 0))
                continue;
            at = put_hex(put(at, " mem "), access->address, 0, 8);
            if (access->write) {
                *at++ = ' ';
                at = put_hex(at, access->value, access->unknown, 2u * access->size);
            }
        }
    *at++ = '\n';
    *at = 0;
    trace->out.length += (size_t)(at - begin);
}
