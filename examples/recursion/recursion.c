/* Recursion in three shapes: factorials (one call deep per level), quicksort (two calls each), and the towers of Hanoi. */
#include "target.h"

#define ITEMS 48
#define PEGS 3
#define DISCS 5

enum phase { FACTORIALS, SORTING, HANOI, DONE };

struct tower {
    uint8_t height;
    uint8_t disc[DISCS];
};

volatile enum phase phase; /* volatile: an optimiser would store these two only where the program itself needs them */
volatile uint32_t result;
int16_t items[ITEMS];
uint16_t swaps;
struct tower tower[PEGS];
uint32_t moves;
int32_t depth, deepest;

uint32_t fact(uint32_t n)
{
    if (n <= 1)
        return 1;
    uint32_t rest = fact(n - 1);
    uint32_t product = 0;
    for (uint32_t i = 0; i < n; i++)
        product += rest;
    return product;
}

static void swap(int16_t *a, int16_t *b)
{
    int16_t kept = *a;
    *a = *b;
    *b = kept;
    swaps++;
}

__attribute__((noinline)) void sort(int low, int high)
{
    if (low >= high)
        return;
    if (++depth > deepest)
        deepest = depth;
    int16_t pivot = items[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (items[i] < pivot)
            i++;
        while (items[j] > pivot)
            j--;
        if (i <= j)
            swap(&items[i++], &items[j--]);
    }
    sort(low, j);
    sort(i, high);
    depth--;
}

static void move(int from, int to)
{
    tower[to].disc[tower[to].height++] = tower[from].disc[--tower[from].height];
    moves++;
}

void hanoi(int discs, int from, int to, int spare)
{
    if (discs == 0)
        return;
    hanoi(discs - 1, from, spare, to);
    move(from, to);
    hanoi(discs - 1, spare, to, from);
}

static int sorted(void)
{
    for (int i = 1; i < ITEMS; i++)
        if (items[i - 1] > items[i])
            return 0;
    return 1;
}

int main(void)
{
    phase = FACTORIALS;
    for (uint32_t n = 1; n <= 10; n++)
        result = fact(n);

    phase = SORTING;
    for (int i = 0; i < ITEMS; i++)
        items[i] = (int16_t)(target_random() % 1000);
    sort(0, ITEMS - 1);

    phase = HANOI;
    for (int i = 0; i < DISCS; i++)
        tower[0].disc[tower[0].height++] = (uint8_t)(DISCS - i);
    hanoi(DISCS, 0, 2, 1);

    phase = DONE;
    target_puts("recursion: 10! = ");
    target_put_int((int32_t)result);
    target_puts(sorted() ? ", sorted, " : ", not sorted, ");
    target_put_int((int32_t)moves);
    target_puts(" moves\n");
    return !(sorted() && result == 3628800 && moves == (1u << DISCS) - 1 && tower[2].height == DISCS);
}
