/* Elements that are written whole, beside others, and in parts, by variables and by constants as index. */
#include <stdint.h>

volatile uint8_t bytes[6];
volatile int16_t shorts[5];
volatile int32_t words[4];
volatile uint8_t at;
volatile uint32_t rounds;

static void in_parts(volatile int32_t *word, uint32_t value)
{
    volatile uint8_t *part = (volatile uint8_t *)word;
    for (int i = 0; i < 4; i++)
        part[i] = (uint8_t)(value >> 8 * i);
}

int main(void)
{
    volatile uint8_t locals[4] = {1, 2, 3, 4};
    for (uint32_t i = 0; i < 60; i++) {
        at = (uint8_t)(i * 5 % 7);
        bytes[i % 6] = (uint8_t)(i * 37);
        shorts[i % 5] = (int16_t)(i * 9001);
        words[i % 4] = (int32_t)(i * 0x01234567);
        *(volatile uint32_t *)(volatile void *)&shorts[0] = i << 15;
        if (i % 8 == 3)
            in_parts(&words[i % 3], i * 77777);
        locals[i & 3] = (uint8_t)(locals[(i + 1) & 3] + i);
        rounds = i;
    }
    return 0;
}
