/* What the programs print with: on the target, on Linux of any processor, and where there is nothing but system calls
 * (qemu-riscv32: linux.S). */
#ifndef SHOW_H
#define SHOW_H

#include <stdint.h>

#ifdef ON_TARGET
#include "target.h"
static void show_char(char c)
{
    target_put_char(c);
}
#else
long write(int file, const void *bytes, unsigned long size);
static void show_char(char c)
{
    if (write(1, &c, 1) != 1)
        __builtin_trap();
}
#endif

static void show(const char *name, uint32_t value)
{
    while (*name)
        show_char(*name++);
    show_char(' ');
    for (int shift = 28; shift >= 0; shift -= 4)
        show_char("0123456789abcdef"[value >> shift & 15]);
    show_char('\n');
}

#endif
