/* One name for several variables: blocks within blocks, loops beside each other, static ones of two procedures, inlined code. */
int out;
static struct pair {
    int left;
    struct pair *other;
} pair = {3, 0}, *none;

__attribute__((noinline)) static int first(int x)
{
    static int calls = 100;
    calls += x;
    return calls;
}

__attribute__((noinline)) static int second(int x)
{
    static int calls = 200;
    calls -= x;
    return calls;
}

static inline int twice(int i)
{
    int sum = i + i;
    out += sum;
    return sum;
}

__attribute__((noinline)) static int step(int k)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i * k;
    for (int i = 100; i < 103; i++) {
        int sum = i + k;
        out ^= sum;
        sum = twice(sum);
        out -= sum;
    }
    {
        int i = 7;
        out += i + sum;
    }
    return sum;
}

int main(void)
{
    pair.other = &pair;
    for (int i = 0; i < 2; i++)
        out += step(i + 1) + first(i) - second(out);
    return out == 0;
}
