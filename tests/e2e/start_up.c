/* What start-up code makes of memory is no event, what constructors do is. Each line on the console is one assignment of
 * the program's, in its order. */
#include <string.h>

#include "target.h"

struct item { int id, seen; };

int swaps;                          /* cleared */
int level = 7;                      /* copied, where start-up code copies */
volatile int quiet;                 /* cleared, and never written */
struct item first = {1, 5}, second = {2, 6};
struct item *current = &first;
char text[8];

static void tell(const char *what, int value)
{
    target_puts(what);
    target_put_int(value);
    target_puts("\n");
}

__attribute__((constructor)) static void prepare(void)
{
    level = 8;
    tell("level ", level);
}

__attribute__((constructor)) static void prepare_more(void)
{
    memset(text, 'a', sizeof text); /* called by the program, not by start-up code */
    tell("text ", text[0]);
    swaps = 16;
    tell("swaps ", swaps);
}

int main(void)
{
    level++;
    tell("level ", level);
    swaps += 15;
    tell("swaps ", swaps);
    swaps++;
    tell("swaps ", swaps);
    current->seen = 9;
    tell("seen ", current->seen);
    current = &second;
    tell("seen ", current->seen);
    return 0;
}
