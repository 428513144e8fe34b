#include "image/rv32.h"

#include <stdlib.h>

#include "base/arena.h"

void es_rv_free(rv_code *code)
{
    free(code->words);
    free(code->fixups);
    free(code->labels);
    *code = (rv_code){0};
}

void es_rv_reset(rv_code *code)
{
    code->count = code->fixup_count = code->label_count = 0;
}

static void *grown(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? *room * 2 : 64;
    return es_realloc(items, *room * size);
}

static void emit(rv_code *code, uint32_t word)
{
    code->words = grown(code->words, code->count, &code->room, sizeof *code->words);
    code->words[code->count++] = word;
}

void es_rv_r(rv_code *code, enum rv_op op, unsigned rd, unsigned rs1, unsigned rs2)
{
    emit(code, (uint32_t)op | rd << 7 | rs1 << 15 | rs2 << 20);
}

void es_rv_i(rv_code *code, enum rv_op op, unsigned rd, unsigned rs1, int32_t imm)
{
    emit(code, (uint32_t)op | rd << 7 | rs1 << 15 | (uint32_t)imm << 20);
}

void es_rv_store(rv_code *code, enum rv_op op, unsigned rs2, unsigned rs1, int32_t imm)
{
    uint32_t bits = (uint32_t)imm;
    emit(code, (uint32_t)op | (bits & 0x1F) << 7 | rs1 << 15 | rs2 << 20 | (bits >> 5 & 0x7F) << 25);
}

void es_rv_lui(rv_code *code, unsigned rd, uint32_t value)
{
    emit(code, (uint32_t)RV_LUI | rd << 7 | (value & 0xFFFFF000u));
}

void es_rv_li(rv_code *code, unsigned rd, uint32_t value)
{
    if (rv_fits(value)) {
        es_rv_i(code, RV_ADDI, rd, RV_ZERO, (int32_t)value);
        return;
    }
    es_rv_lui(code, rd, rv_high(value));
    if (rv_low(value))
        es_rv_i(code, RV_ADDI, rd, rd, rv_low(value));
}

void es_rv_return(rv_code *code, unsigned rs1)
{
    emit(code, (uint32_t)RV_JALR | rs1 << 15);
}

static uint32_t jump_bits(uint32_t d)
{
    return (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12;
}

void es_rv_call(rv_code *code, unsigned rd, uint32_t target)
{
    emit(code, (uint32_t)RV_JAL | rd << 7 | jump_bits(target - (code->base + 4 * (uint32_t)code->count)));
}

unsigned es_rv_label(rv_code *code)
{
    code->labels = grown(code->labels, code->label_count, &code->label_room, sizeof *code->labels);
    code->labels[code->label_count] = -1;
    return (unsigned)code->label_count++;
}

void es_rv_place(rv_code *code, unsigned label)
{
    code->labels[label] = (long)code->count;
}

static void fix_later(rv_code *code, unsigned label)
{
    code->fixups = grown(code->fixups, code->fixup_count, &code->fixup_room, sizeof *code->fixups);
    code->fixups[code->fixup_count++] = (struct rv_fixup){code->count, label};
}

void es_rv_branch(rv_code *code, enum rv_op op, unsigned rs1, unsigned rs2, unsigned label)
{
    if (code->far) {
        /* bit 12 inverts a branch's condition; the branch goes over the jal: distance 8 */
        emit(code, ((uint32_t)op ^ 1u << 12) | 8u << 7 | rs1 << 15 | rs2 << 20);
        es_rv_jump(code, label);
        return;
    }
    fix_later(code, label);
    emit(code, (uint32_t)op | rs1 << 15 | rs2 << 20);
}

void es_rv_link(rv_code *code, unsigned rd, unsigned label)
{
    fix_later(code, label);
    emit(code, (uint32_t)RV_JAL | rd << 7);
}

void es_rv_jump(rv_code *code, unsigned label)
{
    es_rv_link(code, RV_ZERO, label);
}

bool es_rv_finish(rv_code *code)
{
    for (size_t i = 0; i < code->fixup_count; i++) {
        uint32_t *word = &code->words[code->fixups[i].at];
        long distance = (code->labels[code->fixups[i].label] - (long)code->fixups[i].at) * 4;
        uint32_t d = (uint32_t)distance;
        if ((*word & 0x7F) == RV_JAL) { /* reaches 1 MiB: more than there is memory */
            *word |= jump_bits(d);
        } else {
            if (distance < -4096 || distance > 4094)
                return false;
            *word |= (d >> 12 & 1) << 31 | (d >> 5 & 0x3F) << 25 | (d >> 1 & 0xF) << 8 | (d >> 11 & 1) << 7;
        }
    }
    return true;
}
