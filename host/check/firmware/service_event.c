/* One event as the firmware finds it: the probe's registers, its own, and what it reaches. */
#include "check/firmware/service_inside.h"

#include <string.h>

#include "isa/rv32/rv32.h"

static es_check_word hit_flags(const service_event *e)
{
    if (e->kind == ES_CHECK_EPOCH)
        return (es_check_word){ES_KIND_MARK | ES_MARK_EPOCH << ES_HIT_LANES_SHIFT,
                               ES_HIT_KIND_MASK | 15u << ES_HIT_LANES_SHIFT};
    if (e->kind == ES_CHECK_READ)
        return (es_check_word){ES_KIND_READ, ES_HIT_KIND_MASK};
    bool fetch = e->kind >= ES_CHECK_CALL;
    uint32_t kind = fetch ? ES_KIND_FETCH : ES_KIND_WRITE;
    uint32_t known = ES_HIT_KIND_MASK;
    uint32_t bits = kind;
    /* all lanes; of an instruction of two bytes some, as the tap has them */
    if (e->kind == ES_CHECK_WRITE || (fetch && e->service->target->smallest == 4)) {
        bits |= 15u << ES_HIT_LANES_SHIFT;
        known |= 15u << ES_HIT_LANES_SHIFT;
    }
    if (fetch) {
        bits |= ES_HIT_OLD_KNOWN;
        known |= ES_HIT_OLD_KNOWN;
    }
    return (es_check_word){bits & known, known};
}

/* REG_HIT_PC: of OTHER, which is a fetch, the site of what was fetched before. */
static es_check_word last_pc(const service_event *e)
{
    const es_check_situation *now = e->situation;
    uint32_t size_bit = e->service->target->evidence.size_bit;
    if (e->kind != ES_CHECK_OTHER || !now->from)
        return (es_check_word){0, 1};
    return check_known(es_isa_site(now->from, now->word & size_bit ? 4 : 2));
}

/* Of an event; e NULL: of any. */
static es_check_word read_register(void *context, uint32_t address)
{
    static const es_check_word unknown = {0, 0};
    const service_event *e = context;
    if (address == ES_REG_BASE + ES_REG_UNKNOWN)
        return (es_check_word){0, ~1u};
    if (address == ES_REG_BASE + ES_REG_EV_ROOM)
        return check_known(0xFFFF); /* check.c makes sure that there always is enough */
    if (!e)
        return unknown;
    const es_check_situation *now = e->situation;
    const es_isa_evidence *evidence = &e->service->target->evidence;
    if (now->stored.known && e->kind <= ES_CHECK_WRITE_PART &&
        address == e->address - e->service->header.window_base + ES_PHANTOM_BASE)
        return now->stored;
    if (address < ES_REG_BASE || address >= ES_PHANTOM_BASE)
        return unknown;
    switch (address - ES_REG_BASE) {
    case ES_REG_HIT_CELL:
    case ES_REG_HIT_NEXT: return check_known(e->cell);
    case ES_REG_HIT_FLAGS: return hit_flags(e);
    case ES_REG_HIT_ADDR: return now->slots && !e->address ? unknown : check_known(e->address);
    case ES_REG_HIT_NEW: return now->stored;
    case ES_REG_HIT_OLD:
        if (e->kind == ES_CHECK_CALL)
            return word_masked(evidence->call_bits, e->service->target->smallest < 4 ? ~evidence->size_bit : ~0u);
        if (e->kind == ES_CHECK_RETURN)
            return word_masked(evidence->a_return, es_isa_return_mask(e->service->target));
        return e->kind == ES_CHECK_OTHER && now->from ? check_known(now->word) : unknown;
    case ES_REG_HIT_PC: return last_pc(e);
    default: return unknown;
    }
}

/* Words that a store puts into the event queue. */
static uint32_t weigh_words(void *context, uint32_t address, es_check_word value)
{
    (void)context, (void)value;
    switch (address - ES_REG_BASE) {
    case ES_REG_EV_HIT: return 5;
    case ES_REG_EV_HEAD:
    case ES_REG_EV_DATA:
    case ES_REG_EV_LAST: return 1;
    default: return 0;
    }
}

/* Paths that come to words of slots that do not lie there are none. */
static bool enter(void *context, uint32_t gate, const es_check_word regs[32])
{
    const service_event *e = context;
    if (!e)
        return true;
    const es_check_service *s = e->service;
    if (gate == s->routines.slot_met && word_is_known(regs[RV32_A0]))
        return e->situation->slots >> (regs[RV32_A0].bits - s->header.slots_at) / sizeof(struct es_mi_slot) & 1;
    if (gate == s->routines.gather && e->gathered)
        for (uint32_t i = 0; i < s->header.order_count; i++)
            if (!word_is_known(regs[RV32_A1]) || regs[RV32_A1].bits == i)
                e->gathered[i / 32] |= 1u << i % 32;
    return true;
}

void es_service_registers(const es_check_service *s, const es_check_situation *now, es_check_word regs[32])
{
    uint32_t stack = s->routines.shadow_stack, top = stack + now->depth * ES_MI_ACTIVATION_SIZE;
    memset(regs, 0, 32 * sizeof *regs);
    regs[RV32_RA] = check_known(s->routines.pop);
    regs[RV32_SP] = check_known(s->routines.stack_pointer);
    regs[RV32_GP] = check_known(s->routines.global_pointer);
    regs[RV32_TP] = check_known(s->header.ram_at + ES_MI_RAM_POINTER);
    regs[RV32_S1] = check_known(ES_REG_BASE);
    regs[RV32_S2] = check_known(top);
    regs[RV32_S4] = check_known(now->path_sent ? top : stack);
    regs[RV32_S5] = check_known(now->path_sent ? top : stack);
    regs[RV32_S6] = check_known(ES_FRAME_MAX_WORDS);
    regs[RV32_S7] = check_known(stack + ES_MI_STACK_DEPTH * ES_MI_ACTIVATION_SIZE);
    regs[RV32_S9] = check_known(4);
    regs[RV32_S10] = (es_check_word){0, ~1u};
    regs[RV32_S11] = check_known(ES_REG_BASE);
    if (!s->header.root_node_at || now->node)
        regs[RV32_S8] = check_known(now->node); /* 0: there is no tree */
}

es_check_machine es_service_machine(es_check_service *s, bool words, service_event *e)
{
    return (es_check_machine){
        .memory = s->memory,
        .size = sizeof s->memory,
        .constant = ES_IMAGE_BASE,
        .constant_end = s->header.ram_at,
        .stack = s->routines.stack_pointer - 512,
        .stack_end = s->routines.stack_pointer,
        .functions = &s->functions[words],
        .gates = {s->header.slot_count ? s->routines.slot_met : 0, s->header.slot_count ? s->routines.gather : 0},
        .enter = enter,
        .live = s->live,
        .code = s->code,
        .budget = s->header.slot_count || s->header.tasks_at ? &s->budget : NULL,
        .followed = s->header.slot_count ? s->routines.gathering : 0,
        .calls = s->lists,
        .jumps = s->frames,
        .read = read_register,
        .weigh = words ? weigh_words : NULL,
        .context = e};
}
