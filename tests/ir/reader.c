#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_defs.h"

enum { TOKENS_MAX = 48, TOKEN_SIZE = 24 };

typedef struct line {
    char tokens[TOKENS_MAX][TOKEN_SIZE];
    unsigned count;
} line;

static char wrong[200];

static const char *complain(const line *of, const char *what)
{
    snprintf(wrong, sizeof wrong, "%s: '%s %s %s %s ...'", what, of->tokens[0], of->tokens[1], of->tokens[2],
             of->tokens[3]);
    return wrong;
}

/* Words of a line; blanks, commas and brackets part them. */
static void split(line *out, const char *text, size_t length)
{
    *out = (line){.count = 0};
    for (size_t i = 0; i < length && out->count < TOKENS_MAX;) {
        size_t size = strcspn(text + i, " ,[]\n");
        if (i + size > length)
            size = length - i;
        if (size && size < TOKEN_SIZE)
            memcpy(out->tokens[out->count++], text + i, size);
        i += size ? size : 1;
    }
}

static bool is(const line *of, unsigned at, const char *text)
{
    return at < of->count && strcmp(of->tokens[at], text) == 0;
}

static bool read_register(const char *text, es_ir_reg *out)
{
    static const char *const names[ES_IR_VIRTUAL] = {
        "0",  "ra", "sp",  "gp",   "tp",    "t0",   "t1",   "t2", "s0", "hit", "a0",  "a1",    "a2", "a3", "a4", "a5",
        "a6", "a7", "top", "list", "known", "sent", "room", "s7", "np", "s9",  "s10", "parts", "t3", "t4", "t5", "t6",
    };
    for (es_ir_reg r = 0; r < ES_IR_VIRTUAL; r++)
        if (strcmp(text, names[r]) == 0) {
            *out = r;
            return true;
        }
    char *end;
    if (text[0] != 'v')
        return false;
    *out = (es_ir_reg)(ES_IR_VIRTUAL + strtoul(text + 1, &end, 10));
    return end > text + 1 && *end == 0;
}

static bool read_number(const char *text, int32_t *out)
{
    char *end;
    *out = (int32_t)strtoll(text, &end, 0);
    return end > text && *end == 0;
}

static bool read_label(const char *text, int32_t *out)
{
    char *end;
    if (text[0] != 'L')
        return false;
    *out = (int32_t)strtol(text + 1, &end, 10);
    return end > text + 1 && (*end == 0 || strcmp(end, ":") == 0);
}

/* hit.flags, v3+4, ram+12 */
static bool read_place(const char *text, es_ir_insn *insn)
{
    static const struct {
        const char *name;
        int32_t at;
    } probe[] = {{"hit.flags", ES_REG_HIT_FLAGS}, {"hit.new", ES_REG_HIT_NEW},        {"hit.old", ES_REG_HIT_OLD},
                 {"hit.pc", ES_REG_HIT_PC},       {"hit.event_data", ES_REG_EV_DATA}, {"hit.unknown", ES_REG_UNKNOWN}};
    char base[TOKEN_SIZE];
    for (size_t i = 0; i < sizeof probe / sizeof *probe; i++)
        if (strcmp(text, probe[i].name) == 0) {
            insn->a = ES_IR_HIT, insn->imm = probe[i].at;
            return true;
        }
    if (strncmp(text, "0x", 2) == 0) {
        insn->a = ES_IR_ZERO;
        return read_number(text, &insn->imm);
    }
    size_t size = strcspn(text, "+-");
    memcpy(base, text, size);
    base[size] = 0;
    if (strcmp(base, "ram") == 0)
        insn->a = ES_IR_RAM_BASE;
    else if (!read_register(base, &insn->a))
        return false;
    insn->imm = 0;
    return !text[size] || read_number(text + size, &insn->imm);
}

static uint32_t read_set(const line *of, unsigned at)
{
    uint32_t set = 0;
    bool without = false;
    es_ir_reg r;
    for (; at < of->count; at++) {
        if (is(of, at, "all"))
            set |= ES_IR_FREE;
        else if (is(of, at, "but") || is(of, at, "and"))
            without = is(of, at, "but");
        else if (!read_register(of->tokens[at], &r) || r >= ES_IR_VIRTUAL)
            break;
        else
            set = without ? set & ~ES_IR_SET(r) : set | ES_IR_SET(r);
    }
    return set;
}

static void read_sets(const line *of, unsigned at, es_ir_insn *insn)
{
    for (; at < of->count; at++) {
        if (is(of, at, "takes"))
            insn->takes = read_set(of, at + 1);
        else if (is(of, at, "gives"))
            insn->gives = read_set(of, at + 1);
        else if (is(of, at, "spoils"))
            insn->spoils = read_set(of, at + 1);
    }
}

/* The operands of an operation, from a word on. */
static bool read_operands(const line *of, enum es_ir_op op, unsigned at, es_ir_insn *insn)
{
    const char *first = at < of->count ? of->tokens[at] : "", *second = at + 1 < of->count ? of->tokens[at + 1] : "";
    insn->op = (uint8_t)op;
    switch (es_ir_form(op)) {
    case ES_IR_VALUE: return read_register(first, &insn->a) && read_register(second, &insn->b);
    case ES_IR_IMMEDIATE: return read_register(first, &insn->a) && read_number(second, &insn->imm);
    case ES_IR_CONSTANT: return read_number(first, &insn->imm);
    case ES_IR_COPIED:
    case ES_IR_RETURNED: return read_register(first, &insn->a);
    case ES_IR_PLACE: return read_place(first, insn) && (insn->a = 0, true);
    case ES_IR_LOADED: return read_place(first, insn);
    case ES_IR_STORED: return read_place(first, insn) && read_register(second, &insn->b);
    case ES_IR_JUMPED:
    case ES_IR_LINKED: return read_label(first, &insn->imm);
    case ES_IR_CALLED: return read_number(first, &insn->imm);
    default: return false;
    }
}

static bool read_operation(const line *of, es_ir_insn *insn)
{
    unsigned at = 0;
    if (is(of, 1, "=")) {
        if (!read_register(of->tokens[0], &insn->rd))
            return false;
        at = 2;
    }
    if (is(of, at, "go") && is(of, at + 1, "to"))
        return read_sets(of, at, insn), read_operands(of, ES_IR_CALL, at + 2, insn);
    read_sets(of, at, insn);
    for (enum es_ir_op op = 0; op < ES_IR_OP_COUNT; op++)
        if (is(of, at, es_ir_text(op)) && read_operands(of, op, at + 1, insn))
            return true;
    return false;
}

/* if a < b goto L1 */
static bool read_branch(const line *of, es_ir_insn *insn)
{
    insn->far = is(of, 5, "far");
    for (enum es_ir_op op = 0; op < ES_IR_OP_COUNT; op++)
        if (es_ir_form(op) == ES_IR_BRANCH && is(of, 2, es_ir_text(op))) {
            insn->op = (uint8_t)op;
            return read_register(of->tokens[1], &insn->a) && read_register(of->tokens[3], &insn->b) &&
                   read_label(of->tokens[5u + insn->far], &insn->imm);
        }
    return false;
}

static void note_names(es_ir_code *code, const es_ir_insn *insn)
{
    const es_ir_reg named[] = {insn->rd, insn->a, insn->b};
    for (size_t i = 0; i < 3; i++)
        if (named[i] >= code->next && named[i] != ES_IR_RAM_BASE)
            code->next = (es_ir_reg)(named[i] + 1);
    if (insn->op == ES_IR_LABEL && (uint32_t)insn->imm >= code->label_count)
        code->label_count = (uint32_t)insn->imm + 1;
}

const char *ir_read(es_ir_code *code, const char *text)
{
    es_ir_begin(code, code->base);
    while (*text) {
        size_t length = strcspn(text, "\n");
        line of;
        split(&of, text, length);
        text += length + (text[length] == '\n');
        es_ir_insn insn = {0};
        bool entry = is(&of, 0, "entry");
        if (of.count == 0)
            continue;
        if (is(&of, 0, "allowed")) {
            code->allowed = read_set(&of, 1);
            continue;
        }
        if (read_label(of.tokens[entry], &insn.imm))
            insn.op = ES_IR_LABEL, insn.far = entry;
        else if (!(is(&of, 0, "if") ? read_branch(&of, &insn) : read_operation(&of, &insn)))
            return complain(&of, "not understood");
        note_names(code, &insn);
        es_ir_const(code, 0, 0); /* makes room */
        code->insns[code->count - 1] = insn;
    }
    return NULL;
}
