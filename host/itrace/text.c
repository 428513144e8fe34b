/* An instruction trace for people: number, time, place, encoding, what it changed, where it is in the source. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "itrace/private.h"

static void put(es_text_buffer *out, const char *begin, const char *end)
{
    es_text_add(out, begin, (size_t)(end - begin));
}

static void put_time(es_itrace *trace, uint64_t moment)
{
    uint64_t clock = es_replay_pace_time(&trace->pace, moment);
    char text[3 * ES_DECIMAL_ROOM], *at = es_put_decimal(text, (int64_t)moment, 10);
    *at++ = ' ';
    if (trace->hz) { /* in ms, of which four places after the point */
        uint64_t tenths = (uint64_t)((double)clock * 1e7 / (double)trace->hz + 0.5);
        at = es_put_decimal(at, (int64_t)(tenths / 10000), 8);
        *at++ = '.';
        for (unsigned scale = 1000; scale; scale /= 10)
            *at++ = (char)('0' + tenths / scale % 10);
        memcpy(at, " ms  ", 5);
        at += 5;
    } else {
        at = es_put_decimal(at, (int64_t)clock, 12);
        memcpy(at, "  ", 2);
        at += 2;
    }
    put(&trace->out, text, at);
}

static void put_hex(es_text_buffer *out, uint64_t value, uint64_t unknown, unsigned digits)
{
    char text[16];
    put(out, text, es_itrace_hex(text, value, unknown, digits));
}

static void fill(const es_itrace *trace, es_itrace_fixed *it, uint32_t pc, uint32_t word)
{
    const es_procedure *procedure = es_symbols_procedure_at(trace->symbols, pc);
    const char *file;
    unsigned line;
    es_text_buffer place = {0};
    es_text_format(&place, "%s", procedure ? procedure->name : "?");
    if (procedure && pc > procedure->low)
        es_text_format(&place, "+0x%" PRIx32, pc - procedure->low);
    es_text_free(&it->place);
    es_text_free(&it->source);
    put_hex(&it->place, pc, 0, 8);
    es_text_add(&it->place, "  ", 2);
    put_hex(&it->place, word, 0, 2 * es_itrace_size(word));
    es_text_format(&it->place, "%*s  %-24s", 2 * (4 - (int)es_itrace_size(word)), "", place.text);
    es_text_free(&place);
    char words[64] = "";
    if (trace->isa->disassemble)
        trace->isa->disassemble(words, sizeof words, word, pc, es_symbols_arch(trace->symbols));
    es_text_format(&it->place, "  %-24s", words);
    if (es_symbols_line(trace->symbols, pc, &file, &line))
        es_text_format(&it->source, "  # %s:%u", es_base_name(file), line);
    es_text_add(&it->source, "\n", 1);
    it->pc = pc;
    it->word = word;
    it->filled = true;
}

static const es_itrace_fixed *fixed_of(es_itrace *trace, uint32_t pc, uint32_t word)
{
    if (!trace->kept) {
        trace->kept = es_malloc(ES_ITRACE_KEPT * sizeof *trace->kept);
        memset(trace->kept, 0, ES_ITRACE_KEPT * sizeof *trace->kept);
    }
    es_itrace_fixed *it = &trace->kept[pc / 2 % ES_ITRACE_KEPT];
    if (!it->filled || it->pc != pc || it->word != word)
        fill(trace, it, pc, word);
    return it;
}

static void put_effects(es_itrace *trace, const es_itrace_insn *insn)
{
    es_text_buffer *out = &trace->out;
    for (unsigned i = 0; i < insn->set_count; i++) {
        const es_itrace_set *set = &insn->sets[i];
        const char *name = es_isa_register_name(trace->isa, set->reg);
        es_text_add(out, " ", 1);
        es_text_add(out, name ? name : "?", name ? strlen(name) : 1);
        es_text_add(out, "=", 1);
        put_hex(out, set->value, set->unknown, set->reg >= 32 && trace->wide ? 16 : 8);
    }
    for (unsigned i = 0; i < insn->access_count; i++) {
        const es_itrace_access *access = &insn->accesses[i];
        es_text_add(out, " [", 2);
        put_hex(out, access->address, 0, 8);
        es_text_add(out, access->write ? "]=" : "]->", access->write ? 2 : 3);
        put_hex(out, access->value, access->unknown, 2u * access->size);
    }
}

void es_itrace_text(es_itrace *trace, const es_itrace_insn *insn)
{
    const es_itrace_fixed *fixed = fixed_of(trace, insn->pc, insn->word);
    put_time(trace, insn->moment);
    es_text_add(&trace->out, fixed->place.text, fixed->place.length);
    put_effects(trace, insn);
    es_text_buffer *out = &trace->out;
    while (fixed->source.text[0] == '\n' && out->text[out->length - 1] == ' ') /* of the column before */
        out->length--;
    es_text_add(out, fixed->source.text, fixed->source.length);
}

void es_itrace_text_end(es_itrace *trace)
{
    for (size_t i = 0; trace->kept && i < ES_ITRACE_KEPT; i++) {
        es_text_free(&trace->kept[i].place);
        es_text_free(&trace->kept[i].source);
    }
    free(trace->kept);
    trace->kept = NULL;
}

void es_itrace_text_trap(es_itrace *trace, uint32_t cause)
{
    es_text_format(&trace->out, "%10s %s %" PRIu32 "\n", "-", cause >> 31 ? "interrupt" : "exception",
                   cause & UINT32_C(0x7FFFFFFF));
}

void es_itrace_text_reset(es_itrace *trace)
{
    es_text_format(&trace->out, "%10s reset\n", "-");
}
