/* What threads wait for: mutexes, conditions, barriers, semaphores, queues. Who ends a wait hands over what was waited for. */
#include "kernel.h"

#if THREADS_LATE
#include "target.h"
#endif

/* With THREADS_BARGE, who waits looks again when it goes on. Begins and ends with the kernel. */
#define WAIT_WHILE(condition, list) \
    while (condition) { \
        thread_block(list); \
        kernel_enter(); \
    }

/* Gives a mutex to the first that waits for it. With the kernel. */
static void hand_over(mutex *m)
{
    thread *next = list_take(&m->waiting);
    if (THREADS_BARGE || !next)
        m->taken = false;
    if (next)
        thread_ready(next);
}

void mutex_lock(mutex *m)
{
    kernel_enter();
#if THREADS_BARGE
    WAIT_WHILE(m->taken, &m->waiting)
#endif
    if (m->taken) {
        thread_block(&m->waiting);
    } else {
        m->taken = true;
        kernel_leave();
    }
}

void mutex_unlock(mutex *m)
{
    kernel_enter();
    hand_over(m);
    kernel_leave();
}

void condition_wait(condition *c, mutex *m)
{
    kernel_enter();
    thread_self()->wants = m;
    hand_over(m);
    thread_block(&c->waiting);
}

/* A thread that waited for a condition goes on when it has its mutex again. With the kernel. */
static void wake(thread *waiter)
{
    mutex *m = waiter->wants;
    if (m->taken) {
        list_wait(&m->waiting, waiter);
    } else {
        m->taken = true;
        thread_ready(waiter);
    }
}

void condition_signal(condition *c)
{
    kernel_enter();
    thread *waiter = list_take(&c->waiting);
    if (waiter)
        wake(waiter);
    kernel_leave();
}

void condition_broadcast(condition *c)
{
    kernel_enter();
    for (thread *waiter; (waiter = list_take(&c->waiting));)
        wake(waiter);
    kernel_leave();
}

void barrier_wait(barrier *b)
{
    kernel_enter();
    if (++b->here < b->count) {
        thread_block(&b->waiting);
    } else {
        b->here = 0;
        for (thread *waiter; (waiter = list_take(&b->waiting));)
            thread_ready(waiter);
        kernel_leave();
    }
}

void semaphore_wait(semaphore *s)
{
    kernel_enter();
#if THREADS_BARGE
    WAIT_WHILE(!s->value, &s->waiting)
#endif
    if (s->value) {
        s->value--;
        kernel_leave();
    } else {
        thread_block(&s->waiting);
    }
}

void semaphore_post(semaphore *s)
{
    kernel_enter();
    thread *waiter = list_take(&s->waiting);
    if (THREADS_BARGE || !waiter)
        s->value++;
    if (waiter)
        thread_ready(waiter);
    kernel_leave();
}

static void put(queue *q, uint32_t word)
{
    unsigned place = q->next + q->used++;
    q->room[place < q->size ? place : place - q->size] = word;
}

static uint32_t get(queue *q)
{
    uint32_t word = q->room[q->next];
    q->next = q->next + 1 < q->size ? q->next + 1 : 0;
    q->used--;
    return word;
}

#if THREADS_BARGE
void queue_send(queue *q, uint32_t word)
{
    kernel_enter();
    WAIT_WHILE(q->used == q->size, &q->senders)
    put(q, word);
    thread *receiver = list_take(&q->receivers);
    if (receiver)
        thread_ready(receiver);
    kernel_leave();
}

uint32_t queue_receive(queue *q)
{
    kernel_enter();
    WAIT_WHILE(!q->used, &q->receivers)
    uint32_t word = get(q);
    thread *sender = list_take(&q->senders);
    if (sender)
        thread_ready(sender);
    kernel_leave();
    return word;
}
#elif THREADS_LATE
void queue_send(queue *q, uint32_t word)
{
    kernel_enter();
    uint32_t now = TARGET_REGISTER(ES_TARGET_IO_CYCLE);
    if (q->used == q->size) {
        thread_self()->word = word;
        thread_block(&q->senders);
        return;
    }
    late_put(q, now);
    put(q, word);
    kernel_leave();
}

/* There is room again: who waits with an item puts it in. */
static void let_send(queue *q, uint32_t now)
{
    thread *sender = list_take(&q->senders);
    if (!sender)
        return;
    late_put(q, now);
    put(q, sender->word);
    thread_ready(sender);
}

uint32_t queue_receive(queue *q)
{
    kernel_enter();
    uint32_t now = TARGET_REGISTER(ES_TARGET_IO_CYCLE);
    if (!q->arrived) {
        thread_block(&q->receivers);
        return thread_self()->word;
    }
    q->arrived--;
    uint32_t word = get(q);
    let_send(q, now);
    kernel_leave();
    return word;
}

KEPT void queue_arrives(queue *q, uint32_t now)
{
    thread *receiver = list_take(&q->receivers);
    if (!receiver) {
        q->arrived++;
        return;
    }
    receiver->word = get(q);
    thread_ready_here(receiver);
    let_send(q, now);
}
#else
void queue_send(queue *q, uint32_t word)
{
    kernel_enter();
    thread *receiver = list_take(&q->receivers);
    if (receiver) { /* the queue is empty */
        receiver->word = word;
        thread_ready(receiver);
    } else if (q->used < q->size) {
        put(q, word);
    } else {
        thread_self()->word = word;
        thread_block(&q->senders);
        return;
    }
    kernel_leave();
}

uint32_t queue_receive(queue *q)
{
    kernel_enter();
    if (!q->used) {
        thread_block(&q->receivers);
        return thread_self()->word;
    }
    uint32_t word = get(q);
    thread *sender = list_take(&q->senders);
    if (sender) { /* the queue was full */
        put(q, sender->word);
        thread_ready(sender);
    }
    kernel_leave();
    return word;
}
#endif

/* One thread of a doall. */
typedef struct thread_call {
    void (*body)(unsigned index);
    unsigned index;
} thread_call;

static void doall_body(void *argument)
{
    thread_call *call = argument;
    call->body(call->index);
}

void thread_doall(unsigned count, void (*body)(unsigned index))
{
    thread_call calls[THREADS_MAX];
    thread *made[THREADS_MAX];
    for (unsigned i = 0; i < count; i++) {
        calls[i] = (thread_call){body, i};
        made[i] = thread_create(doall_body, &calls[i]);
    }
    for (unsigned i = 0; i < count; i++)
        thread_join(made[i]);
}
