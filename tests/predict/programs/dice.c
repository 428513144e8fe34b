/* Ways that depend on what nobody can know beforehand: each player throws dice and does what they say, through calls of all kinds. */
#include "threads.h"
#include "work.h"

#ifndef PLAYERS
#define PLAYERS 4u
#endif
#ifndef ROUNDS
#define ROUNDS 12u
#endif

static mutex tables[3];
static queue won = {.room = (uint32_t[3]){0}, .size = 3};
static semaphore chairs = {.value = 2};
static barrier evening = {.count = PLAYERS};
static uint32_t banks[3];

static uint32_t add(uint32_t a, uint32_t b)
{
    return a + b;
}

static uint32_t mixed(uint32_t a, uint32_t b)
{
    return churn(a ^ b, b % 5);
}

/* Recursive, with a loop in it. */
static uint32_t fold(uint32_t x, unsigned depth)
{
    uint32_t sum = x & 7;
    while (x > 9 && depth) {
        sum += fold(x / 10, depth - 1);
        x >>= 3;
    }
    return sum;
}

static uint32_t (*const ways[])(uint32_t, uint32_t) = {add, mixed, add};

static uint32_t turn(uint32_t dice)
{
    switch (dice % 7) {
    case 0: return fold(dice % 4000, 3);
    case 1: return dice * 3;
    case 2: return add(dice, 1) ^ 5;
    case 3: return dice / 3;
    case 4: return dice % 11 ? dice : 17;
    default: return ways[dice % 3](dice, 9);
    }
}

static void player(unsigned index)
{
    (void)index;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t dice = target_random() >> 4;
        unsigned table = dice % 3;
        if (dice & 8)
            semaphore_wait(&chairs);
        mutex_lock(&tables[table]);
        banks[table] += turn(dice);
        mutex_unlock(&tables[table]);
        if (dice & 8)
            semaphore_post(&chairs);
        else
            queue_send(&won, dice);
    }
    barrier_wait(&evening);
    queue_send(&won, 0);
}

static void collector(void *argument)
{
    unsigned left = PLAYERS;
    uint32_t *sum = argument;
    while (left) {
        uint32_t word = queue_receive(&won);
        if (word)
            *sum = mixed(*sum, word);
        else
            left--;
    }
}

int main(void)
{
    uint32_t sum = 0;
    thread *other = thread_create(collector, &sum);
    thread_doall(PLAYERS, player);
    thread_join(other);
    return report(sum ^ banks[0] ^ banks[1] ^ banks[2]);
}
