/* Locals of one name that one line declares. */
#define TWICE(n) { int x = (n); sum += x; } { int x = 10 * (n); sum += x; }
volatile int sum;

__attribute__((noinline)) int f(int n)
{
    TWICE(n) /* @twice */
    for (int i = 0; i < n; i++) sum += i; for (int i = 50; i < 50 + n; i++) sum += i; /* @loops */
    return sum;
}

int main(void)
{
    for (int n = 1; n < 4; n++)
        f(n);
    return 0;
}
