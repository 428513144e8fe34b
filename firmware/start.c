/* Start: is the image the one this firmware understands? Then memory is cleared, planes are armed, and the host is
 * greeted. */
#include "firmware.h"

static void check_image(void)
{
    const struct es_mi_header *header = &IMAGE->header;
    if (header->magic != ES_MI_MAGIC || header->version != ES_MI_VERSION)
        send_fault(ES_FAULT_IMAGE, header->version);
    if (header->size < sizeof *IMAGE || header->size & 3 || header->size > ES_MI_ADDRESS_END - ES_IMAGE_BASE)
        send_fault(ES_FAULT_IMAGE, header->size);
    const uint32_t *word = AT(const uint32_t, ES_IMAGE_BASE);
    const uint32_t *end = AT(const uint32_t, ES_IMAGE_BASE + header->size);
    uint32_t sum = 0;
    for (; word < end; word++)
        sum = es_mi_checksum(sum, word == &header->checksum ? 0 : *word);
    if (sum != header->checksum)
        send_fault(ES_FAULT_IMAGE, sum);
}

static void arm(uint32_t plane, uint32_t list_at, uint32_t count)
{
    const uint16_t *list = AT(const uint16_t, list_at);
    for (; count; count--) {
        uint32_t step = *list++;
        plane += (step & ES_MI_ARM_SKIP) << 2;
        if ((step & ES_MI_ARM_SKIP) != ES_MI_ARM_SKIP)
            *AT(volatile uint32_t, plane) = step & ES_MI_ARM_LOCK ? 3 : 1;
    }
}

void start(void)
{
    const struct es_mi_header *header = &IMAGE->header;
    check_image();
    uint32_t *ram = AT(uint32_t, header->ram_at);
    for (uint32_t count = header->ram_words; count; count--)
        *ram++ = 0;
    es.top = es.known = es.sent = stack;
    es.node = AT(const struct es_mi_node, header->root_node_at);
    arm(ES_PLANE_FETCH_BASE, header->fetch_arms_at, header->fetch_arm_count);
    arm(ES_PLANE_DATA_BASE, header->data_arms_at, header->data_arm_count);
    send_hello();
}
