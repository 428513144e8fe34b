/* A program with much of libc and libgcc in it, which bring names of their own. */
#include <stdio.h>
#include <stdlib.h>

volatile long long total = 1000000000000;
volatile double ratio = 2.5;
int free_count;

static unsigned scale(unsigned by)
{
    unsigned q0 = by * 3, r = q0 + 1; /* names that libgcc's division uses */
    return q0 + r;
}

int main(void)
{
    void *volatile block = malloc(10);
    total = total / 7 + scale(3);
    ratio = ratio * 1.5 + (double)total;
    printf("%d %f\n", (int)total, ratio);
    free(block);
    free_count++;
    return 0;
}
