/* Ex1 of Plattner 1984, Fig. 2: a program without recursion. Two variables are called x. */
static volatile int sink;

static void p1(void)
{
    volatile int b = 1;
    b = 2;
    sink = b;
}

static void p2(void)
{
    volatile int x = 0;
    x = x + 1;
    p1();
    sink = x;
}

int main(void)
{
    volatile int x = 3, y = 4;
    p2();
    p1();
    y = x;
    sink = y;
    return 0;
}
