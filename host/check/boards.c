#include "check/boards.h"

#include <string.h>

#include "probe_defs.h"

#define BUS_HZ 10000000u /* as the simulated bus (ES_SIM_BUS_HZ) */

/* sim: sim/worlds/es_world_listener.v, whose registers tests/check/bound.c compares with this. icebreaker:
 * rtl/boards/icebreaker.v, the others: rtl/boards/ulx3s.v, with their serial lines (ES_UART_BAUD) as the link.
 * Those with the recorder alone have no soft core, and so no memory for it. */
static const es_check_board boards[] = {
    /* clang-format off */
    { "sim",
      { .memory_size = ES_MEM_SIZE, .window_base = 0, .window_size = 1u << 18, .bus_hz = BUS_HZ, .tracker = true },
      { .ratio = { 4, 1 }, .fifo = 1u << 12, .event_words = 1u << 11, .words_per_clock = 0.2, .epoch_gap = 1 << 16,
        .recorder_bytes = 1u << 12 } },
    { "icebreaker",
      { .memory_size = ES_MEM_SIZE, .window_base = 0, .window_size = 1u << 16, .bus_hz = BUS_HZ, .narrow = true,
        .lacks = ES_LACKS_OUTPUTS | ES_LACKS_TIME | ES_LACKS_COMPRESSED },
      { .other_core = true,
        .ratio = { 2, 1 }, .fifo = 1u << 8, .event_words = 1u << 8, .words_per_clock = 0.003, .epoch_gap = 1 << 28,
        .single_port = true } },
    { "ulx3s",
      { .memory_size = 1u << 15, .window_base = 0, .window_size = 1u << 15, .bus_hz = BUS_HZ, .tracker = true,
        .lacks = ES_LACKS_OUTPUTS | ES_LACKS_COMPRESSED },
      { .other_core = true, .ratio = { 6, 1 }, .fifo = 1u << 9, .event_words = 1u << 9, .words_per_clock = 0.00125,
        .epoch_gap = 1LL << 32 } },
    { "ulx3s-85f",
      { .memory_size = 1u << 16, .window_base = 0, .window_size = 1u << 16, .bus_hz = BUS_HZ, .tracker = true,
        .lacks = ES_LACKS_OUTPUTS | ES_LACKS_COMPRESSED },
      { .other_core = true, .ratio = { 6, 1 }, .fifo = 1u << 9, .event_words = 1u << 9, .words_per_clock = 0.00125,
        .epoch_gap = 1LL << 32, .recorder_bytes = 1u << 12 } },
    { "ulx3s-85f-256k", /* its clock is 625/13 MHz */
      { .memory_size = 1u << 16, .window_base = 0, .window_size = 1u << 18, .bus_hz = BUS_HZ, .tracker = true,
        .lacks = ES_LACKS_OUTPUTS | ES_LACKS_COMPRESSED },
      { .other_core = true, .ratio = { 24, 5 }, .fifo = 1u << 9, .event_words = 1u << 9, .words_per_clock = 0.00125,
        .epoch_gap = 1LL << 32, .recorder_bytes = 1u << 12 } },
    { "icebreaker-recorder",
      { .memory_size = 0, .window_base = 0, .window_size = 1u << 16, .bus_hz = BUS_HZ },
      { .other_core = true, .ratio = { 2, 1 }, .fifo = 1u << 8, .words_per_clock = 0.003, .epoch_gap = 1 << 28,
        .recorder_bytes = 1u << 13, .window_is_all = true } },
    { "ulx3s-recorder",
      { .memory_size = 0, .window_base = 0, .window_size = 1u << 16, .bus_hz = BUS_HZ },
      { .other_core = true, .ratio = { 6, 1 }, .fifo = 1u << 9, .words_per_clock = 0.00125, .epoch_gap = 1LL << 32,
        .recorder_bytes = 1u << 14 } },
    /* clang-format on */
};

const es_check_board *es_check_board_named(const char *name)
{
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (strcmp(boards[i].name, name) == 0)
            return &boards[i];
    return NULL;
}
