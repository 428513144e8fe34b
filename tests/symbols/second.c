/* The second file of the test program: same names as in the first. */
#include <stdint.h>

enum { SECOND_LIMIT = 12 };

static int hidden = 5; /* @hidden */
int incomplete[4] = { 1, 2 };
extern int incomplete[];
static int clamp(int value, int lo, int hi)
{
    int result = value + hidden;
    return result < lo ? lo : result > hi ? hi : result;
}

int second_run(int n);
int second_run(int n)
{
    int result = clamp(n, 1, SECOND_LIMIT);
    hidden = result;
    return result;
}
