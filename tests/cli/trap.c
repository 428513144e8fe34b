/* Does something, and crashes. */
volatile int done;

int main(void)
{
    done = 1;
    __asm__ volatile(".word 0");
    done = 2;
    return 0;
}
