/* Successive overrelaxation: the temperature of a plate whose border is held at given temperatures. The plate's points are coloured like a
 * chessboard; a point's new value depends on points of the other colour alone, so all of one colour may be computed at the same time. Each
 * thread has a band of rows, and a barrier stands between the colours. It ends when no point has changed by more than EPSILON.
 *
 * Numbers have 12 bits after the point. */
#include "threads.h"
#include "work.h"

#ifndef THREADS
#define THREADS 4
#endif
#ifndef SIZE
#define SIZE 18 /* rows and columns, the border included */
#endif
#ifndef SWEEPS
#define SWEEPS 12 /* at most */
#endif
#ifndef EPSILON
#define EPSILON 16
#endif
#define ONE 4096
#define OMEGA 6144 /* 1.5 */

static int32_t plate[SIZE][SIZE];
static int32_t largest; /* change of this sweep so far */
static int done, sweeps;
static mutex lock;
static barrier meet = {.count = THREADS};

static int32_t relax(int row, int colour)
{
    int32_t most = 0;
    for (int column = 1 + (row + colour) % 2; column < SIZE - 1; column += 2) {
        int32_t old = plate[row][column];
        int32_t mean = (plate[row - 1][column] + plate[row + 1][column] + plate[row][column - 1] + plate[row][column + 1]) / 4;
        int32_t change = OMEGA * (mean - old) / ONE;
        plate[row][column] = old + change;
        change = change < 0 ? -change : change;
        most = change > most ? change : most;
    }
    return most;
}

static void band(unsigned index)
{
    int first = 1 + (int)index * (SIZE - 2) / THREADS, end = 1 + ((int)index + 1) * (SIZE - 2) / THREADS;
    while (!done) {
        int32_t most = 0;
        for (int colour = 0; colour < 2; colour++) {
            for (int row = first; row < end; row++) {
                int32_t change = relax(row, colour);
                most = change > most ? change : most;
            }
            barrier_wait(&meet);
        }
        mutex_lock(&lock);
        largest = most > largest ? most : largest;
        mutex_unlock(&lock);
        barrier_wait(&meet);
        if (index == 0) {
            done = largest <= EPSILON || ++sweeps == SWEEPS;
            largest = 0;
        }
        barrier_wait(&meet);
    }
}

int main(void)
{
    for (int i = 0; i < SIZE; i++) {
        plate[0][i] = 100 * ONE;
        plate[i][0] = i * ONE;
    }
    thread_doall(THREADS, band);
    uint32_t sum = (uint32_t)sweeps;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            sum = sum * 31 + (uint32_t)plate[row][column];
    return report(sum);
}
