/* The soft core's address map (es_soc.v), for the loader, and for the soft core where its own memory is not. */
#include "softprobe/private.h"

/* Memory is repeated over its region. */
static uint32_t memory_at(const es_softprobe *probe, uint32_t address)
{
    return address & ((1u << probe->options.mem_log2) - 1) & ~3u;
}

static uint32_t memory_read(const es_softprobe *probe, uint32_t address)
{
    uint8_t b[4] = {0};
    es_machine_peek(probe->core, memory_at(probe, address), b, NULL, 4);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void memory_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes)
{
    for (unsigned lane = 0; lane < 4; lane++) {
        uint8_t byte = (uint8_t)(data >> 8 * lane);
        if (lanes == 15) {
            uint8_t word[4] = {byte, (uint8_t)(data >> 8), (uint8_t)(data >> 16), (uint8_t)(data >> 24)};
            es_machine_poke(probe->core, memory_at(probe, address), word, NULL, 4);
            return;
        }
        if (lanes >> lane & 1)
            es_machine_poke(probe->core, memory_at(probe, address) + lane, &byte, NULL, 1);
    }
}

uint32_t es_softprobe_bus_read(es_softprobe *probe, uint32_t address, bool by_core)
{
    uint32_t value;
    bool known;
    switch (address & 0xF0000000u) {
    case ES_MEM_BASE: return memory_read(probe, address);
    case ES_REG_BASE: return es_softprobe_register_read(probe, address, by_core);
    case ES_PHANTOM_BASE:
        value = es_softprobe_array_read(probe, address, &known);
        if (by_core && !known)
            probe->unknown_met = true;
        return value;
    case ES_PLANE_DATA_BASE:
    case ES_PLANE_FETCH_BASE: return es_softprobe_array_read(probe, address, &known);
    default: return 0;
    }
}

void es_softprobe_bus_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes)
{
    switch (address & 0xF0000000u) {
    case ES_MEM_BASE: memory_write(probe, address, data, lanes); break;
    case ES_REG_BASE: es_softprobe_register_write(probe, address, data); break;
    case ES_PHANTOM_BASE:
    case ES_PLANE_DATA_BASE:
    case ES_PLANE_FETCH_BASE: es_softprobe_array_write(probe, address, data, lanes); break;
    case ES_ROWS_BASE: probe->rows[address >> 2 & (2 * ES_ROWS - 1)] = (uint16_t)data; break;
    default: break;
    }
}
