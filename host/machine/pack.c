/* Snapshots as bytes: registers and counts as they are, then the pages in which memory differs from another snapshot's.
 *
 * A page: its number (4 bytes), a byte that says what is known of it, and its bytes xor the other's: data, then, where
 * only a part is known, the bits that are unknown. Where the other has nothing, that is xor 0. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/snapshot.h"

#define NO_PAGE UINT32_MAX /* ends the list */

enum { NOTHING_KNOWN, ALL_KNOWN, PARTLY_KNOWN, PAGE_KINDS };

static const uint8_t zeros[PAGE_SIZE];

/* --- writing --------------------------------------------------------------------------------- */

static bool all_are(const uint8_t *bytes, uint8_t value)
{
    return bytes[0] == value && memcmp(bytes, bytes + 1, PAGE_SIZE - 1) == 0;
}

static int kind_of(const machine_page *page)
{
    if (!page || (page->unknown && all_are(page->unknown, 0xFF)))
        return NOTHING_KNOWN;
    return page->unknown && !all_are(page->unknown, 0) ? PARTLY_KNOWN : ALL_KNOWN;
}

static const uint8_t *data_of(const machine_page *page)
{
    return page ? page->data : zeros;
}

static const uint8_t *unknown_of(const machine_page *page)
{
    return page && page->unknown ? page->unknown : zeros;
}

static void put_xor(es_bytes *out, const uint8_t *a, const uint8_t *b)
{
    uint8_t *to = es_bytes_add(out, PAGE_SIZE);
    for (unsigned i = 0; i < PAGE_SIZE; i++)
        to[i] = a[i] ^ b[i];
}

static void pack_page(es_bytes *out, uint32_t number, const machine_page *page, const machine_page *base)
{
    int kind = kind_of(page);
    if (page == base || (kind == NOTHING_KNOWN && kind_of(base) == NOTHING_KNOWN))
        return;
    es_bytes_put_u32(out, number);
    es_bytes_put_u8(out, (uint8_t)kind);
    if (kind != NOTHING_KNOWN)
        put_xor(out, data_of(page), data_of(base));
    if (kind == PARTLY_KNOWN)
        put_xor(out, unknown_of(page), unknown_of(base));
}

static const machine_chunk *next_at(const es_machine_snapshot *s, unsigned *next, unsigned at)
{
    return s && *next < s->count && s->chunks[*next].at == at ? s->chunks[(*next)++].chunk : NULL;
}

static void pack_memory(es_bytes *out, const es_machine_snapshot *s, const es_machine_snapshot *base)
{
    for (unsigned at = 0, i = 0, k = 0; at < CHUNKS; at++) {
        const machine_chunk *chunk = next_at(s, &i, at), *other = next_at(base, &k, at);
        for (unsigned page = 0; chunk != other && page < CHUNK_PAGES; page++)
            pack_page(out, at * CHUNK_PAGES + page, chunk ? chunk->pages[page] : NULL,
                      other ? other->pages[page] : NULL);
    }
    es_bytes_put_u32(out, NO_PAGE);
}

void es_machine_snapshot_pack(const es_machine_snapshot *snapshot, const es_machine_snapshot *base, es_bytes *out)
{
    const es_machine_snapshot *s = snapshot;
    es_bytes_put_u64(out, s->fetches);
    es_bytes_put_u32(out, s->registers.pc);
    for (unsigned i = 0; i < 32; i++) {
        es_bytes_put_u32(out, s->registers.x[i]);
        es_bytes_put_u32(out, s->registers.x_unknown[i]);
        es_bytes_put_u64(out, s->registers.f[i]);
        es_bytes_put_u64(out, s->registers.f_unknown[i]);
    }
    es_bytes_put_u32(out, (uint32_t)s->hash_unknown | (uint32_t)s->user << 1 | (uint32_t)s->reserved << 2);
    es_bytes_put_u32(out, s->hash_sum);
    es_bytes_put_u32(out, s->hash_sums);
    es_bytes_put_u32(out, s->reservation);
    es_bytes_put_u32(out, s->fcsr);
    es_bytes_put_u32(out, s->fcsr_unknown);
    for (unsigned i = 0; i < CONTROLS; i++) {
        es_bytes_put_u32(out, s->control[i]);
        es_bytes_put_u32(out, s->control_unknown[i]);
    }
    pack_memory(out, s, base);
}

/* --- reading --------------------------------------------------------------------------------- */

static void take_registers(es_bytes_reader *in, es_machine_snapshot *s)
{
    s->fetches = es_bytes_take_u64(in);
    s->registers.pc = es_bytes_take_u32(in);
    for (unsigned i = 0; i < 32; i++) {
        s->registers.x[i] = es_bytes_take_u32(in);
        s->registers.x_unknown[i] = es_bytes_take_u32(in);
        s->registers.f[i] = es_bytes_take_u64(in);
        s->registers.f_unknown[i] = es_bytes_take_u64(in);
    }
    uint32_t flags = es_bytes_take_u32(in);
    s->hash_unknown = flags & 1;
    s->zeros = s->has_assumed = false; /* a keyframe is where nothing is assumed */
    s->user = flags >> 1 & 1;
    s->reserved = flags >> 2 & 1;
    s->hash_sum = es_bytes_take_u32(in);
    s->hash_sums = es_bytes_take_u32(in);
    s->reservation = es_bytes_take_u32(in);
    s->fcsr = es_bytes_take_u32(in);
    s->fcsr_unknown = es_bytes_take_u32(in);
    for (unsigned i = 0; i < CONTROLS; i++) {
        s->control[i] = es_bytes_take_u32(in);
        s->control_unknown[i] = es_bytes_take_u32(in);
    }
}

static machine_page *take_page(es_bytes_reader *in, unsigned kind, const machine_page *base)
{
    const uint8_t *data = es_bytes_take(in, PAGE_SIZE);
    const uint8_t *unknown = kind == PARTLY_KNOWN ? es_bytes_take(in, PAGE_SIZE) : NULL;
    if (in->bad)
        return NULL;
    machine_page *page = es_malloc(sizeof *page);
    atomic_init(&page->users, 1);
    page->unknown = unknown ? es_malloc(PAGE_SIZE) : NULL;
    const uint8_t *before = data_of(base), *unknown_before = unknown_of(base);
    for (unsigned i = 0; i < PAGE_SIZE; i++)
        page->data[i] = data[i] ^ before[i];
    for (unsigned i = 0; unknown && i < PAGE_SIZE; i++) {
        page->unknown[i] = unknown[i] ^ unknown_before[i];
        page->data[i] &= (uint8_t)~page->unknown[i]; /* as everywhere */
    }
    return page;
}

static machine_chunk *copy_of(const machine_chunk *from)
{
    machine_chunk *chunk = memset(es_malloc(sizeof *chunk), 0, sizeof *chunk);
    atomic_init(&chunk->users, 1);
    for (unsigned i = 0; from && i < CHUNK_PAGES; i++)
        if ((chunk->pages[i] = from->pages[i]) != NULL)
            atomic_fetch_add(&chunk->pages[i]->users, 1);
    return chunk;
}

/* Pages ascend. On entry chunks[] is the base's. */
static bool take_memory(es_bytes_reader *in, machine_chunk **chunks)
{
    uint64_t least = 0;
    unsigned owned = CHUNKS; /* the chunk that is this one's alone */
    for (uint32_t number; (number = es_bytes_take_u32(in)) != NO_PAGE && !in->bad; least = (uint64_t)number + 1) {
        unsigned at = number / CHUNK_PAGES, kind = es_bytes_take_u8(in);
        if (number < least || at >= CHUNKS || kind >= PAGE_KINDS)
            return false;
        if (at != owned) {
            machine_chunk *copy = copy_of(chunks[at]);
            es_machine_drop_chunk(chunks[at]);
            chunks[owned = at] = copy;
        }
        machine_page **place = &chunks[at]->pages[number % CHUNK_PAGES];
        machine_page *page = kind == NOTHING_KNOWN ? NULL : take_page(in, kind, *place);
        es_machine_drop_page(*place);
        *place = page;
    }
    return !in->bad && in->at == in->end;
}

es_machine_snapshot *es_machine_snapshot_unpack(const uint8_t *bytes, size_t size, const es_machine_snapshot *base)
{
    es_bytes_reader in = {.at = bytes, .end = bytes + size};
    es_machine_snapshot head = {.count = 0}, *snapshot;
    machine_chunk **chunks = memset(es_malloc(CHUNKS * sizeof *chunks), 0, CHUNKS * sizeof *chunks);
    unsigned count = 0;
    for (unsigned i = 0; base && i < base->count; i++) {
        chunks[base->chunks[i].at] = base->chunks[i].chunk;
        atomic_fetch_add(&base->chunks[i].chunk->users, 1);
    }
    take_registers(&in, &head);
    bool good = take_memory(&in, chunks);
    for (unsigned i = 0; i < CHUNKS; i++)
        count += chunks[i] != NULL;
    snapshot = es_malloc(sizeof *snapshot + count * sizeof snapshot->chunks[0]);
    memcpy(snapshot, &head, sizeof head);
    for (unsigned i = 0; i < CHUNKS; i++)
        if (chunks[i])
            snapshot->chunks[snapshot->count++] = (machine_kept_chunk){i, chunks[i]};
    free(chunks);
    if (good)
        return snapshot;
    es_machine_snapshot_free(snapshot);
    return NULL;
}
