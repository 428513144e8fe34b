/* The functions of examples/threads/threads.h on POSIX threads: what its programs compute is compared with what they compute here. Shares
 * nothing with the library but their names. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdint.h>

typedef struct thread {
    pthread_t handle;
    void (*body)(void *argument);
    void *argument;
} thread;
thread *thread_create(void (*body)(void *argument), void *argument);
static inline thread *thread_create_priority(void (*body)(void *argument), void *argument, unsigned priority)
{
    (void)priority;
    return thread_create(body, argument);
}
void thread_join(thread *which);
void thread_doall(unsigned count, void (*body)(unsigned index));

typedef pthread_mutex_t mutex;
#define mutex_lock pthread_mutex_lock
#define mutex_unlock pthread_mutex_unlock

typedef pthread_cond_t condition;
#define condition_wait pthread_cond_wait
#define condition_signal pthread_cond_signal
#define condition_broadcast pthread_cond_broadcast

/* All zeros of the first two are what POSIX's initialisers are here. */
typedef struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned count, here, round;
} barrier;
void barrier_wait(barrier *b);

typedef struct semaphore {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned value;
} semaphore;
void semaphore_wait(semaphore *s);
void semaphore_post(semaphore *s);

typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t *room;
    unsigned size, used, next;
} queue;
void queue_send(queue *q, uint32_t word);
uint32_t queue_receive(queue *q);

#endif
