/* Calls and lines whose instructions begin in the middle of a word, once compiled with compressed instructions. After a line stands how often it
 * is executed. */
#include "target.h"

volatile int sum, last;

__attribute__((noinline)) void leaf(int by)
{
    sum += by; // 18
}

__attribute__((noinline)) void tail(int by)
{
    last = by; // 6
}

__attribute__((noinline)) void twice(int by)
{
    leaf(by);     // 6
    leaf(by + 1); // 6
    tail(by);
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        leaf(i);  // 6
        twice(i); // 6
    }
    return sum != 51; // 1
}
