/* What the target of the SoC runs in its test: memory of all widths, then the end. */
#include <stdint.h>

static volatile uint8_t bytes[8];
static volatile uint16_t halves[4];
static volatile uint32_t sum;

#define ROUNDS 200 /* so that it still runs when the first command has come over the serial line */

int main(void)
{
    for (uint32_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(3 * i);
    for (uint32_t i = 0; i < 4; i++)
        halves[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    for (uint32_t i = 0; i < 4 * ROUNDS; i++)
        sum += halves[i % 4];
    return sum == ROUNDS * 0x2430 ? 0 : 1;
}
