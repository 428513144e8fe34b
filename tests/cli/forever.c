/* Never ends, and writes a variable again and again. */
volatile int beat;

int main(void)
{
    for (;;)
        beat++;
}
