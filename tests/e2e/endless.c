/* More events than a probe keeps up with, and no end. */
#include <stdint.h>

volatile uint32_t n;

int main(void)
{
    for (uint32_t i = 0;; i++)
        n = i;
}
