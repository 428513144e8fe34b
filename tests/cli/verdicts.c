/* What expectations are judged by: a variable that takes each value from 0 to 199 once, amid more writes to another one
 * than a slow probe can follow; and one that is neither in the file nor written. */
volatile int a = -1, noise;
__attribute__((section(".noinit"))) volatile int garbage;

static void step(int i)
{
    for (int k = 0; k < 40; k++)
        noise = k + i;
    a = i;
}

int main(void)
{
    for (int i = 0; i < 200; i++)
        step(i);
    return 0;
}
