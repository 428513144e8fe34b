/* At -O2 what `next` returns is in a register alone; each result goes to the console, too. Its input comes from a device. */
#include "target.h"

static __attribute__((noinline)) uint32_t next(uint32_t seed)
{
    return (seed + (seed << 2) + (target_random() & 0xFFu)) & 0xFFFFu;
}

int main(void)
{
    uint32_t value = 1;

    for (uint32_t i = 0; i < 20; i++) {
        value = next(value);
        target_put_int((int32_t)value);
        target_put_char('\n');
    }
    return 0;
}
