/* Stencil: every core has a strip of cells; in each step neighbours swap their border cells, all compute, and a barrier ends the step. */
#include "work.h"

#ifndef STEPS
#define STEPS 12u
#endif
#define CELLS 6u

static uint32_t cells[CELLS + 2]; /* the first and the last belong to the neighbours */

static void swap_borders(unsigned self, unsigned cores)
{
    if (self > 0)
        mp_async_send(self - 1, cells[1]);
    if (self + 1 < cores)
        mp_async_send(self + 1, cells[CELLS]);
    if (self > 0)
        cells[0] = mp_recv(self - 1);
    if (self + 1 < cores)
        cells[CELLS + 1] = mp_recv(self + 1);
}

int main(void)
{
    unsigned self = mp_core(), cores = mp_cores();
    for (unsigned i = 1; i <= CELLS; i++)
        cells[i] = 1000 * self + i;
    for (unsigned step = 0; step < STEPS; step++) {
        swap_borders(self, cores);
        uint32_t left = cells[0];
        for (unsigned i = 1; i <= CELLS; i++) {
            uint32_t own = cells[i];
            cells[i] = (left + 2 * own + cells[i + 1]) / 4;
            left = own;
            MARK_STEP(MARK_WORK_STEP, cells[i]);
        }
        work(cells[1], some_steps(step + 3 * self, 1, 16));
        MARK_ITEM(MARK_RESULT, step);
        mp_barrier();
    }
    return 0;
}
