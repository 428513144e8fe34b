#include "threads.h"

#include <stdlib.h>

static void *begin(void *context)
{
    thread *self = context;
    self->body(self->argument);
    return NULL;
}

thread *thread_create(void (*body)(void *argument), void *argument)
{
    thread *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->body = body;
    self->argument = argument;
    if (pthread_create(&self->handle, NULL, begin, self))
        abort();
    return self;
}

void thread_join(thread *which)
{
    pthread_join(which->handle, NULL);
    free(which);
}

typedef struct call {
    void (*body)(unsigned index);
    unsigned index;
} call;

static void one(void *argument)
{
    const call *it = argument;
    it->body(it->index);
}

void thread_doall(unsigned count, void (*body)(unsigned index))
{
    thread *made[256];
    call calls[256];
    for (unsigned i = 0; i < count; i++) {
        calls[i] = (call){body, i};
        made[i] = thread_create(one, &calls[i]);
    }
    for (unsigned i = 0; i < count; i++)
        thread_join(made[i]);
}

void barrier_wait(barrier *b)
{
    pthread_mutex_lock(&b->lock);
    unsigned round = b->round;
    if (++b->here == b->count) {
        b->here = 0;
        b->round++;
        pthread_cond_broadcast(&b->changed);
    }
    while (b->round == round)
        pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

void semaphore_wait(semaphore *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->value)
        pthread_cond_wait(&s->changed, &s->lock);
    s->value--;
    pthread_mutex_unlock(&s->lock);
}

void semaphore_post(semaphore *s)
{
    pthread_mutex_lock(&s->lock);
    s->value++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void queue_send(queue *q, uint32_t word)
{
    pthread_mutex_lock(&q->lock);
    while (q->used == q->size)
        pthread_cond_wait(&q->changed, &q->lock);
    q->room[(q->next + q->used++) % q->size] = word;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

uint32_t queue_receive(queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->used)
        pthread_cond_wait(&q->changed, &q->lock);
    uint32_t word = q->room[q->next];
    q->next = (q->next + 1) % q->size;
    q->used--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return word;
}
