#include "image/tables/layout.h"

#include <stdlib.h>
#include <string.h>

#include "image/tables/dump.h"
#include "ir/ir.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__

#error "the image is written as little endian structs"

#endif

uint32_t es_layout_reserve(image_builder *b, size_t size)
{
    size_t aligned = (size + 3) & ~(size_t)3;
    if (b->size + aligned > b->room) {
        size_t room = (b->size + aligned) * 2;
        b->bytes = es_realloc(b->bytes, room);
        memset(b->bytes + b->room, 0, room - b->room);
        b->room = room;
    }
    uint32_t at = ES_IMAGE_BASE + (uint32_t)b->size;
    b->size += aligned;
    return at;
}

void *es_layout_at(image_builder *b, uint32_t address)
{
    if (address < ES_IMAGE_BASE) /* what 16 bits hold of it, where the image has more than 64 KiB: refused in the end */
        address += 0x10000;
    return b->bytes + (address - ES_IMAGE_BASE);
}

uint32_t es_layout_put(image_builder *b, const void *bytes, size_t size)
{
    uint32_t address = es_layout_reserve(b, size);
    if (size)
        memcpy(es_layout_at(b, address), bytes, size);
    return address;
}

void es_code_begin(image_builder *b)
{
    b->code.ram_at = b->plan.ram_at;
    b->code.spill = b->plan.spill + 4 * b->spilled;
    b->code.see = b->dump ? es_dump_see : NULL;
    b->code.see_context = b;
    es_ir_begin(&b->code, ES_IMAGE_BASE + (uint32_t)b->size);
}

uint16_t es_code_put(image_builder *b)
{
    es_ir_finish(&b->code);
    b->spilled += b->code.spilled;
    return (uint16_t)es_layout_put(b, b->code.words, b->code.word_count * 4);
}

size_t es_layout_procedure_index(const image_builder *b, const es_procedure *procedure)
{
    size_t low = 0, high = b->procedure_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->procedures[middle]->low < procedure->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* two words of code stand before each record */
#define RECORD (sizeof(struct es_mi_procedure) + 8)

uint16_t es_layout_procedure(const image_builder *b, const es_procedure *procedure)
{
    if (!procedure)
        return 0;
    return (uint16_t)(b->procedures_at + 8 + es_layout_procedure_index(b, procedure) * RECORD);
}
