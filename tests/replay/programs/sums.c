/* What polls of mip tell is added up, and only the sum decides where the program goes: nothing tells of each of them
 * before. Others decide at once. */
#include "target.h"

enum { ROUNDS = 60 };

uint32_t sum, ways;

__attribute__((noinline)) static uint32_t is_pending(void)
{
    uint32_t pending;
    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    return pending & 0x80;
}

int main(void)
{
    target_timer_at(500);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        for (uint32_t k = 0; k < 3; k++)
            sum += is_pending() ? 3 : 1;
        if (is_pending()) {
            sum ^= i;
            target_timer_at(target_cycles() + 37 + (i & 63));
        }
    }
    for (uint32_t left = sum; left; left /= 10)
        ways = ways * 2 + (left % 10 > 4);
    target_put_int((int32_t)ways);
    target_puts("\n");
    return 0;
}
