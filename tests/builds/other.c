#include "queue.h"

struct mode { short speed, limit; };
struct mode slow;

void other(void);
void other(void)
{
    slow.speed++;
}
