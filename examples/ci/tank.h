/* A tank with a valve that fills it and one that drains it. */
#ifndef TANK_H
#define TANK_H

#include <stdbool.h>
#include <stdint.h>

#define TANK_FULL 900 /* litres: the controller drains from here on, ... */
#define TANK_LOW 300  /* ... and fills from here on */

/* The order in which valves move matters, also when nothing in the program looks at them in between. */
#ifndef VALVE
#define VALVE volatile bool
#endif

enum tank_state { TANK_STARTING, TANK_FILLING, TANK_DRAINING };

struct tank {
    enum tank_state state;
    VALVE fill, drain; /* they are open */
    int32_t level;     /* litres, as measured */
    uint32_t steps;
};

extern struct tank tank;
extern volatile uint32_t watchdog; /* counts the steps: a dog that is not fed bites */

/* One round: measure, decide, move the valves. */
void tank_step(void);

#endif
