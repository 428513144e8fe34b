/* watch: a: when enter(even) && n > 3 { print n }
 * watch: b: when write(n) && n != old(n) { print n, old(n) }
 * watch: c: when leave(start) { print n }
 * Procedures that jump to each other in a circle, and return in the stead of who was called. */
volatile int n, sum;

int odd(int left);

__attribute__((noinline)) int even(int left)
{
    n = left;
    return left ? odd(left - 1) : 1;
}

__attribute__((noinline)) int odd(int left)
{
    sum += left;
    return left ? even(left - 1) : 0;
}

__attribute__((noinline)) int start(int left)
{
    return left & 1 ? odd(left) : even(left);
}

int main(void)
{
    for (int i = 0; i < 12; i++)
        sum += start(i);
    return 0;
}
