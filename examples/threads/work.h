/* What the examples have in common: something to compute, and how a run tells its result. */
#ifndef WORK_H
#define WORK_H

#include <stdint.h>

#ifdef __riscv
#include "target.h"
#else
#include <stdio.h>
#endif

/* A number that `rounds` rounds of mixing make of another one. */
static inline uint32_t churn(uint32_t x, unsigned rounds)
{
    for (; rounds; rounds--) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 15;
    }
    return x;
}

/* The end of main. */
static inline int report(uint32_t checksum)
{
#ifdef __riscv
    target_puts("checksum ");
    target_put_int((int32_t)(checksum & 0x7FFFFFFF));
    target_puts("\n");
#else
    printf("checksum %d\n", (int)(checksum & 0x7FFFFFFF));
#endif
    return 0;
}

#endif
