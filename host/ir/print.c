/* The text form of the monitor IR (docs/compiler.md). */
#include "ir/ir.h"
#include "probe_defs.h"

static const char *const machine[ES_IR_VIRTUAL] = {
    "0",  "ra", "sp",  "gp",   "tp",    "t0",   "t1",   "t2", "s0", "hit", "a0",  "a1",    "a2", "a3", "a4", "a5",
    "a6", "a7", "top", "list", "known", "sent", "room", "s7", "np", "s9",  "s10", "parts", "t3", "t4", "t5", "t6",
};

/* Registers of the probe, by their distance from ES_REG_BASE. */
static const struct {
    int32_t at;
    const char *text;
} probe[] = {
    {ES_REG_HIT_FLAGS, "flags"},     {ES_REG_HIT_ADDR, "address"},   {ES_REG_HIT_NEW, "new"},
    {ES_REG_HIT_OLD, "old"},         {ES_REG_HIT_PC, "pc"},          {ES_REG_HIT_TIME, "time"},
    {ES_REG_TIME_HIGH, "time_high"}, {ES_REG_UNKNOWN, "unknown"},    {ES_REG_EV_DATA, "event_data"},
    {ES_REG_EV_LAST, "event_last"},  {ES_REG_EV_END, "event_end"},   {ES_REG_EV_HIT, "event_hit"},
    {ES_REG_EV_HEAD, "event_head"},  {ES_REG_EV_ROOM, "event_room"}, {ES_REG_EV_FLAGS, "event_flags"},
    {ES_REG_TIME_NOW, "time_now"},
};

typedef struct printer {
    es_text_buffer *out;
    es_ir_name_of *name_of;
    void *context;
} printer;

static void put_register(const printer *p, es_ir_reg r)
{
    if (r < ES_IR_VIRTUAL)
        es_text_format(p->out, "%s", machine[r]);
    else
        es_text_format(p->out, "v%u", r - ES_IR_VIRTUAL);
}

static void put_number(const printer *p, int32_t value)
{
    if (value > -4096 && value < 4096)
        es_text_format(p->out, "%d", (int)value);
    else
        es_text_format(p->out, "0x%x", (unsigned)value);
}

static void put_ram(const printer *p, uint32_t offset)
{
    uint32_t begin = 0;
    const char *name = p->name_of ? p->name_of(p->context, offset, &begin) : NULL;
    if (!name)
        es_text_format(p->out, "ram+%u", (unsigned)offset);
    else if (offset == begin)
        es_text_format(p->out, "%s", name);
    else
        es_text_format(p->out, "%s+%u", name, (unsigned)(offset - begin));
}

static void put_place(const printer *p, const es_ir_insn *insn)
{
    es_text_format(p->out, "[");
    if (insn->a == ES_IR_RAM_BASE) {
        put_ram(p, (uint32_t)insn->imm);
    } else {
        const char *text = NULL;
        for (size_t i = 0; i < sizeof probe / sizeof *probe && insn->a == ES_IR_HIT && !text; i++)
            text = probe[i].at == insn->imm ? probe[i].text : NULL;
        if (insn->a == ES_IR_ZERO) {
            es_text_format(p->out, "0x%x]", (unsigned)insn->imm);
            return;
        }
        put_register(p, insn->a);
        if (text)
            es_text_format(p->out, ".%s", text);
        else if (insn->imm)
            es_text_format(p->out, insn->imm < 0 ? "%d" : "+%d", (int)insn->imm);
    }
    es_text_format(p->out, "]");
}

static void put_members(const printer *p, const char *before, uint32_t set)
{
    if (set)
        es_text_format(p->out, "%s", before);
    for (unsigned r = 0; r < ES_IR_VIRTUAL; r++)
        if (set >> r & 1) {
            es_text_format(p->out, " ");
            put_register(p, (es_ir_reg)r);
        }
}

/* Most of the registers that routines may use: all, but for some. */
static void put_set(const printer *p, const char *what, uint32_t set)
{
    if (!set)
        return;
    es_text_format(p->out, " %s", what);
    if (__builtin_popcount(set & ES_IR_FREE) * 2 <= __builtin_popcount(ES_IR_FREE)) {
        put_members(p, "", set);
        return;
    }
    es_text_format(p->out, " all");
    put_members(p, " but", ES_IR_FREE & ~set);
    put_members(p, " and", set & ~ES_IR_FREE);
}

static void put_insn(const printer *p, const es_ir_insn *insn)
{
    enum es_ir_form form = es_ir_form(insn->op);
    if (form == ES_IR_LABELLED) {
        es_text_format(p->out, "%sL%d:\n", insn->far ? "entry " : "", (int)insn->imm);
        return;
    }
    es_text_format(p->out, "    ");
    if (form == ES_IR_BRANCH) {
        es_text_format(p->out, "if ");
        put_register(p, insn->a);
        es_text_format(p->out, " %s ", es_ir_text(insn->op));
        put_register(p, insn->b);
        es_text_format(p->out, " goto %sL%d\n", insn->far ? "far " : "", (int)insn->imm);
        return;
    }
    if (form <= ES_IR_LOADED || ((form == ES_IR_LINKED || form == ES_IR_CALLED) && insn->rd != ES_IR_ZERO)) {
        put_register(p, insn->rd);
        es_text_format(p->out, " = ");
    }
    es_text_format(p->out, "%s ", form == ES_IR_CALLED && insn->rd == ES_IR_ZERO ? "go to" : es_ir_text(insn->op));
    switch (form) {
    case ES_IR_VALUE:
        put_register(p, insn->a);
        es_text_format(p->out, ", ");
        put_register(p, insn->b);
        break;
    case ES_IR_IMMEDIATE:
        put_register(p, insn->a);
        es_text_format(p->out, ", ");
        put_number(p, insn->imm);
        break;
    case ES_IR_CONSTANT: put_number(p, insn->imm); break;
    case ES_IR_PLACE: put_ram(p, (uint32_t)insn->imm); break;
    case ES_IR_LOADED: put_place(p, insn); break;
    case ES_IR_STORED:
        put_place(p, insn);
        es_text_format(p->out, ", ");
        put_register(p, insn->b);
        break;
    case ES_IR_COPIED:
    case ES_IR_RETURNED: put_register(p, insn->a); break;
    case ES_IR_JUMPED:
    case ES_IR_LINKED: es_text_format(p->out, "L%d", (int)insn->imm); break;
    default: es_text_format(p->out, "0x%x", (unsigned)insn->imm); break;
    }
    put_set(p, "takes", insn->takes);
    put_set(p, "gives", insn->gives);
    put_set(p, "spoils", insn->spoils);
    es_text_format(p->out, "\n");
}

void es_ir_print(const es_ir_code *code, es_text_buffer *out, es_ir_name_of *name_of, void *context)
{
    printer p = {out, name_of, context};
    for (size_t i = 0; i < code->count; i++)
        put_insn(&p, &code->insns[i]);
}
