#include "plant.h"
#include "target.h"

struct plant plant = {
    .zone = { { .setpoint = 60, .reading = 20 }, { .setpoint = 70, .reading = 20 } },
    .heat = { 20 << 8, 20 << 8 },
};

void plant_step(void)
{
    for (int i = 0; i < 2; i++) {
        int32_t gain = plant.zone[i].power * 6 - plant.zone[i].cold * 8;
        int32_t loss = (plant.heat[i] - (18 << 8)) >> 5;
        if ((target_random() & 31) == 0)
            gain += 18 << 8; /* somebody opens the oven, or starts a big job */
        plant.heat[i] += gain - loss;
    }
    plant.steps++;
}

int32_t sense(int index)
{
    int32_t noise = (int32_t)(target_random() & 255) - 128;
    return (plant.heat[index] + noise) >> 8;
}
