/* One program that is built in many ways: debug information of each kind has to lead to the same hits, or messages have to
 * say what is missing. */
#include "queue.h"

void other(void);

queue_t queue;
struct queue *direct;
struct nothing *nothing;
struct mode *mode;
volatile int total;
volatile struct pair {
    int a, b;
} pair;
static int hidden = 1;

__attribute__((noinline)) static int work(int v)
{
    static volatile int calls;
    calls++;
    pair.a = v;
    total += v;
    return hidden++ + queue_turn();
}

int main(void)
{
    int sum = 0;
    queue = queue_make();
    direct = queue;
    nothing = (struct nothing *)queue;
    mode = queue_mode();
    for (int i = 0; i < 5; i++) {
        queue_put(queue, i);
        sum += work(i);
    }
    other();
    return sum == 0;
}
