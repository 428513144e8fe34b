#include "target.h"

#define MRET_AT 0x0680u

const es_procedure target_procedures[TOTAL] = {
    [START] = {.name = "_start", .low = 0x0000, .high = 0x0100},
    [MAIN] = {.name = "main", .low = 0x0100, .high = 0x0200, .has_debug = true},
    [F] = {.name = "f", .low = 0x0200, .high = 0x0300, .has_debug = true},
    [G] = {.name = "g", .low = 0x0300, .high = 0x0400, .has_debug = true},
    [H] = {.name = "h", .low = 0x0400, .high = 0x0500, .has_debug = true, .address_taken = true},
    [REC] = {.name = "rec", .low = 0x0500, .high = 0x0600, .has_debug = true, .is_recursive = true},
    [ISR] =
        {.name = "isr", .low = 0x0600, .high = 0x0700, .has_debug = true, .is_interrupt = true, .address_taken = true},
    [FREE] = {.name = "free", .low = 0x0700, .high = 0x0800},
};

#define PROCEDURE(name) (&target_procedures[name])

static const es_procedure *const procedure_list[TOTAL] = {
    PROCEDURE(START), PROCEDURE(MAIN), PROCEDURE(F),   PROCEDURE(G),
    PROCEDURE(H),     PROCEDURE(REC),  PROCEDURE(ISR), PROCEDURE(FREE),
};

static const es_call_site sites[] = {
    {SITE_MAIN, 4, PROCEDURE(START), PROCEDURE(MAIN), false},
    {MAIN_F, 4, PROCEDURE(MAIN), PROCEDURE(F), false},
    {MAIN_G, 4, PROCEDURE(MAIN), PROCEDURE(G), false},
    {MAIN_REC, 4, PROCEDURE(MAIN), PROCEDURE(REC), false},
    {MAIN_POINTER, 4, PROCEDURE(MAIN), NULL, false},
    {F_G, 4, PROCEDURE(F), PROCEDURE(G), false},
    {G_H, 4, PROCEDURE(G), PROCEDURE(H), false},
    {G_TAIL_H, 4, PROCEDURE(G), PROCEDURE(H), true},
    {REC_REC, 4, PROCEDURE(REC), PROCEDURE(REC), false},
    {REC_LAST, 4, PROCEDURE(REC), PROCEDURE(REC), false},
};

/* g's frame takes no stack of its own, so that its call of and its jump to h agree about h's frame */
static const int frame_sizes[TOTAL] = {[START] = -1, [MAIN] = 32, [F] = 48, [G] = 0, [H] = 16, [REC] = 32, [ISR] = 64};

static const uint8_t mret_bytes[] = {0x73, 0x00, 0x20, 0x30};
static const uint8_t loop_bytes[] = {0x6F, 0x00, 0x00, 0x00};
static const es_segment segments[] = {{MRET_AT, sizeof mret_bytes, mret_bytes, true, false},
                                      {TARGET_LOOP, sizeof loop_bytes, loop_bytes, true, false}};

#define UPWARDS(at) \
    { \
        .store = {.site = (at), .kind = ES_STORE_UNKNOWN}, .size = 4, .run = true, .rising = true \
    }
static const es_part parts[] = {
    UPWARDS(0),
    {.store = {.site = TARGET_PAIR, .kind = ES_STORE_UNKNOWN}, .size = 4, .earlier = 0x00F0, .later = 0xF000},
    UPWARDS(MAIN_F + 4),
    UPWARDS(0x0200),
    UPWARDS(0x0500),
};

const es_symbols target_symbols = {
    .procedures = procedure_list,
    .procedure_count = TOTAL,
    .sites = sites,
    .site_count = sizeof sites / sizeof sites[0],
    .frame_sizes = frame_sizes,
    .segments = segments,
    .segment_count = sizeof segments / sizeof segments[0],
    .parts = parts,
    .part_count = sizeof parts / sizeof parts[0],
    .entry = 0,
    .stack_top = TARGET_STACK_TOP,
};

const es_probe_limits target_limits = {
    .memory_size = ES_MEM_SIZE, .window_size = MODEL_WINDOW, .bus_hz = 10000000, .start_up = true};

uint32_t insn_jal(uint32_t from, uint32_t to, unsigned rd)
{
    uint32_t d = to - from;
    return 0x6F | rd << 7 | (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12;
}

void target_call(model *m, uint32_t site, int procedure)
{
    uint32_t to = target_procedures[procedure].low;
    model_fetch(m, site, insn_jal(site, to, 1));
    model_fetch(m, to, INSN_NOP);
}

void target_call_pointer(model *m, uint32_t site, int procedure)
{
    model_fetch(m, site, 0x000780E7u); /* jalr ra, 0(a5) */
    model_fetch(m, target_procedures[procedure].low, INSN_NOP);
}

void target_return(model *m, uint32_t from, uint32_t site)
{
    model_fetch(m, from, INSN_RET_);
    model_fetch(m, site + 4, INSN_NOP);
}

void target_jump(model *m, uint32_t from, int procedure)
{
    uint32_t to = target_procedures[procedure].low;
    model_fetch(m, from, insn_jal(from, to, 0));
    model_fetch(m, to, INSN_NOP);
}

void target_interrupt(model *m)
{
    model_fetch(m, target_procedures[ISR].low, INSN_NOP);
}

void target_mret(model *m, uint32_t back)
{
    model_fetch(m, MRET_AT, INSN_MRET_);
    model_fetch(m, back, INSN_NOP);
}
