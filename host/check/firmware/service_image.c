/* What an image's tables say of a check's questions: which addresses are armed, what procedures and words that move
 * have there. */
#include "check/firmware/service_inside.h"

#include <string.h>

#define BUDGET ((size_t)1 << 21) /* some seconds */

uint16_t es_service_half(const es_check_service *s, uint32_t address)
{
    uint16_t half;
    memcpy(&half, s->memory + (address & 0xFFFE), sizeof half);
    return half;
}

uint32_t es_service_cell(const es_check_service *s, bool fetch, uint32_t address)
{
    uint32_t row = s->rows[(fetch ? ES_ROWS : 0) + (address >> 2 & (ES_ROWS - 1))];
    uint32_t column = address >> ES_CELL_COLUMN_SHIFT;
    return (row + 4 * (fetch ? 2 * column + (address >> 1 & 1) : column)) & 0xFFFF;
}

/* The record of the procedure that begins at an armed address; 0: none does. */
uint32_t es_service_record(const es_check_service *s, uint32_t entry)
{
    uint32_t cell = es_service_cell(s, true, entry), first = es_service_half(s, cell),
             second = es_service_half(s, cell + 2);
    if (first == second) /* es_mi_fetch */
        return es_service_half(s, first + 4);
    return first == s->routines.pop ? 0 : first + 4;
}

static void add_target(es_check_service *s, es_check_targets *targets, uint32_t code)
{
    for (size_t i = 0; i < targets->count; i++)
        if (targets->addresses[i] == code)
            return;
    if (!code)
        return;
    targets->addresses =
        es_arena_grow(s->arena, targets->count ? targets->addresses : NULL, targets->count, sizeof *targets->addresses);
    targets->addresses[targets->count++] = code;
}

static void find_targets(es_check_service *s, const es_image *image)
{
    s->lists.addresses = s->frames.addresses = es_arena_alloc(s->arena, sizeof(uint32_t)); /* none so far, but known */
    for (size_t i = 0; i < image->key_count; i++) {
        uint32_t record = image->keys[i].fetch ? es_service_record(s, image->keys[i].address) : 0;
        if (!record)
            continue;
        add_target(s, &s->lists, es_service_half(s, record + ES_MI_PROCEDURE_ENTER));
        add_target(s, &s->lists, es_service_half(s, record + ES_MI_PROCEDURE_LEAVE));
        uint32_t frame = es_service_half(s, record + ES_MI_PROCEDURE_FRAME);
        if (frame) {
            add_target(s, &s->frames, es_service_half(s, frame));
            add_target(s, &s->frames, es_service_half(s, frame + 2));
        }
    }
}

/* What holds at all events. */
static void find_facts(es_check_service *s)
{
    uint32_t routines = s->header.order_count;
    s->facts = es_arena_alloc(s->arena, (ES_MI_CALM_WORDS + routines / 32 + 2) * sizeof *s->facts);
    for (uint32_t i = 0; 32 * i < routines; i++) /* only routines that there are run after a write to words that move */
        s->facts[s->fact_count++] = (es_check_fact){s->header.gathered_at + 4 * (routines + i),
                                                    {0, routines - 32 * i < 32 ? ~0u << (routines - 32 * i) : 0}};
    for (uint32_t i = 0; i < ES_MI_CALM_WORDS; i++)
        s->facts[s->fact_count++] = (es_check_fact){s->routines.calm + 4 * i, check_known(0)};
    /* what else is run after events that came to C is the same all the time */
    s->facts[s->fact_count++] = (es_check_fact){s->routines.hushed, {(uint32_t)s->header.tells_at << 16, ~1u}};
    es_check_targets all_registers = {0};
    add_target(s, &all_registers, s->routines.task_stops);
    add_target(s, &all_registers, s->header.marks_at);
    for (size_t i = 0; i < s->image->deadline_count; i++)
        add_target(s, &all_registers, s->image->deadlines[i]);
    for (size_t i = 0; i < 2; i++)
        s->functions[i] = (es_check_functions){.addresses = {s->routines.slot_move, s->routines.pointers_update,
                                                             s->routines.pointer_written, s->routines.copy_marks},
                                               .all_registers = all_registers,
                                               .facts = s->facts,
                                               .fact_count = s->fact_count,
                                               .arena = s->arena};
}

void es_check_service_begin(es_check_service *s)
{
    s->budget = BUDGET;
    s->checks++;
}

es_check_service *es_check_service_new(es_arena *arena, const es_image *image, const es_isa *target)
{
    es_check_service *s = es_arena_alloc(arena, sizeof *s);
    size_t size;
    const uint8_t *firmware = es_firmware(&size);
    s->arena = arena;
    s->image = image;
    s->target = target;
    memcpy(s->memory + ES_MEM_BASE, firmware, size);
    memcpy(s->memory + ES_IMAGE_BASE, image->bytes, image->size);
    memcpy(&s->header, image->bytes, sizeof s->header);
    memcpy(s->rows, s->memory + s->header.rows_at, sizeof s->rows);
    if (s->header.tasks_at)
        memcpy(&s->tasks, s->memory + s->header.tasks_at, sizeof s->tasks);
    s->deepest = s->tasks.places;
    es_check_service_begin(s);
    s->routines = es_firmware_routines_get();
    find_targets(s, image);
    s->code = es_check_code(arena, s->memory, s->header.ram_at);
    s->live = es_check_live_find(arena, s->code, s->header.ram_at);
    find_facts(s);
    return s;
}

bool es_check_service_armed(const es_check_service *s, size_t i, uint32_t *address, bool *read)
{
    size_t found = 0;
    uint32_t at = s->header.window_base;
    for (uint32_t n = 0; n < s->header.fetch_arm_count; n++) {
        uint32_t distance = es_service_half(s, s->header.fetch_arms_at + 2 * n) & ~ES_MI_ARM_LOCK;
        at += distance << ES_MI_ARM_FETCH_SHIFT;
        if (distance == ES_MI_ARM_SKIP || found++ != i)
            continue;
        *address = at;
        *read = es_service_half(s, es_service_cell(s, true, at)) & ES_MI_READ;
        return true;
    }
    return false;
}

uint32_t es_check_service_root_node(const es_check_service *s)
{
    return s->header.root_node_at;
}

/* As in firmware/calls.c. */
uint32_t es_check_service_next_node(const es_check_service *s, uint32_t node, uint32_t entry, uint32_t site)
{
    uint32_t record = es_service_record(s, entry),
             column = record ? es_service_half(s, record + ES_MI_PROCEDURE_COLUMN) : 0;
    if (column & ES_MI_COLUMN_BY_SITE) {
        uint32_t list = column - ES_MI_COLUMN_BY_SITE, at;
        for (;; list += ES_MI_SITE_SIZE) {
            memcpy(&at, s->memory + list, sizeof at);
            if (!at || at == site)
                break;
        }
        column = es_service_half(s, list + ES_MI_SITE_COLUMN);
    }
    uint32_t move = es_service_half(s, node + ES_MI_NODE_ROW) + column;
    return es_service_half(s, move + ES_MI_MOVE_FROM) == node ? es_service_half(s, move + ES_MI_MOVE_TO)
                                                              : es_service_half(s, node + ES_MI_NODE_OTHER);
}

uint32_t es_check_service_places(const es_check_service *s)
{
    return s->tasks.places;
}

uint32_t es_check_service_tasks(const es_check_service *s)
{
    return s->tasks.flow_count ? s->tasks.flow_count + 1u : 0;
}

bool es_check_service_sees(const es_check_service *s, uint32_t address)
{
    return address - s->header.window_base < s->header.window_size;
}

uint64_t es_check_service_slots(const es_check_service *s)
{
    return s->header.slot_count < 64 ? (UINT64_C(1) << s->header.slot_count) - 1 : UINT64_MAX;
}

struct es_mi_slot es_service_slot(const es_check_service *s, size_t number)
{
    struct es_mi_slot slot;
    memcpy(&slot, s->memory + s->header.slots_at + number * sizeof slot, sizeof slot);
    return slot;
}

uint64_t es_check_service_read_slots(const es_check_service *s)
{
    uint64_t slots = 0;
    for (size_t i = 0; i < s->header.slot_count; i++)
        slots |= (uint64_t)(es_service_slot(s, i).reads != 0) << i;
    return slots;
}

static struct es_mi_pointer pointer_at(const es_check_service *s, size_t number)
{
    struct es_mi_pointer pointer;
    memcpy(&pointer, s->memory + s->header.pointers_at + number * sizeof pointer, sizeof pointer);
    return pointer;
}

bool es_check_service_slot(const es_check_service *s, size_t number, int32_t *low, int32_t *high)
{
    struct es_mi_slot slot = es_service_slot(s, number);
    const es_image_slot *of = &s->image->slots[number];
    bool phases = !of->frame && pointer_at(s, of->pointer).phases > 1;
    *low = (int32_t)slot.low - (phases ? 3 : 0);
    *high = (int32_t)(slot.low + slot.span);
    return slot.word_count;
}

/* A variable is written once at each place where it is, so what it points to has twice as many places. */
double es_check_service_start_moves(const es_check_service *s, size_t number)
{
    double places[ES_MI_POINTERS_MAX];
    if (s->image->slots[number].frame || es_service_slot(s, number).reads)
        return 0;
    for (uint32_t i = 0; i <= s->image->slots[number].pointer; i++) {
        struct es_mi_pointer pointer = pointer_at(s, i);
        places[i] = pointer.is_element ? 1 + pointer.index_count : 0;
        /* a pointer has one before it at most, an element's index may be reached through more */
        for (uint32_t k = 0; k < i; k++)
            places[i] += pointer.follows >> k & 1 ? 2 * places[k] : 0;
        places[i] = places[i] ? places[i] : 2;
    }
    return places[s->image->slots[number].pointer] * es_service_slot(s, number).word_count;
}

bool es_check_service_hushes(const es_check_service *s)
{
    return s->header.hush;
}

bool es_check_service_reads(const es_check_service *s)
{
    return s->header.control & ES_CTRL_READS;
}

bool es_check_service_leaves(const es_check_service *s, uint32_t entry)
{
    uint32_t record = es_service_record(s, entry);
    return record &&
           (es_service_half(s, record + ES_MI_PROCEDURE_LEAVE) || es_service_half(s, record + ES_MI_PROCEDURE_FRAME));
}
