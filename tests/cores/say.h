/* What a program prints at its end, on the target and on this machine the same. */
#ifndef TESTS_CORES_SAY_H
#define TESTS_CORES_SAY_H

#include <stdint.h>

#ifdef __riscv
#include <target.h>
#else
#include <stdio.h>
#endif

static void say(const char *name, uint32_t value)
{
#ifdef __riscv
    target_puts(name);
    target_put_int((int32_t)value);
    target_put_char('\n');
#else
    printf("%s%d\n", name, (int)(int32_t)value);
#endif
}

#endif
