/* A write to a watched variable long after anything else that concerns the probe. */
volatile int signal, count;

int main(void)
{
    for (count = 0; count < 500; count++)
        continue;
    signal = 1;
    for (count = 0; count < 500; count++)
        continue;
    return 0;
}
