/* watch: a: when write(total) && total > 20 { print total }
 * watch: b: when walk\depth == 3 && total > 2 { print total }
 * watch: c: when read(step) && step != 1 { print step }
 * Procedures called through a table that changes, recursion among them, and loops whose counts and steps are data that the loops themselves change. */
volatile int total, step = 1;
volatile unsigned char counts[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

typedef int action(int);

__attribute__((noinline)) int add(int x)
{
    total += x;
    return total;
}

__attribute__((noinline)) int shift(int x)
{
    for (int i = 0; i < counts[x & 7]; i += step)
        total += i;
    return total;
}

__attribute__((noinline)) int walk(int depth);

action *table[4] = { add, shift, walk, add };

int walk(int depth)
{
    volatile int here = depth;
    if (depth > 0)
        total ^= table[(depth + step) & 3](here - 1);
    table[depth & 3] = table[(depth + 1) & 3];
    return here;
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        counts[i & 7] = (unsigned char)(counts[(i + 3) & 7] + 1);
        step = 1 + (i & 1);
        table[i & 3](i & 7);
        if (i == 10)
            table[2] = walk;
    }
    return 0;
}
