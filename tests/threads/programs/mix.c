/* Everything that threads can wait for, in an order that differs from thread to thread. What is computed does not depend on who comes first. */
#include "threads.h"
#include "work.h"

#ifndef THREADS
#define THREADS 5
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef WORK
#define WORK 10
#endif
#ifndef ROOM
#define ROOM 2
#endif
#define LAST 0xFFFFFFFFu

static uint32_t total, served, inside, wrong;
static unsigned turn;
static mutex lock, turn_lock;
static condition turned;
static barrier meet = {.count = THREADS};
static semaphore two = {.value = 2};
static uint32_t room[ROOM];
static queue requests = {.room = room, .size = ROOM};

static void add(uint32_t number)
{
    mutex_lock(&lock);
    total += number;
    mutex_unlock(&lock);
}

static void child(void *argument)
{
    add(churn(*(uint32_t *)argument, WORK));
}

/* At most two at a time. */
static void pass_gate(uint32_t own)
{
    semaphore_wait(&two);
    mutex_lock(&lock);
    wrong += ++inside > 2;
    mutex_unlock(&lock);
    own = churn(own, WORK);
    mutex_lock(&lock);
    inside--;
    total += own;
    mutex_unlock(&lock);
    semaphore_post(&two);
}

/* In the order of the threads' numbers, each once in a round. */
static void take_turn(unsigned index)
{
    mutex_lock(&turn_lock);
    while (turn % THREADS != index)
        condition_wait(&turned, &turn_lock);
    turn++;
    total = total * 3 + turn; /* nobody else adds between two barriers */
    condition_broadcast(&turned);
    mutex_unlock(&turn_lock);
}

static void worker(unsigned index)
{
    uint32_t own = index * 77 + 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (int step = 0; step < 4; step++) {
            own = churn(own, WORK * (1 + index % 3));
            switch (own >> 20 & 3) {
            case 0: add(own); break;
            case 1: pass_gate(own); break;
            case 2: queue_send(&requests, own & 0xFFFF); break;
            default: {
                uint32_t for_child = own;
                thread_join(thread_create(child, &for_child));
            }
            }
        }
        barrier_wait(&meet);
        take_turn(index);
        barrier_wait(&meet);
    }
}

static void server(void *argument)
{
    (void)argument;
    for (uint32_t request; (request = queue_receive(&requests)) != LAST;)
        served += churn(request, WORK);
}

int main(void)
{
    thread *serves = thread_create(server, 0);
    thread_doall(THREADS, worker);
    queue_send(&requests, LAST);
    thread_join(serves);
    return wrong ? 1 : report(total * 31 + served);
}
