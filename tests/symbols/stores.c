/* What es_symbols_stores is tested on, together with stores.S: each procedure's stores are known from its source. */
#include <setjmp.h>
#include <stdint.h>

#include "target.h"

#define SEEN __attribute__((noinline, noclone, used))

volatile int plain;
volatile struct { int first; uint8_t byte; int16_t half; int64_t wide; } record;
volatile int table[4];
int (*volatile operation)(int);
static jmp_buf bail;

SEEN int frame_only(int n)
{
    volatile int room[3];
    volatile int16_t half = (int16_t)n;
    room[0] = n;
    room[2] = n + 1;
    return room[0] + room[2] + half;
}

SEEN void to_static(int n)
{
    plain = n;
}

SEEN void to_members(int n)
{
    record.byte = (uint8_t)n;
    record.half = (int16_t)n;
    record.wide = n;
}

SEEN void through(volatile int *p)
{
    *p = 1;
}

SEEN void indexed(int i)
{
    table[i & 3] = i;
}

SEEN int allocates(int n)
{
    volatile char room[n];
    room[0] = 1;
    return room[0];
}

SEEN int switches(int k)
{
    volatile int kept = 0;
    switch (k) {
    case 0: kept = plain; break;
    case 1: kept = 3; break;
    case 2: kept = plain + 17; break;
    case 3: kept = table[2]; break;
    case 4: kept = 99; break;
    case 5: kept = plain * 2; break;
    case 6: kept = -4; break;
    default: kept = -1; break;
    }
    return kept;
}

SEEN int calls_pointer(int n)
{
    volatile int kept = operation(n);
    return kept + 1;
}

SEEN int ends_in_call(int n)
{
    return frame_only(n + 1);
}

SEEN int countdown(int n)
{
    volatile int kept = n;
    return n > 0 ? countdown(n - 1) + kept : 0;
}

SEEN int jumps(int n)
{
    if (setjmp(bail) == 0)
        longjmp(bail, n);
    return n;
}

void keeps_ra(void), keeps_sp(void), above(void), below(void), entered(void), jumps_in(void), moves_sp(void),
    traps(void), other_link(void), unbalanced(void), two_depths(void), computed(void), falls(void), twice_set(void),
    atomic(void);
void (*const all[])(void) __attribute__((used)) = { keeps_ra, keeps_sp,   above,      below,      entered,
                                                    jumps_in, moves_sp,   traps,      other_link, unbalanced,
                                                    computed, two_depths, falls,      twice_set,  atomic };

int main(void)
{
    operation = frame_only;
    to_static(1);
    to_members(2);
    through(&plain);
    indexed(3);
    return allocates(4) + switches(5) + calls_pointer(6) + ends_in_call(7) + countdown(2) + jumps(8);
}
