#include "model.h"
#include "cpu_cycles.h" /* CYCLES_<class>: interface/cpu_cycles.def */
#include "image/firmware.h"
#include "model_tracker.h"

#include <stdio.h>
#include <string.h>

#define RUN_MAX 20000000u /* instructions until a sleep: more is a hang */

static void stop(model *m, const char *why)
{
    if (!m->broken) {
        m->broken = why;
        printf("model stopped: %s (pc 0x%08x)\n", why, (unsigned)m->pc);
    }
}

/* --- registers ------------------------------------------------------------------------------------------- */

static void end_frame(model *m)
{
    if (m->building_count == 0 || m->building_count != (m->building[0] >> 8 & 0xFF) + 1)
        stop(m, "a frame's length differs from what its first word says");
    if (m->frame_count == MODEL_FRAMES) {
        stop(m, "more frames than the model holds");
        return;
    }
    model_frame *frame = &m->frames[m->frame_count++];
    memcpy(frame->words, m->building, sizeof m->building);
    frame->count = m->building_count;
    m->building_count = 0;
}

static void put(model *m, uint32_t word)
{
    if (m->building_count == ES_FRAME_MAX_WORDS || m->room == 0) {
        stop(m, "no room for an event word");
        return;
    }
    m->room--;
    m->building[m->building_count++] = word;
}

/* A frame's first word, with its number. */
static void put_head(model *m, uint32_t low)
{
    put(m, (low & 0xFFFF) | (uint32_t)m->sequence++ << 16);
}

static void pop_hit(model *m)
{
    if (m->hit_count == 0) {
        stop(m, "pop without a hit");
        return;
    }
    if (m->unknown)
        stop(m, "an event met unknown memory and has not looked at REG_UNKNOWN since");
    m->pop_clocks = m->clocks;
    if (m->hits[0].flags & ES_HIT_LOCKED)
        m->locked = false;
    if ((m->hits[0].flags & ES_HIT_KIND_MASK) == ES_KIND_MARK &&
        (m->hits[0].flags >> ES_HIT_LANES_SHIFT & 15) == ES_MARK_EPOCH)
        m->time_high = m->hits[0].new_word;
    memmove(m->hits, m->hits + 1, --m->hit_count * sizeof m->hits[0]);
}

static void register_write(model *m, uint32_t offset, uint32_t value)
{
    const model_hit *hit = &m->hits[0];
    if (m->clocks < m->ev_free)
        stop(m, "a register is written too early after EV_HIT or EV_LAST");
    switch (offset) {
    case ES_REG_HIT_POP: pop_hit(m); break;
    case ES_REG_EV_DATA: put(m, value); break;
    case ES_REG_EV_END: end_frame(m); break;
    case ES_REG_EV_HEAD: put_head(m, value); break;
    case ES_REG_EV_HIT:
        put_head(m, (value >> 16 & 0xFF) << 8 | ES_FRAME_HIT);
        put(m, hit->time);
        put(m, m->time_high);
        put(m, (value & 0xFFFF) | (uint32_t)m->ev_flags << 16);
        put(m, hit->pc);
        m->ev_free = m->clocks + 5;
        break;
    case ES_REG_EV_LAST:
        put(m, value);
        end_frame(m);
        m->ev_free = m->clocks + 2;
        break;
    case ES_REG_EV_FLAGS: m->ev_flags = (uint16_t)value; break;
    case ES_REG_CTRL:
        m->read_hits |= (value & ES_CTRL_READS) != 0;
        if (value & ES_CTRL_TRACK) {
            m->track = true;
            m->track_nodes = value & ES_CTRL_TRACK_NODES;
        }
        if (value & ES_CTRL_TRACK_OFF) {
            m->track = false;
            m->parts = 0;
        }
        if (value & ES_CTRL_CLEAR) { /* at once */
            m->read_hits = false;
            memset(m->data_plane, 0, sizeof m->data_plane);
            memset(m->fetch_plane, 0, sizeof m->fetch_plane);
            memset(m->known, 0, sizeof m->known);
        }
        break;
    case ES_REG_TRIGGER:
        for (unsigned pin = 0; pin < 8; pin++)
            m->triggered[pin] += value >> pin & 1;
        break;
    case ES_REG_HALT: m->halted = value & 1; break;
    default: stop(m, "write to a register that firmware has no business with"); break;
    }
}

/* rtl/core/es_dispatch.v */
static uint32_t hit_cell(const model *m)
{
    const model_hit *hit = &m->hits[0];
    if (m->hit_count == 0)
        return 0;
    uint32_t kind = hit->flags & ES_HIT_KIND_MASK;
    bool fetch = kind == ES_KIND_FETCH, read = kind == ES_KIND_READ, known = hit->flags & ES_HIT_OLD_KNOWN;
    bool call = (hit->old_word & 0xDF5) == 0x0E5, back = (hit->old_word & 0xD8FFD) == 0x8065;
    uint32_t row = m->rows[(fetch || read ? ES_ROWS : 0) + (hit->address >> 2 & (ES_ROWS - 1))];
    uint32_t column = hit->address >> ES_CELL_COLUMN_SHIFT;
    uint32_t cell = (row + 4 * (fetch || read ? 2 * column + (hit->address >> 1 & 1) : column)) & 0xFFFF;
    bool some = kind == ES_KIND_WRITE && (hit->flags >> ES_HIT_LANES_SHIFT & 15) != 15;
    if (some || (fetch && known && back))
        cell += ES_CELL_SECOND;
    if (kind == ES_KIND_MARK || read || (fetch && !(known && (call || back))))
        cell |= ES_CELL_SPECIAL;
    if (hit->dynamic)
        cell |= ES_CELL_SPECIAL | ES_CELL_DYNAMIC;
    return cell;
}

/* While the core waits for a hit. */
static void track(model *m)
{
    while (m->hit_count && model_track(m, hit_cell(m))) {
        m->clocks += ES_TRACK_CLOCKS;
        pop_hit(m);
        m->tracked = true;
    }
}

static uint32_t register_read(model *m, uint32_t offset)
{
    const model_hit *hit = &m->hits[0];
    uint32_t value;
    if (offset >= ES_REG_HIT_FLAGS && offset <= ES_REG_HIT_PC && m->hit_count == 0)
        stop(m, "a hit register is read without a hit");
    switch (offset) {
    case ES_REG_STATUS:
        return (m->hit_count ? ES_STATUS_HIT : 0) | (m->mail_full ? ES_STATUS_MAIL : 0) |
               (m->locked ? ES_STATUS_LOCKED : 0);
    case ES_REG_HIT_FLAGS: return hit->flags;
    case ES_REG_HIT_TIME: return hit->time;
    case ES_REG_HIT_ADDR: return hit->address;
    case ES_REG_HIT_NEW: return hit->new_word;
    case ES_REG_HIT_OLD: return hit->old_word;
    case ES_REG_HIT_PC: return hit->pc;
    case ES_REG_HIT_NEXT:
        m->next_asked = true;
        track(m);
        return hit_cell(m);
    case ES_REG_HIT_CELL: m->next_asked = false; return hit_cell(m);
    case ES_REG_TIME_HIGH: return m->time_high;
    /* as if the tap's clock were the core's */
    case ES_REG_TIME_NOW: return m->time + (uint32_t)(m->clocks - m->arrived);
    case ES_REG_CONFIG: return m->config;
    case ES_REG_EV_FLAGS: return m->ev_flags;
    case ES_REG_UNKNOWN:
        value = m->unknown;
        m->unknown = false;
        return value;
    case ES_REG_EV_ROOM:
        if (m->room_later && ++m->room_asked == 5) {
            m->room = m->room_later;
            m->room_later = 0;
        }
        return m->room;
    case ES_REG_MAILBOX: m->mail_full = false; return m->mail;
    case ES_REG_LOST: return m->lost;
    case ES_REG_FIFO_LEVEL: return m->flooded ? 200 : 0;
    case ES_REG_FIFO_MAX: return 77;
    case ES_REG_FIFO_DEPTH: return 256;
    default: stop(m, "read of a register that firmware has no business with"); return 0;
    }
}

/* --- memory ---------------------------------------------------------------------------------------------- */

static uint32_t load_word(model *m, uint32_t address)
{
    uint32_t word = 0;
    if (address < ES_MEM_SIZE) {
        memcpy(&word, m->memory + address, 4);
    } else if (address >= ES_REG_BASE && address < ES_REG_BASE + 0x80) {
        word = register_read(m, address - ES_REG_BASE);
    } else if (address >= ES_PHANTOM_BASE && address < ES_PHANTOM_BASE + MODEL_WINDOW) {
        size_t index = (address - ES_PHANTOM_BASE) / 4;
        m->unknown |= !m->known[index];
        word = m->phantom[index];
    } else if (address >> 28 == ES_PHANTOM_BASE >> 28) {
        m->unknown = true; /* beyond the window */
    } else if (address >= ES_PLANE_DATA_BASE && address < ES_PLANE_DATA_BASE + MODEL_WINDOW) {
        word = m->data_plane[(address - ES_PLANE_DATA_BASE) / 4];
    } else if (address >= ES_PLANE_FETCH_BASE && address < ES_PLANE_FETCH_BASE + MODEL_WINDOW) {
        uint8_t halves = m->fetch_plane[(address - ES_PLANE_FETCH_BASE) / 4];
        word = (halves & 1u) | (uint32_t)(halves >> 1) << 16;
    } else {
        stop(m, "load from nowhere");
    }
    return word;
}

/* Firmware only makes a word known that stands as the bus left it, which needs the lock. */
static void phantom_write(model *m, uint32_t index, uint32_t value)
{
    if (!m->locked)
        stop(m, "phantom memory is written without lock");
    if (m->phantom[index] != value)
        stop(m, "phantom memory is changed");
    m->known[index] = 1;
}

static void store_word(model *m, uint32_t address, uint32_t value)
{
    if (address < ES_MEM_SIZE)
        memcpy(m->memory + address, &value, 4);
    else if (address >= ES_REG_BASE && address < ES_REG_BASE + 0x80)
        register_write(m, address - ES_REG_BASE, value);
    else if (address >= ES_PLANE_DATA_BASE && address < ES_PLANE_DATA_BASE + MODEL_WINDOW)
        m->data_plane[(address - ES_PLANE_DATA_BASE) / 4] = value & 3;
    else if (address >= ES_PLANE_FETCH_BASE && address < ES_PLANE_FETCH_BASE + MODEL_WINDOW)
        m->fetch_plane[(address - ES_PLANE_FETCH_BASE) / 4] = (uint8_t)((value & 1) | (value >> 16 & 1) << 1);
    else if (address >= ES_ROWS_BASE && address < ES_ROWS_BASE + 8 * ES_ROWS)
        m->rows[(address - ES_ROWS_BASE) / 4] = (uint16_t)value;
    else if (address >= ES_PHANTOM_BASE && address < ES_PHANTOM_BASE + MODEL_WINDOW)
        phantom_write(m, (address - ES_PHANTOM_BASE) / 4, value);
    else
        stop(m, "store to nowhere");
}

static uint32_t load(model *m, uint32_t address, unsigned funct3)
{
    static const uint8_t sizes[8] = {1, 2, 4, 0, 1, 2, 0, 0};
    unsigned size = sizes[funct3];
    if (size == 0 || address & (size - 1)) {
        stop(m, "illegal or misaligned load");
        return 0;
    }
    uint32_t value = load_word(m, address & ~3u) >> (address & 3) * 8;
    switch (funct3) {
    case 0: return (uint32_t)(int8_t)value;
    case 1: return (uint32_t)(int16_t)value;
    case 4: return (uint8_t)value;
    case 5: return (uint16_t)value;
    default: return value;
    }
}

static void store(model *m, uint32_t address, unsigned funct3, uint32_t value)
{
    if (funct3 > 2 || address & ((1u << funct3) - 1)) {
        stop(m, "illegal or misaligned store");
    } else if (funct3 == 2) {
        store_word(m, address, value);
    } else if (address - ES_PLANE_DATA_BASE < MODEL_WINDOW && funct3 == 0 && address % 4 == 0) {
        store_word(m, address, value);
    } else if (address - ES_PLANE_FETCH_BASE < MODEL_WINDOW && funct3 == 0 && address % 2 == 0) {
        uint8_t *plane = &m->fetch_plane[(address - ES_PLANE_FETCH_BASE) / 4], half = address & 2 ? 2 : 1;
        *plane = (uint8_t)((*plane & ~half) | (value & 1 ? half : 0));
    } else if (address >= ES_MEM_SIZE) {
        stop(m, "narrow store outside of memory");
    } else {
        memcpy(m->memory + address, &value, 1u << funct3);
    }
}

/* --- core ------------------------------------------------------------------------------------------------ */

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((2u << (high - low)) - 1);
}

static uint32_t alu(model *m, uint32_t insn, uint32_t a, uint32_t b, bool alternate)
{
    bool shifts = bits(insn, 13, 12) == 1; /* funct3 1 and 5 */
    m->clocks += shifts ? CYCLES_shift : CYCLES_alu;
    switch (bits(insn, 14, 12)) {
    case 0: return alternate ? a - b : a + b;
    case 1: return a << (b & 31);
    case 2: return (int32_t)a < (int32_t)b;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return alternate ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
    case 6: return a | b;
    default: return a & b;
    }
}

static bool branch_taken(uint32_t insn, uint32_t a, uint32_t b)
{
    bool result = bits(insn, 14, 13) == 0 ? a == b : bits(insn, 14, 13) == 2 ? (int32_t)a < (int32_t)b : a < b;
    return result != (insn >> 12 & 1);
}

/* The firmware is about to look for the next hit. */
static void note_pass(model *m)
{
    uint64_t clocks = m->pass_began ? m->clocks - m->pass_began : 0;
    m->longest_pass = clocks > m->longest_pass ? clocks : m->longest_pass;
    m->pass_began = m->hit_count ? 0 : m->clocks;
}

/* One instruction, with its clocks. */
static void step(model *m)
{
    if (m->pc == m->loop)
        note_pass(m);
    uint32_t insn, next = m->pc + 4, sign;
    if (m->pc >= ES_MEM_SIZE || m->pc & 3) {
        stop(m, "fetch from nowhere");
        return;
    }
    memcpy(&insn, m->memory + m->pc, 4);
    sign = (uint32_t)((int32_t)insn >> 31);
    uint32_t rd = bits(insn, 11, 7), a = m->x[bits(insn, 19, 15)], b = m->x[bits(insn, 24, 20)],
             immediate = (uint32_t)((int32_t)insn >> 20);
    uint32_t result = 0;
    bool writes = true;
    switch (insn & 0x7F) {
    case 0x37: m->clocks += CYCLES_alu, result = insn & 0xFFFFF000u; break;
    case 0x17: m->clocks += CYCLES_auipc, result = m->pc + (insn & 0xFFFFF000u); break;
    case 0x6F:
        m->clocks += CYCLES_jal;
        result = next;
        next = m->pc + ((sign << 20) | (insn & 0xFF000) | bits(insn, 20, 20) << 11 | bits(insn, 30, 21) << 1);
        break;
    case 0x67: m->clocks += CYCLES_jalr, result = next, next = (a + immediate) & ~1u; break;
    case 0x63:
        m->clocks += CYCLES_branch;
        writes = false;
        if (branch_taken(insn, a, b))
            next = m->pc + ((sign << 12) | bits(insn, 7, 7) << 11 | bits(insn, 30, 25) << 5 | bits(insn, 11, 8) << 1);
        break;
    case 0x03: m->clocks += CYCLES_load, result = load(m, a + immediate, bits(insn, 14, 12)); break;
    case 0x23:
        m->clocks += CYCLES_store;
        writes = false;
        store(m, a + ((immediate & ~31u) | rd), bits(insn, 14, 12), b);
        break;
    case 0x13: result = alu(m, insn, a, immediate, bits(insn, 14, 12) == 5 && insn >> 30 & 1); break;
    case 0x33: result = alu(m, insn, a, b, insn >> 30 & 1); break;
    case 0x73:
        m->clocks += CYCLES_wfi;
        writes = false;
        if (insn == 0x10500073)
            m->sleeping = m->hit_count == 0 && !m->mail_full;
        if (m->sleeping && m->stack && m->x[2] != m->stack)
            stop(m, "the core sleeps with something on its stack");
        if (m->sleeping)
            m->stack = m->x[2], m->pass_began = 0;
        if (insn != 0x10500073)
            stop(m, "illegal system instruction");
        break;
    default: stop(m, "illegal instruction"); return;
    }
    if (writes && rd)
        m->x[rd] = result;
    m->pc = next;
}

void model_settle(model *m)
{
    if (m->sleeping && m->next_asked) {
        track(m);
        if (!m->hit_count && !m->mail_full)
            return;
    }
    m->sleeping = false;
    for (uint32_t count = 0; !m->sleeping && !m->broken && !(m->flooded && m->hit_count < 2); count++) {
        if (count == RUN_MAX)
            stop(m, "the core does not come to rest");
        step(m);
    }
}

void model_start(model *m, const es_image *image)
{
    size_t size;
    const uint8_t *firmware = es_firmware(&size);
    memcpy(m->memory, firmware, size);
    memcpy(m->memory + ES_IMAGE_BASE, image->bytes, image->size);
    memset(m->memory + ES_IMAGE_BASE + image->size, 0xA5, sizeof m->memory - ES_IMAGE_BASE - image->size);
    m->room = 100000;
    m->loop = es_firmware_routines_get().pop + 4;
    m->time_bits = 32;
    m->last_write = ES_HIT_NO_WRITE;
    m->eager = true;
    model_settle(m);
}
