/* Runs the random instructions that tests/cpu/outside.py has written, and prints what they leave in registers and
 * memory. */
#include "show.h"

enum { REGISTERS = 24, WORDS = 256 };

typedef void body(uint32_t *memory, uint32_t *registers);
extern body *const bodies[];
extern const uint32_t body_count;

static uint32_t memory[WORDS], registers[REGISTERS];

int main(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        memory[i] = i * 0x9E3779B9u ^ i << 7;
    for (uint32_t b = 0; b < body_count; b++) {
        bodies[b](memory, registers);
        show("body", b);
        for (uint32_t i = 0; i < REGISTERS; i++)
            show("  register", registers[i]);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < WORDS; i++)
            sum = (sum << 5 | sum >> 27) ^ memory[i];
        show("  memory", sum);
    }
    return 0;
}
