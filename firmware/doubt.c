/* After bus transactions were lost: what is doubtful, and until when. What memory held is right again, word by word,
 * once the program has written or read it; the path once it is seen to run main's own code. */
#include "evidence.h"
#include "firmware.h"

/* So many clocks after a loss a hit's position may be of a fetch from before: the one of its own instruction may be
 * among what was lost. */
#define SETTLE_CLOCKS 256u

#define PLANE(plane, word) (*AT(volatile uint8_t, (plane) + 4u * (word)->index))

void doubt_begin(void)
{
    es.owed |= OWED_DOUBT;
    REG(ES_REG_CTRL) = ES_CTRL_TRACK_OFF;
    room = 0xFFFFFFFFu; /* each hit is looked at */
    const struct es_mi_header *header = HEADER;
    uint32_t flags = ES_HITF_UNCERTAIN;
    if (header->trust_at) {
        es.unknown_top = stack; /* what is on it is kept: it may be right */
        flags |= ES_HITF_PATH_UNKNOWN;
        REG(ES_REG_CTRL) = ES_CTRL_READS; /* where the probe has no hits on reads, writes have to do */
        uint8_t *stale = AT(uint8_t, header->stale_at);
        const struct es_mi_fresh *word = AT(const struct es_mi_fresh, header->fresh_at);
        for (uint32_t left = header->fresh_count; left; left--, word++) {
            *stale++ = word->lanes;
            PLANE(ES_PLANE_DATA_BASE, word) = ES_PLANE_LOCK;
            PLANE(ES_PLANE_FETCH_BASE, word) = 1;
        }
    }
    set_flags(es.flags | flags);
}

/* Of the word of a write or read. */
static inline uint32_t hit_index(const struct es_mi_header *header)
{
    return (REG(ES_REG_HIT_ADDR) - header->window_base) / 4;
}

bool doubt_met(uint32_t cell_at)
{
    const struct es_mi_header *header = HEADER;
    uint32_t flags = REG(ES_REG_HIT_FLAGS), index = hit_index(header);
    uint8_t *stale = AT(uint8_t, header->stale_at);
    const struct es_mi_fresh *word = AT(const struct es_mi_fresh, header->fresh_at);
    for (uint32_t left = header->fresh_count; left; left--, word++, stale++) {
        if (word->index != index || !*stale)
            continue;
        *stale &= ~(flags >> ES_HIT_LANES_SHIFT);
        if (!*stale) {
            PLANE(ES_PLANE_DATA_BASE, word) = word->kept;
            PLANE(ES_PLANE_FETCH_BASE, word) = word->kept >> ES_MI_FRESH_READS_SHIFT;
        }
        es.refreshed = REG(ES_REG_HIT_TIME);
        if ((flags & ES_HIT_KIND_MASK) == ES_KIND_READ)
            return !(word->kept >> ES_MI_FRESH_READS_SHIFT);
        if (word->kept)
            run_cell(*AT(const uint16_t, cell_at));
        return true;
    }
    return false;
}

/* Whether all that the statement depends on is right, and the hit's evidence is. */
static inline bool trusted(uint32_t statement, const struct es_mi_header *header, uint32_t hit)
{
    const struct es_mi_trust *trust = AT(const struct es_mi_trust, AT(const uint16_t, header->trust_at)[statement]);
    if (!trust || (trust->flags & es.flags) || (hit & (ES_HIT_KIND_MASK | ES_HIT_OLD_KNOWN)) == ES_KIND_FETCH ||
        REG(ES_REG_HIT_OLD) == INSN_MRET || /* what an interrupt of before the loss interrupted is no evidence */
        (trust->flags & ES_MI_TRUST_OLD && REG(ES_REG_HIT_TIME) == es.refreshed))
        return false;
    const uint8_t *stale = AT(const uint8_t, header->stale_at);
    const struct es_mi_fresh *fresh = AT(const struct es_mi_fresh, header->fresh_at);
    uint32_t written = (hit & ES_HIT_KIND_MASK) == ES_KIND_WRITE ? hit_index(header) : 0xFFFFFFFFu;
    const uint16_t *word = trust->words;
    for (uint32_t left = trust->count; left; left--, word++) {
        uint32_t number = *word & ES_MI_TRUST_WORD, lanes = *word >> ES_MI_TRUST_LANES_SHIFT;
        /* of what is written in parts it is not known which of them were missing before the loss */
        if (stale[number] & lanes || (fresh[number].index == written && lanes & ~(hit >> ES_HIT_LANES_SHIFT)))
            return false;
    }
    return true;
}

static bool in_anchor(uint32_t address)
{
    return address - HEADER->anchor_low < HEADER->anchor_size;
}

void doubt_hit(uint32_t statement)
{
    uint32_t flags = es.flags, hit = REG(ES_REG_HIT_FLAGS);
    const struct es_mi_header *header = HEADER;
    if (header->trust_at && REG(ES_REG_HIT_TIME) - es.bus.last_low >= SETTLE_CLOCKS) {
        if (trusted(statement, header, hit))
            flags &= ~ES_HITF_UNCERTAIN;
        /* the instruction that writes or reads tells the path, too; a return into the anchor must come to C */
        if (flags & ES_HITF_PATH_UNKNOWN) {
            if ((hit & ES_HIT_KIND_MASK) < ES_KIND_FETCH && in_anchor(REG(ES_REG_HIT_PC))) {
                doubt_anchor();
                flags &= ~ES_HITF_PATH_UNKNOWN;
            }
            for (struct activation *entry = stack; entry != stack + 2; entry++)
                if (entry < top && in_anchor(within(entry->site)))
                    entry->site |= ES_SITE_TO_DO;
        }
    }
    REG(ES_REG_EV_FLAGS) = flags;
}
