#include "tank.h"

#include "target.h"

struct tank tank = {.level = 500};
volatile uint32_t watchdog;

static int32_t measure(int32_t before)
{
    int32_t noise = (int32_t)(target_random() & 7) - 4;
    int32_t flow = (tank.fill ? 22 : 0) - (tank.drain ? 31 : 0);
    return before + flow + noise;
}

/* The valve that is to close goes first: both must never be open at the same time. */
static void move_valves(bool fill, bool drain)
{
    if (!fill)
        tank.fill = false;
    tank.drain = drain;
    if (fill)
        tank.fill = true;
}

static enum tank_state decide(int32_t level)
{
    if (level >= TANK_FULL)
        return TANK_DRAINING;
    if (level <= TANK_LOW || tank.state == TANK_STARTING)
        return TANK_FILLING;
    return tank.state;
}

void tank_step(void)
{
    tank.level = measure(tank.level);
    tank.state = decide(tank.level);
    move_valves(tank.state == TANK_FILLING, tank.state == TANK_DRAINING);
    tank.steps++;
    watchdog++;
}
