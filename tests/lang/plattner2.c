/* Ex2 of Plattner 1984, Fig. 3: P2 calls itself, so several instances of its variables exist at a time. The
 * numbers of calls and statements that test_paper.c expects are those of this text. */
static volatile int sink;

static void p1(void)
{
    volatile int b = 1;
    b = 2;
    b = 3;
    b = 4;
    sink = b;
}

static void p2(int n)
{
    volatile int a = n, x = n;
    if (n > 0) {
        p2(n - 1);
        p1();
        p2(n - 1);
    }
    a = x + 0;
    x = a;
}

int main(void)
{
    p2(2);
    p1();
    p2(3);
    return 0;
}
