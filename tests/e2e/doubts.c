/* Quiet work with one short burst in it that a slow probe cannot follow: some transactions are lost there, and then all is
 * quiet again. */
volatile int noise, level, limit = 5, total;
volatile short narrow;
volatile unsigned char mode = 1;
volatile long long wide;
volatile struct { int low, high; } range = { 2, 9 };

static void rest(int n)
{
    for (volatile int k = 0; k < n; k++)
        ;
}

static void set(int v)
{
    level = v;
    rest(2);
}

static int inside(int v)
{
    int within = v > range.low && v < range.high && v > limit;
    set(v + within);
    return within;
}

static void work(int i)
{
    rest(60);
    total += inside(i % 12);
    rest(60);
    if (i % 8 == 0)
        mode = (unsigned char)(mode + 1);
    narrow = (short)i;
    rest(60);
    wide = (long long)i << 33;
    rest(60);
    if (i % 16 == 0)
        limit = 3 + i % 5;
}

/* What is lost here changes what holds afterwards. */
static void burst(int n)
{
    for (int k = 0; k < n; k++) {
        noise = k;
        set(k & 7);
        noise = k + 1;
        if (k % 16 == 9) {
            range.low = k & 3;
            limit = k & 7;
            mode = (unsigned char)k;
        }
    }
}

int main(void)
{
    for (int i = 0; i < 40; i++)
        work(i);
    burst(60);
    for (int i = 0; i < 120; i++)
        work(i);
    return 0;
}
