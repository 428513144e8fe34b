/* The demo: a thermostat that looks after two rooms for 600 rounds. Its temperature comes from the random device. */
#include "plant.h"
#include "target.h"

int main(void)
{
    for (int round = 0; round < 600; round++) {
        plant_step();
        control();
    }
    target_puts("thermostat: alarms ");
    target_put_int(alarms);
    target_puts(", temperature ");
    target_put_int(temp);
    target_puts("\n");
    return mode == FAULT;
}
