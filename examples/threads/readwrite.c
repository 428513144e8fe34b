/* Readers and writers of a table: any number of readers, or one writer, who goes first when one waits. Readers find the table as a writer
 * left it, never in between. How often somebody waits depends on time; what the table is in the end does not. */
#include "threads.h"
#include "work.h"

#ifndef READERS
#define READERS 4
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif
#ifndef WORK
#define WORK 100
#endif
#define TABLE 8

static mutex lock;
static condition may_read, may_write;
static unsigned readers, writers, writers_wait;
static uint32_t table[TABLE];
static uint32_t torn, reads;
static uint32_t results[READERS + WRITERS];

static void begin_read(void)
{
    mutex_lock(&lock);
    while (writers || writers_wait)
        condition_wait(&may_read, &lock);
    readers++;
    mutex_unlock(&lock);
}

static void end_read(uint32_t wrong)
{
    mutex_lock(&lock);
    torn += wrong;
    reads++;
    if (--readers == 0)
        condition_signal(&may_write);
    mutex_unlock(&lock);
}

static void begin_write(void)
{
    mutex_lock(&lock);
    writers_wait++;
    while (readers || writers)
        condition_wait(&may_write, &lock);
    writers_wait--;
    writers = 1;
    mutex_unlock(&lock);
}

static void end_write(void)
{
    mutex_lock(&lock);
    writers = 0;
    condition_signal(&may_write);
    if (!writers_wait)
        condition_broadcast(&may_read);
    mutex_unlock(&lock);
}

/* All places of the table hold the same number. */
static void reader(unsigned index)
{
    uint32_t own = index;
    for (int i = 0; i < ROUNDS; i++) {
        own = churn(own, WORK + 10 * index);
        begin_read();
        uint32_t wrong = 0;
        for (int place = 0; place < TABLE; place++) {
            wrong += table[place] != table[0];
            own = churn(own, WORK / 8);
        }
        end_read(wrong);
    }
    results[index] = own;
}

static void writer(unsigned index)
{
    uint32_t own = index + 100, other = own;
    for (int i = 0; i < ROUNDS; i++) {
        own = churn(own, 2 * WORK);
        begin_write();
        for (int place = 0; place < TABLE; place++) {
            table[place] += own;
            other = churn(other, WORK / 8);
        }
        end_write();
    }
    results[READERS + index] = other;
}

static void anybody(unsigned index)
{
    if (index < READERS)
        reader(index);
    else
        writer(index - READERS);
}

int main(void)
{
    thread_doall(READERS + WRITERS, anybody);
    uint32_t sum = table[0];
    for (int i = 0; i < READERS + WRITERS; i++)
        sum = sum * 31 + results[i];
    return !torn && reads == READERS * ROUNDS ? report(sum) : 1;
}
