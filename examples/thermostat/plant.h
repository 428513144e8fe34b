/* A room with a heater and a cooler, and the controller that keeps its temperature. */
#ifndef PLANT_H
#define PLANT_H

#include <stdbool.h>
#include <stdint.h>

enum mode { STARTING, ARMED, COOLING, FAULT };

struct zone {
    int16_t setpoint; /* degrees */
    int16_t reading;  /* degrees, smoothed */
    uint8_t power;    /* heater, 0 to 100 % */
    uint8_t cold;     /* cooler, 0 to 100 % */
};

struct plant {
    struct zone zone[2]; /* 0: living room, 1: server room */
    int32_t heat[2];     /* 1/256 degrees: what the rooms really are like */
    uint32_t steps;
};

extern struct plant plant;
extern enum mode mode;
extern int32_t temp;      /* degrees: the hotter of the two zones */
extern uint16_t alarms;   /* times that control() went to COOLING */
extern int32_t history[8];

/* Lets a tenth of a second of the room's life pass: heat comes in, heat leaks out, the sun shines now and then. */
void plant_step(void);

/* What the sensor of a zone says, in degrees: the truth and some noise. */
int32_t sense(int index);

/* One round of the controller: reads the sensors, decides on the mode, sets the power of each zone. */
void control(void);

/* value, or the bound that it exceeds. */
int32_t clamp(int32_t lo, int32_t value, int32_t hi);

#endif
