/* Inlined copies, of which one begins where another one ends. */
volatile int sink;
static inline int twice(int q)
{
    int w = q * 2;
    sink = w;
    return w + 1;
}
__attribute__((noinline)) int outer(int a)
{
    int x = twice(a);
    int y = twice(x + a);
    return x + y;
}
int main(void)
{
    for (int i = 0; i < 12; i++)
        sink = outer(i);
    return 0;
}
