/* Goes wrong in the way that the random number's low bits (the run's seed) choose. */
#include "target.h"

int main(void)
{
    void (*nowhere)(void) = (void (*)(void))0x00050000;
    switch (target_random() & 7) {
    case 0: return (int)*(volatile uint32_t *)0x00040000; /* beyond RAM */
    case 1: *(volatile uint16_t *)0x80000002 = 1; break;
    case 2: *(volatile uint8_t *)0x00000010 = 1; break;   /* ROM */
    case 3: nowhere(); break;
    case 4: __asm__ volatile(".word 0"); break;
    case 5: __asm__ volatile("lw zero, 0(%0)" : : "r"(0x00020001)); break; /* misaligned */
    case 6: TARGET_REGISTER(0x24) = 1; break;             /* no such device register */
    default: __asm__ volatile("ecall"); break;
    }
    return 0;
}
