#include "queue.h"

enum order { FIRST, LAST = 4 };
struct queue {
    int waiting;
    struct queue *next;
    unsigned char level : 3;
    enum order order;
};
struct mode { int speed; };
static struct queue one = { 1, 0, 2, LAST };
static struct mode fast = { 7 };
static int hidden = 3;

queue_t queue_make(void)
{
    one.next = &one;
    return &one;
}
struct mode *queue_mode(void)
{
    return &fast;
}
void queue_put(queue_t queue, int n)
{
    queue->waiting += n;
    queue->level++;
}
int queue_turn(void)
{
    return hidden++;
}
