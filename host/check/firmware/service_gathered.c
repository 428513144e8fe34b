/* What writes to words whose address moves concern: the routines that their code notes to be run. */
#include "check/firmware/service_inside.h"

#include <stdlib.h>
#include <string.h>

#include "isa/rv32/rv32.h"

/* Notes the routines that a word's code notes to be run. */
static void gather_from(es_check_service *s, uint32_t code, uint32_t *gathered)
{
    enum { RETURNED = 0xFFFFFFF0 };
    uint32_t words = (s->header.order_count + 31u) / 32, clocks;
    es_check_situation now = {.depth = 1, .slots = 1};
    service_event e = {.service = s, .kind = ES_CHECK_WRITE_PART, .situation = &now, .gathered = gathered};
    es_check_fact *facts = es_malloc((s->fact_count + 1) * sizeof *facts);
    memcpy(facts, s->facts, s->fact_count * sizeof *facts);
    facts[s->fact_count] = (es_check_fact){s->routines.gathering, check_known(1)};
    es_check_machine machine = es_service_machine(s, false, &e);
    machine.facts = facts;
    machine.fact_count = s->fact_count + 1;
    machine.followed = 0;
    machine.end = RETURNED;
    es_check_word regs[32];
    es_error err;
    es_service_registers(s, &now, regs);
    regs[RV32_RA] = check_known(RETURNED);
    if (!es_check_machine_worst(&machine, code, regs, &clocks, &err))
        memset(gathered, 0xFF, words * sizeof *gathered);
    free(facts);
}

/* By slot: the routines of all its words. */
static const uint32_t *gathered_by(es_check_service *s, size_t number)
{
    if (s->gathered[number])
        return s->gathered[number];
    struct es_mi_slot slot = es_service_slot(s, number);
    uint32_t *gathered = s->gathered[number] =
        es_arena_alloc(s->arena, (s->header.order_count / 32u + 1) * sizeof *gathered);
    for (uint32_t i = 0; i < slot.word_count; i++) {
        struct es_mi_slot_word word;
        memcpy(&word, s->memory + slot.words_at + i * sizeof word, sizeof word);
        if (!word.cell.first)
            continue;
        gather_from(s, word.cell.first, gathered);
        if (word.cell.second != word.cell.first)
            gather_from(s, word.cell.second, gathered);
    }
    return gathered;
}

uint32_t es_service_codes(const es_check_service *s, enum es_check_event_kind kind, uint32_t address)
{
    uint32_t cell = es_service_cell(s, kind == ES_CHECK_READ, address), first = es_service_half(s, cell);
    if (kind == ES_CHECK_READ)
        return first & ES_MI_READ ? first - ES_MI_READ : 0;
    return (first | (uint32_t)es_service_half(s, cell + 2) << 16) & ~(ES_MI_FILTERED | ES_MI_NARROW << 16);
}

void es_service_know_gathered(es_check_service *s, uint64_t slots, uint32_t codes, es_check_fact *facts)
{
    uint32_t words = (s->header.order_count + 31u) / 32;
    uint32_t *own = es_malloc((words + 1) * sizeof *own);
    memset(own, 0, (words + 1) * sizeof *own);
    if (codes & 0xFFFF)
        gather_from(s, codes & 0xFFFF, own);
    if (codes >> 16)
        gather_from(s, codes >> 16, own);
    for (uint32_t i = 0; i < s->header.slot_count; i++)
        for (uint32_t k = 0; slots >> i & 1 && k < words; k++)
            own[k] |= gathered_by(s, i)[k];
    for (uint32_t k = 0; k < words; k++)
        facts[k].word.known |= ~own[k];
    free(own);
}

uint32_t es_service_pointers(const es_check_service *s, uint64_t slots)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < s->header.slot_count; i++)
        if (slots >> i & 1 && es_service_slot(s, i).pointer)
            bits |= 1u << (es_service_slot(s, i).pointer - 1);
    return bits;
}
