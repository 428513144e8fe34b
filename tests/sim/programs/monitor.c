/* Smallest firmware for the probe's soft core: sends every hit's registers as a frame of kind COUNTERS, and pops it. */
#include <stdint.h>

#include "probe_defs.h"

#define REGISTER(offset) (*(volatile uint32_t *)(ES_REG_BASE + (offset)))

void _start(void);

__attribute__((naked, section(".text.start"))) void _start(void)
{
    __asm__ volatile("li sp, 0x3ff0\n\tj serve");
}

__attribute__((used, noreturn)) void serve(void)
{
    for (uint32_t sequence = 0;;) {
        if (!(REGISTER(ES_REG_STATUS) & ES_STATUS_HIT)) {
            __asm__ volatile("wfi");
            continue;
        }
        while (REGISTER(ES_REG_EV_ROOM) < 7)
            continue;
        REGISTER(ES_REG_EV_DATA) = ES_FRAME_COUNTERS | 6u << 8 | sequence++ << 16;
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_FLAGS);
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_TIME);
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_ADDR);
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_NEW);
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_OLD);
        REGISTER(ES_REG_EV_DATA) = REGISTER(ES_REG_HIT_PC);
        REGISTER(ES_REG_EV_END) = 0;
        REGISTER(ES_REG_HIT_POP) = 1;
    }
}
