#include "plant.h"

enum mode mode = STARTING;
int32_t temp;
uint16_t alarms;
int32_t history[8];

int32_t clamp(int32_t lo, int32_t value, int32_t hi)
{
    if (value < lo)
        return lo;
    if (value > hi)
        return hi;
    return value;
}

/* The mode that follows from the temperature. */
static enum mode next_mode(int32_t now)
{
    if (now < -40 || now > 200)
        return FAULT; /* no room is like that: the sensor is broken */
    switch (mode) {
    case STARTING:
        return now >= 55 ? ARMED : STARTING;
    case ARMED:
        return now > 80 ? COOLING : ARMED;
    case COOLING:
        return now < 65 ? ARMED : COOLING;
    default:
        return FAULT;
    }
}

static void drive(struct zone *zone)
{
    int32_t error = zone->setpoint - zone->reading;
    zone->power = (uint8_t)clamp(0, mode == COOLING ? 0 : 40 + error * 8, 100);
    zone->cold = (uint8_t)clamp(0, mode == COOLING ? 20 - error * 4 : 0, 100);
}

void control(void)
{
    int32_t hottest = -1000;
    for (int i = 0; i < 2; i++) {
        struct zone *zone = &plant.zone[i];
        zone->reading = (int16_t)((zone->reading + sense(i)) / 2);
        if (zone->reading > hottest)
            hottest = zone->reading;
    }
    temp = hottest;
    history[plant.steps & 7] = hottest;
    enum mode next = next_mode(hottest);
    if (next == COOLING && mode != COOLING)
        alarms++;
    mode = next;
    for (int i = 0; i < 2; i++)
        drive(&plant.zone[i]);
}
