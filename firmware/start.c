/* Start: is the image the one this firmware understands? Then memory is cleared, planes are armed, and the host is
 * greeted. */
#include "firmware.h"

_Static_assert(sizeof(struct es_mi_header) == ES_MI_HEADER_SIZE, "the library stands after it");

static void check_image(void)
{
    const struct es_mi_header *header = HEADER;
    if (header->magic != ES_MI_MAGIC || header->version != ES_MI_VERSION)
        send_fault(ES_FAULT_IMAGE, header->version);
    if (header->size < sizeof *header || header->size & 3 || header->size > ES_MI_ADDRESS_END - ES_IMAGE_BASE)
        send_fault(ES_FAULT_IMAGE, header->size);
    const uint32_t *word = AT(const uint32_t, ES_IMAGE_BASE);
    const uint32_t *end = AT(const uint32_t, ES_IMAGE_BASE + header->size);
    uint32_t sum = 0;
    for (; word < end; word++)
        sum = es_mi_checksum(sum, word == &header->checksum ? 0 : *word);
    if (sum != header->checksum)
        send_fault(ES_FAULT_IMAGE, sum);
}

static void arm(uint32_t plane, uint32_t step_shift, uint32_t list_at, uint32_t count)
{
    const uint16_t *list = AT(const uint16_t, list_at);
    for (; count; count--) {
        uint32_t step = *list++;
        plane += (step & ES_MI_ARM_SKIP) << step_shift;
        if ((step & ES_MI_ARM_SKIP) != ES_MI_ARM_SKIP)
            *AT(volatile uint8_t, plane) = step & ES_MI_ARM_LOCK ? 3 : 1;
    }
}

void start(void)
{
    const struct es_mi_header *header = HEADER;
    stack_and_end[0].site = 1; /* odd: no return matches it */
    top = known = sent = stack;
    stack_end = stack + ES_MI_STACK_DEPTH;
    room = ES_FRAME_MAX_WORDS;
    busy = 0;
    set_flags(0);
    check_image();
    const uint16_t *row = AT(const uint16_t, header->rows_at);
    for (uint32_t i = 0; i < 2 * ES_ROWS; i++)
        AT(volatile uint32_t, ES_ROWS_BASE)[i] = *row++;
    es.lost_before = REG(ES_REG_LOST); /* while the probe was loaded: of no run */
    REG(ES_REG_CTRL) = header->control;
    arm(ES_PLANE_FETCH_BASE, ES_MI_ARM_FETCH_SHIFT, header->fetch_arms_at, header->fetch_arm_count);
    arm(ES_PLANE_DATA_BASE, ES_MI_ARM_DATA_SHIFT, header->data_arms_at, header->data_arm_count);
    /* rows and lists are needed no more: memory may begin within them */
    uint32_t *ram = AT(uint32_t, header->ram_at);
    for (uint32_t count = header->ram_words; count; count--)
        *ram++ = 0;
    ram_pointer = header->ram_at + ES_MI_RAM_POINTER;
    incomplete_at = header->incomplete_at;
    unknown_at = header->unknown_at;
    node = AT(const struct es_mi_node, header->root_node_at);
    pointers_start();
    tasks_start();
    send_hello();
    begin();
}
