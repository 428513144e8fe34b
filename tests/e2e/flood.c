/* More events than a probe keeps up with, at the same distances: without a gap one can tell when each of them was. */
#include <stdint.h>

#define ROUNDS 8000

volatile uint32_t n, m;

__attribute__((noinline)) static void call(uint32_t i)
{
    m = i;
}

int main(void)
{
    for (uint32_t i = 0; i < ROUNDS; i += 8) {
        for (uint32_t k = 0; k < 8; k++)
            n = i + k;
        call(i);
    }
    return 0;
}
