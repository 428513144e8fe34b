/* Memory that changes without the program: a converter's samples come by DMA, block after block, and a table is copied
 * by DMA. For the target with shared memory, whose DMA device it needs: --probe sim:cores=1 (docs/target.md). */
#include <stdint.h>

#include "target.h"

#define BLOCK 16
#define BLOCKS 12
#define TABLE 8

static const uint32_t table[TABLE] = {3, 1, 4, 1, 5, 9, 2, 6};
static uint32_t copied[TABLE]; /* these three are written by DMA alone */
static uint32_t samples[2][BLOCK];
static uint32_t level;
static volatile unsigned filled; /* blocks */
static uint32_t highest;

__attribute__((interrupt("machine"), aligned(4))) static void on_block(void)
{
    if (target_dma_done())
        filled++;
}

__attribute__((noinline)) static uint32_t peak(const uint32_t *block)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < BLOCK; i++) {
        uint32_t volts = block[i] >> 20;
        if (volts > most)
            most = volts;
    }
    return most;
}

/* The end is seen by looking at the device. */
__attribute__((noinline)) static uint32_t copy_table(void)
{
    uint32_t sum = 0;
    target_dma_begin(copied, table, TABLE, 5, 0);
    while (target_dma_left())
        ;
    for (unsigned i = 0; i < TABLE; i++)
        sum += copied[i];
    return sum;
}

__attribute__((noinline)) static uint32_t measure(void)
{
    target_dma_begin(&level, 0, 1, 2, 0);
    while (target_dma_left())
        ;
    return level >> 20;
}

/* One half is looked at while the other is filled. */
__attribute__((noinline)) static void watch_blocks(void)
{
    for (unsigned block = 0; block <= BLOCKS; block++) {
        while (filled < block)
            target_wait();
        if (block < BLOCKS)
            target_dma_begin(samples[block & 1], 0, BLOCK, 20, 1);
        if (block == 0)
            continue;
        uint32_t most = peak(samples[(block - 1) & 1]);
        if (most > highest)
            highest = most;
    }
}

int main(void)
{
    uint32_t sum = copy_table(), before = measure();
    target_interrupts_on(on_block);
    target_interrupts_enable(TARGET_ALARM);
    watch_blocks();
    target_interrupts_off();
    uint32_t after = measure();
    target_puts("highest ");
    target_put_int((int32_t)highest);
    target_puts(" mV\n");
    return sum != 31 || before == after;
}
