#include "encoder.h"

#include <stdlib.h>
#include <string.h>

static void put(encoder *e, uint64_t value, unsigned count)
{
    if (e->size + 16 > e->room) {
        e->room = e->room ? 2 * e->room : 65536;
        e->bytes = realloc(e->bytes, e->room);
        if (!e->bytes)
            abort();
    }
    for (; count--; value >>= 8)
        e->bytes[e->size++] = (uint8_t)value;
}

static void put_number(encoder *e, uint8_t first, uint32_t value)
{
    unsigned count = value >> 24 ? 4 : value >> 16 ? 3 : value >> 8 ? 2 : 1;
    put(e, first + count - 1, 1);
    put(e, value, count);
}

static void close_run(encoder *e)
{
    if (e->run)
        put_number(e, 0x20, e->run);
    e->run = 0;
}

void encoder_begin(encoder *e, const es_symbols *symbols, uint64_t time)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    e->memory = calloc(e->window_size, 1);
    e->known = calloc(e->window_size / 4, sizeof *e->known);
    if (!e->memory || !e->known)
        abort();
    uint8_t *loaded = calloc(e->window_size, 1);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < segments[i].size; k++) {
            uint32_t offset = segments[i].address + k - e->window_base;
            if (offset < e->window_size) {
                e->memory[offset] = segments[i].bytes[k];
                loaded[offset] = 1;
            }
        }
    for (uint32_t w = 0; w < e->window_size / 4; w++)
        e->known[w] = loaded[4 * w] && loaded[4 * w + 1] && loaded[4 * w + 2] && loaded[4 * w + 3];
    free(loaded);
    e->next_beat = ((time >> e->period) + 1) << e->period;
    put(e, 0x80, 1);
    put(e, time, 4);
}

void encoder_free(encoder *e)
{
    free(e->bytes);
    free(e->memory);
    free(e->known);
}

static void heartbeat(encoder *e, uint64_t time)
{
    close_run(e);
    put(e, 0x60, 1);
    put(e, e->fetches, 4);
    put(e, e->sum, 4);
    put(e, e->sums, 4);
    put(e, time, 4);
    e->since = false;
    e->heartbeats++;
}

static void clock_to(encoder *e, uint64_t time)
{
    if (time < e->next_beat)
        return;
    if (e->since)
        heartbeat(e, e->next_beat);
    e->next_beat = ((time >> e->period) + 1) << e->period;
}

static void add(encoder *e, uint32_t x)
{
    e->sum += x;
    e->sums += e->sum;
    e->since = true;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

static uint32_t mask_of(uint8_t lanes)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        mask |= lanes >> lane & 1 ? 0xFFu << 8 * lane : 0;
    return mask;
}

static bool in_window(const encoder *e, uint32_t address)
{
    return address - e->window_base < e->window_size;
}

/* Compares bytes with phantom memory, which then has them. */
static bool differs(encoder *e, uint32_t address, uint8_t lanes, uint32_t word)
{
    uint32_t offset = (address & ~3u) - e->window_base;
    bool different = !e->known[offset / 4];
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1) {
            different |= e->memory[offset + lane] != (uint8_t)(word >> 8 * lane);
            e->memory[offset + lane] = (uint8_t)(word >> 8 * lane);
        }
    if (lanes == 15)
        e->known[offset / 4] = true;
    return different;
}

static void memory_token(encoder *e, unsigned access, uint32_t word)
{
    close_run(e);
    put(e, 0x30 + access, 1);
    put(e, e->fetches - 1, 4);
    put(e, word, 4);
}

static bool reads_what_changes(uint32_t insn)
{
    static const uint16_t numbers[] = {0xB00, 0xB80, 0xB02, 0xB82, 0xC00, 0xC80, 0xC02, 0xC82, 0xC01, 0xC81, 0x344};
    if ((insn & 0x7F) != 0x73 || !(insn >> 12 & 3))
        return false;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (insn >> 20 == numbers[i])
            return true;
    return false;
}

void encoder_fetch(encoder *e, uint32_t pc, uint32_t insn, uint64_t time)
{
    clock_to(e, time);
    add(e, pc);
    e->fetches++;
    e->access = 0;
    for (unsigned v = 0; v < 2; v++) {
        bool in = !(e->vector[v] & 1) && !((pc ^ e->vector[v]) & e->mask[v]);
        if (in && !e->in_vector[v]) {
            close_run(e);
            put(e, 0x40 + v, 1);
            put(e, e->fetches - 1, 4);
            put(e, time, 4);
        }
        e->in_vector[v] = in;
    }
    bool is_long = (insn & 3) == 3;
    if (in_window(e, pc)) {
        if (pc & 2) {
            bool first = differs(e, pc, 12, insn << 16), second = is_long && differs(e, pc + 2, 3, insn >> 16);
            if (first || second)
                memory_token(e, 0, insn << 16 | (is_long ? insn >> 16 : 0));
        } else if (differs(e, pc, is_long ? 15 : 3, insn)) {
            /* a compressed instruction: the bus has the whole word */
            uint32_t offset = pc - e->window_base, rest = 0;
            if (!is_long)
                rest = (uint32_t)e->memory[offset + 2] << 16 | (uint32_t)e->memory[offset + 3] << 24;
            memory_token(e, 0, insn | rest);
            e->known[offset / 4] = true;
        }
    }
    if (is_long && reads_what_changes(insn)) {
        close_run(e);
        put(e, 0x50, 1);
        put(e, time, 4);
    }
}

void encoder_read(encoder *e, uint32_t word_address, uint8_t lanes, uint32_t word, uint64_t time)
{
    clock_to(e, time);
    word &= mask_of(lanes);
    add(e, rotated(word_address, 8) ^ word);
    e->access++;
    if (in_window(e, word_address)) {
        if (differs(e, word_address, lanes, word))
            memory_token(e, e->access, word);
        return;
    }
    if (word_address - e->quiet_base < e->quiet_size)
        return;
    if (word == e->last + e->delta) {
        e->run++;
    } else {
        close_run(e);
        put_number(e, 0x10, word);
        e->delta = word - e->last;
    }
    e->last = word;
}

void encoder_write(encoder *e, uint32_t word_address, uint8_t lanes, uint32_t word, uint64_t time)
{
    clock_to(e, time);
    word &= mask_of(lanes);
    add(e, rotated(word_address, 16) ^ word);
    if (in_window(e, word_address))
        differs(e, word_address, lanes, word);
}

void encoder_retired(encoder *e, const es_retired *retired)
{
    encoder_fetch(e, retired->pc, retired->insn, retired->fetch_cycle);
    if (retired->mem_wmask)
        encoder_write(e, retired->mem_addr, retired->mem_wmask, retired->mem_wdata, retired->cycle);
    if (retired->mem_rmask) {
        uint32_t value = retired->rd_value, offset = retired->mem_addr - e->window_base;
        unsigned lane = 0;
        while (!(retired->mem_rmask >> lane & 1))
            lane++;
        if (e->big_endian)
            value = __builtin_bswap32(value) >> (32 - 8 * __builtin_popcount(retired->mem_rmask));
        value <<= 8 * lane;
        if (!retired->rd && in_window(e, retired->mem_addr)) /* what was read went nowhere */
            memcpy(&value, &e->memory[offset], 4);
        encoder_read(e, retired->mem_addr, retired->mem_rmask, value, retired->cycle);
    }
}

void encoder_end(encoder *e, uint64_t time)
{
    heartbeat(e, time);
    put(e, 0x73, 1);
    put(e, e->fetches, 4);
    put(e, time, 4);
}
