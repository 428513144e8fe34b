/* Structs that are assigned as a whole: member by member, and by memcpy. */
#include <string.h>
struct point {
    int x, y;
    short tag;
    char kind;
};
struct big {
    int head;
    int body[12];
    int last;
};
struct point here, next;
struct big store, made;
int done;
__attribute__((noinline)) static void step(int n)
{
    next = (struct point){n, 2 * n, (short)(3 * n), (char)n};
    here = next;
    for (int i = 0; i < 12; i++)
        made.body[i] = n + i;
    made.head = n;
    made.last = -n;
    store = made;
}
int main(void)
{
    for (int n = 1; n < 6; n++)
        step(n);
    memcpy(&store, &made, sizeof store);
    done = 1;
    return 0;
}
