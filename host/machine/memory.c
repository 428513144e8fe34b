/* Memory: regions, and pages that are shared with snapshots until they are written. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/private.h"

static uint32_t page_of(uint32_t address)
{
    return address >> PAGE_BITS;
}

static uint32_t inside(uint32_t address)
{
    return address & (PAGE_SIZE - 1);
}

static void *zeroed(size_t size)
{
    return memset(es_malloc(size), 0, size);
}

/* --- regions --- */

const machine_region *es_machine_region_of(es_machine *machine, uint32_t address)
{
    for (unsigned i = 0; i < machine->region_count; i++) {
        unsigned at = (machine->region_last + i) % machine->region_count;
        const machine_region *region = &machine->regions[at];
        if (address >= region->base && address <= region->last) {
            machine->region_last = at;
            return region;
        }
    }
    return NULL;
}

bool es_machine_region(es_machine *machine, uint32_t base, uint32_t size, bool writable, es_error *err)
{
    if (base % 4 || size % 4 || !size || size - 1 > UINT32_MAX - base)
        return es_fail(err, ES_USAGE, "a region of memory at 0x%08x of %u bytes: both have to be multiples of 4", base,
                       size);
    uint32_t last = base + (size - 1);
    for (unsigned i = 0; i < machine->region_count; i++)
        if (base <= machine->regions[i].last && last >= machine->regions[i].base)
            return es_fail(err, ES_USAGE, "regions of memory at 0x%08x and 0x%08x overlap", base,
                           machine->regions[i].base);
    if (machine->region_count == REGIONS_MAX)
        return es_fail(err, ES_USAGE, "more than %d regions of memory", REGIONS_MAX);
    machine->regions[machine->region_count++] = (machine_region){base, last, writable};
    es_machine_forget_ways(machine);
    return true;
}

bool es_machine_in_memory(const es_machine *machine, uint32_t address, uint32_t size)
{
    uint64_t at = address, end = at + size;
    for (bool found = true; found && at < end;) {
        found = false;
        for (unsigned i = 0; i < machine->region_count && !found; i++) {
            const machine_region *region = &machine->regions[i];
            found = at >= region->base && at <= region->last;
            if (found)
                at = (uint64_t)region->last + 1;
        }
    }
    return at >= end;
}

/* --- pages --- */

void es_machine_drop_page(machine_page *page)
{
    if (!page || atomic_fetch_sub(&page->users, 1) > 1)
        return;
    free(page->unknown);
    free(page);
}

void es_machine_drop_chunk(machine_chunk *chunk)
{
    if (!chunk || atomic_fetch_sub(&chunk->users, 1) > 1)
        return;
    for (unsigned i = 0; i < CHUNK_PAGES; i++)
        es_machine_drop_page(chunk->pages[i]);
    free(chunk);
}

void es_machine_free_memory(es_machine *machine)
{
    for (unsigned i = 0; i < CHUNKS; i++)
        es_machine_drop_chunk(machine->chunks[i]);
    free(machine->known_page);
}

static machine_chunk *own_chunk(es_machine *machine, uint32_t address)
{
    unsigned at = address >> CHUNK_BITS;
    machine_chunk **place = &machine->chunks[at], *old = *place;
    machine->chunk_places[at / 64] |= UINT64_C(1) << at % 64;
    if (old && atomic_load(&old->users) == 1)
        return old;
    machine_chunk *chunk = zeroed(sizeof *chunk);
    atomic_store(&chunk->users, 1);
    for (unsigned i = 0; old && i < CHUNK_PAGES; i++) {
        chunk->pages[i] = old->pages[i];
        if (chunk->pages[i])
            atomic_fetch_add(&chunk->pages[i]->users, 1);
    }
    es_machine_drop_chunk(old);
    return *place = chunk;
}

/* The page of an address has another place. */
static void forget_page_ways(es_machine *machine, uint32_t address)
{
    uint32_t base = address & ~(uint32_t)(PAGE_SIZE - 1);
    for (uint32_t at = 0; at < PAGE_SIZE; at += WAY_SIZE)
        machine->ways[(base + at) >> WAY_BITS & (WAYS - 1)] = (machine_way){.read_tag = NO_TAG, .write_tag = NO_TAG};
}

/* The page with an address, for writing. */
static machine_page *own_page(es_machine *machine, uint32_t address)
{
    machine_page **place = &own_chunk(machine, address)->pages[page_of(address) % CHUNK_PAGES], *old = *place;
    if (old && atomic_load(&old->users) == 1)
        return old;
    machine_page *page = es_malloc(sizeof *page);
    atomic_init(&page->users, 1);
    page->unknown = NULL;
    if (old)
        memcpy(page->data, old->data, PAGE_SIZE);
    else
        memset(page->data, 0, PAGE_SIZE);
    if (!old || old->unknown) {
        page->unknown = es_malloc(PAGE_SIZE);
        if (old)
            memcpy(page->unknown, old->unknown, PAGE_SIZE);
        else
            memset(page->unknown, 0xFF, PAGE_SIZE);
    }
    es_machine_drop_page(old);
    *place = page;
    forget_page_ways(machine, address);
    return page;
}

static const machine_page *page_at(const es_machine *machine, uint32_t address)
{
    const machine_chunk *chunk = machine->chunks[address >> CHUNK_BITS];
    return chunk ? chunk->pages[page_of(address) % CHUNK_PAGES] : NULL;
}

static uint32_t word_in(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

machine_value es_machine_word(const es_machine *machine, uint32_t address)
{
    const machine_page *page = page_at(machine, address);
    if (!page)
        return (machine_value){0, UINT32_MAX};
    uint32_t at = inside(address);
    return (machine_value){word_in(page->data + at), page->unknown ? word_in(page->unknown + at) : 0};
}

/* Whether all is known now: then it costs less. */
static void settle(machine_page *page)
{
    if (page->unknown && !page->unknown[0] && memcmp(page->unknown, page->unknown + 1, PAGE_SIZE - 1) == 0) {
        free(page->unknown);
        page->unknown = NULL;
    }
}

void es_machine_put_word(es_machine *machine, uint32_t address, machine_value value, uint32_t mask)
{
    es_machine_code_changes(machine, address, 4);
    machine_page *page = own_page(machine, address);
    uint32_t at = inside(address), data = (word_in(page->data + at) & ~mask) | (value.bits & mask);
    memcpy(page->data + at, &data, sizeof data);
    if (!page->unknown && value.unknown & mask) {
        page->unknown = zeroed(PAGE_SIZE);
        forget_page_ways(machine, address);
    }
    if (page->unknown) {
        uint32_t unknown = (word_in(page->unknown + at) & ~mask) | (value.unknown & mask);
        memcpy(page->unknown + at, &unknown, sizeof unknown);
    }
}

bool es_machine_poke(es_machine *machine, uint32_t address, const uint8_t *bytes, const uint8_t *unknown, uint32_t size)
{
    if (!es_machine_in_memory(machine, address, size))
        return false;
    if (size)
        es_machine_code_changes(machine, address, size);
    for (uint32_t done = 0, count; done < size; done += count) {
        uint32_t at = inside(address + done);
        count = size - done < PAGE_SIZE - at ? size - done : PAGE_SIZE - at;
        machine_page *page = own_page(machine, address + done);
        if (unknown && !page->unknown) {
            page->unknown = zeroed(PAGE_SIZE);
            es_machine_forget_ways(machine);
        }
        for (uint32_t i = 0; i < count; i++)
            page->data[at + i] = (uint8_t)(bytes[done + i] & ~(unknown ? unknown[done + i] : 0));
        if (page->unknown) {
            for (uint32_t i = 0; i < count; i++)
                page->unknown[at + i] = unknown ? unknown[done + i] : 0;
            settle(page);
            if (!page->unknown)
                es_machine_forget_ways(machine);
        }
    }
    return true;
}

bool es_machine_poke_word(es_machine *machine, uint32_t address, uint32_t data, uint32_t unknown, uint8_t lanes)
{
    uint32_t mask = 0;
    if (!es_machine_region_of(machine, address))
        return false;
    for (unsigned lane = 0; lane < 4; lane++)
        mask |= lanes >> lane & 1 ? 0xFFu << 8 * lane : 0;
    es_machine_put_word(machine, address, (machine_value){data & ~unknown, unknown}, mask);
    return true;
}

bool es_machine_peek(const es_machine *machine, uint32_t address, uint8_t *bytes, uint8_t *unknown, uint32_t size)
{
    if (!es_machine_in_memory(machine, address, size))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        const machine_page *page = page_at(machine, address + i);
        bytes[i] = page ? page->data[inside(address + i)] : 0;
        if (unknown)
            unknown[i] = !page ? 0xFF : page->unknown ? page->unknown[inside(address + i)] : 0;
    }
    return true;
}

/* --- ways of the fast engine --- */

static machine_way way_to(const es_machine *machine, const machine_page *page, uint32_t address)
{
    uint32_t base = address & ~(uint32_t)(PAGE_SIZE - 1);
    const uint8_t *unknown = page->unknown ? page->unknown : machine->known_page;
    return (machine_way){
        .data = (uintptr_t)page->data - base, .unknown = (uintptr_t)unknown - base, .all_known = page->unknown == NULL};
}

machine_way *es_machine_find_way(es_machine *machine, uint32_t address, bool write)
{
    uint32_t base = address & ~(uint32_t)(WAY_SIZE - 1);
    const machine_region *region = es_machine_region_of(machine, address);
    if (!region || region->base > base || region->last < base + (WAY_SIZE - 1))
        return NULL;
    bool writable = region->writable && !es_machine_has_code(machine, address);
    if (write && !writable)
        return NULL;
    /* pages that nobody has written yet get a place when they are read, too */
    const machine_page *page =
        write || !page_at(machine, address) ? own_page(machine, address) : page_at(machine, address);
    bool own =
        writable && atomic_load(&page->users) == 1 && atomic_load(&machine->chunks[address >> CHUNK_BITS]->users) == 1;
    machine_way *way = &machine->ways[address >> WAY_BITS & (WAYS - 1)];
    *way = way_to(machine, page, address);
    way->read_tag = base;
    way->write_tag = own ? base : NO_TAG;
    return way;
}

machine_way es_machine_way_beside_code(es_machine *machine, uint32_t address)
{
    const machine_region *region = es_machine_region_of(machine, address);
    if (!region || !region->writable)
        return (machine_way){.data = 0};
    return way_to(machine, own_page(machine, address), address);
}
