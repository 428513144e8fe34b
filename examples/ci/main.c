/* Controls a tank, 500 rounds long. */
#include "tank.h"
#include "target.h"

int main(void)
{
    for (int round = 0; round < 500; round++)
        tank_step();
    target_puts("tank: level ");
    target_put_int(tank.level);
    target_puts("\n");
    return 0;
}
