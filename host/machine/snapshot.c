/* Snapshots: the machine's state by value, its memory by sharing pages. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/snapshot.h"

/* The first place of a chunk from `from` on; CHUNKS: there is none. */
static unsigned chunk_place(const es_machine *machine, unsigned from)
{
    for (unsigned word = from / 64; word < CHUNKS / 64; word++) {
        uint64_t left = machine->chunk_places[word];
        if (word == from / 64)
            left &= UINT64_MAX << from % 64;
        if (left)
            return 64 * word + (unsigned)__builtin_ctzll(left);
    }
    return CHUNKS;
}

es_machine_snapshot *es_machine_save(es_machine *machine)
{
    unsigned count = 0;
    for (unsigned i = 0; (i = chunk_place(machine, i)) < CHUNKS; i++)
        count += machine->chunks[i] != NULL;
    es_machine_snapshot *snapshot = es_malloc(sizeof *snapshot + count * sizeof snapshot->chunks[0]);
    snapshot->count = 0;
    for (unsigned i = 0; (i = chunk_place(machine, i)) < CHUNKS; i++)
        if (machine->chunks[i]) {
            atomic_fetch_add(&machine->chunks[i]->users, 1);
            snapshot->chunks[snapshot->count].at = i;
            snapshot->chunks[snapshot->count++].chunk = machine->chunks[i];
        }
    es_machine_get(machine, &snapshot->registers);
    snapshot->hash_unknown = machine->hash_unknown;
    snapshot->zeros = machine->zeros;
    snapshot->has_assumed = machine->has_assumed;
    snapshot->fcsr = machine->fcsr;
    snapshot->fcsr_unknown = machine->fcsr_unknown;
    snapshot->user = machine->user;
    snapshot->reserved = machine->reserved;
    snapshot->reservation = machine->reservation;
    snapshot->hash_sum = machine->hash_sum;
    snapshot->hash_sums = machine->hash_sums;
    snapshot->fetches = machine->fetches;
    memcpy(snapshot->control, machine->control, sizeof machine->control);
    memcpy(snapshot->control_unknown, machine->control_unknown, sizeof machine->control_unknown);
    es_machine_forget_ways(machine);
    return snapshot;
}

void es_machine_restore(es_machine *machine, const es_machine_snapshot *snapshot)
{
    unsigned next = 0;
    for (unsigned i = 0; i < snapshot->count; i++)
        machine->chunk_places[snapshot->chunks[i].at / 64] |= UINT64_C(1) << snapshot->chunks[i].at % 64;
    for (unsigned i = 0; (i = chunk_place(machine, i)) < CHUNKS; i++) {
        machine_chunk *old = machine->chunks[i], *chunk = NULL;
        if (next < snapshot->count && snapshot->chunks[next].at == i)
            chunk = snapshot->chunks[next++].chunk;
        if (chunk == old)
            continue;
        es_machine_chunk_changes(machine, i, chunk);
        if (chunk)
            atomic_fetch_add(&chunk->users, 1);
        machine->chunks[i] = chunk;
        es_machine_drop_chunk(old);
    }
    es_machine_set(machine, &snapshot->registers);
    machine->hash_unknown = snapshot->hash_unknown;
    machine->zeros = snapshot->zeros;
    machine->has_assumed = snapshot->has_assumed;
    machine->fcsr = snapshot->fcsr;
    machine->fcsr_unknown = snapshot->fcsr_unknown;
    machine->user = snapshot->user;
    machine->reserved = snapshot->reserved;
    machine->reservation = snapshot->reservation;
    machine->hash_sum = snapshot->hash_sum;
    machine->hash_sums = snapshot->hash_sums;
    machine->fetches = snapshot->fetches;
    memcpy(machine->control, snapshot->control, sizeof machine->control);
    memcpy(machine->control_unknown, snapshot->control_unknown, sizeof machine->control_unknown);
    es_machine_forget_ways(machine);
}

void es_machine_snapshot_free(es_machine_snapshot *snapshot)
{
    for (unsigned i = 0; snapshot && i < snapshot->count; i++)
        es_machine_drop_chunk(snapshot->chunks[i].chunk);
    free(snapshot);
}

size_t es_machine_snapshot_size(const es_machine_snapshot *snapshot)
{
    size_t size = sizeof *snapshot + snapshot->count * sizeof snapshot->chunks[0];
    for (unsigned i = 0; i < snapshot->count; i++) {
        machine_chunk *chunk = snapshot->chunks[i].chunk;
        if (atomic_load(&chunk->users) > 1)
            continue;
        size += sizeof *chunk;
        for (unsigned page = 0; page < CHUNK_PAGES; page++) {
            machine_page *it = chunk->pages[page];
            if (it && atomic_load(&it->users) == 1)
                size += sizeof *it + (it->unknown ? PAGE_SIZE : 0);
        }
    }
    return size;
}

uint64_t es_machine_snapshot_fetches(const es_machine_snapshot *snapshot)
{
    return snapshot->fetches;
}
