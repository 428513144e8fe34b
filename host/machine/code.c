/* Where translated instructions are kept, and when they are forgotten: all of them, whenever memory changes below
 * any. */
#include "machine/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { CHUNK_SIZE = 1 << 18, OUTER_SHIFT = 32 - DIRECTORY_BITS, INNER = 1 << DIRECTORY_BITS };

static void *zeroed(size_t size)
{
    return memset(es_malloc(size), 0, size);
}

static machine_code *code_of(es_machine *machine)
{
    if (machine->code)
        return machine->code;
    machine_code *code = machine->code = zeroed(sizeof *code);
    code->none.pc = 1; /* no instruction's */
    for (unsigned i = 0; i < RECENT; i++)
        code->recent[i] = &code->none;
    return code;
}

void es_machine_forget_ways(es_machine *machine)
{
    for (unsigned i = 0; i < WAYS; i++)
        machine->ways[i] = (machine_way){.read_tag = NO_TAG, .write_tag = NO_TAG};
}

static machine_code_page *find_code_page(const es_machine *machine, uint32_t address)
{
    machine_code_page **inner = machine->code ? machine->code->directory[address >> OUTER_SHIFT] : NULL;
    return inner ? inner[(address >> PAGE_BITS) % INNER] : NULL;
}

machine_code_page *es_machine_code_page(es_machine *machine, uint32_t address)
{
    machine_code *code = code_of(machine);
    machine_code_page ***inner = &code->directory[address >> OUTER_SHIFT];
    if (!*inner)
        *inner = zeroed(INNER * sizeof **inner);
    machine_code_page **page = &(*inner)[(address >> PAGE_BITS) % INNER];
    if (!*page) {
        *page = zeroed(sizeof **page);
        /* from now on, writes to it are looked at */
        es_machine_forget_ways(machine);
    }
    code->any = true;
    return *page;
}

machine_block *es_machine_new_block(es_machine *machine, unsigned ops)
{
    machine_code *code = code_of(machine);
    size_t size = (sizeof(machine_block) + ops * (sizeof(machine_op) + sizeof(machine_part)) + 15) & ~(size_t)15;
    if (!code->chunks || code->chunks->used + size > code->chunks->size) {
        machine_code_chunk *chunk = es_malloc(sizeof *chunk + CHUNK_SIZE);
        chunk->before = code->chunks;
        chunk->used = 0;
        chunk->size = CHUNK_SIZE;
        code->chunks = chunk;
        code->size += CHUNK_SIZE;
    }
    machine_block *block = (machine_block *)(void *)(code->chunks->bytes + code->chunks->used);
    code->chunks->used += size;
    memset(block, 0, size);
    block->parts = (machine_part *)(void *)(block->ops + ops);
    return block;
}

bool es_machine_has_code(const es_machine *machine, uint32_t page)
{
    return find_code_page(machine, page) != NULL;
}

bool es_machine_is_code(const es_machine *machine, uint32_t address)
{
    const machine_code_page *page = find_code_page(machine, address);
    return page && page->lines[(address & (PAGE_SIZE - 1)) >> LINE_BITS];
}

void es_machine_code_changes(es_machine *machine, uint32_t address, uint32_t size)
{
    const uint32_t line = 1u << LINE_BITS;
    if (!machine->code || !machine->code->any)
        return;
    for (uint64_t at = address & ~(line - 1); at < (uint64_t)address + size;) {
        if (!find_code_page(machine, (uint32_t)at)) {
            at = (at | (PAGE_SIZE - 1)) + 1;
            continue;
        }
        if (es_machine_is_code(machine, (uint32_t)at)) {
            es_machine_forget_code(machine);
            return;
        }
        at += line;
    }
}

/* Whether two pages are the same where there is code. */
static bool same_code(const machine_code_page *code, const machine_page *a, const machine_page *b)
{
    const size_t line = 1u << LINE_BITS;
    if (a == b)
        return true;
    if (!a || !b || a->unknown || b->unknown)
        return false;
    for (unsigned i = 0; i < LINES; i++)
        if (code->lines[i] && memcmp(a->data + i * line, b->data + i * line, line) != 0)
            return false;
    return true;
}

void es_machine_chunk_changes(es_machine *machine, unsigned number, const machine_chunk *to)
{
    const machine_chunk *from = machine->chunks[number];
    for (unsigned i = 0; i < CHUNK_PAGES && machine->code && machine->code->any; i++) {
        uint32_t address = (uint32_t)number << CHUNK_BITS | i << PAGE_BITS;
        const machine_code_page *code = find_code_page(machine, address);
        if (code && !same_code(code, from ? from->pages[i] : NULL, to ? to->pages[i] : NULL))
            es_machine_forget_code(machine);
    }
}

void es_machine_forget_code(es_machine *machine)
{
    machine_code *code = machine->code;
    if (!code || !code->any)
        return;
    for (unsigned i = 0; i < 1 << DIRECTORY_BITS; i++) {
        for (unsigned page = 0; code->directory[i] && page < INNER; page++)
            free(code->directory[i][page]);
        free(code->directory[i]);
        code->directory[i] = NULL;
    }
    for (machine_code_chunk *chunk = code->chunks, *before; chunk; chunk = before) {
        before = chunk->before;
        free(chunk);
    }
    code->chunks = NULL;
    code->size = 0;
    code->any = false;
    for (unsigned i = 0; i < RECENT; i++)
        code->recent[i] = &code->none;
}

void es_machine_free_code(es_machine *machine)
{
    es_machine_forget_code(machine);
    free(machine->code);
}
