/* Runs for ever and counts: slowly enough to be looked at. */
#include "target.h"

volatile int tick, never;
volatile int 温度;
volatile int größe_des_überlaufbehälters_im_erdgeschoss;

int main(void)
{
    for (int i = 0;; i++) {
        for (volatile int k = 0; k < 1500; k++)
            ;
        tick = i;
        温度 = i & 7;
        größe_des_überlaufbehälters_im_erdgeschoss = i;
        if (i < 0)
            never = 1;
    }
}
