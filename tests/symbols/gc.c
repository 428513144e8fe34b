/* Linked with --gc-sections: procedures that the linker removes, two of them longer than the addresses of the code that
 * stays, so that their rows of the line table lie before, among and after the rows of that. */
volatile int total;
#define ROOM __asm__ volatile(".space 804")

int removed_first(int n);
int removed_first(int n)
{
    total = n;
    ROOM;
    total += 1;
    ROOM;
    total += 2;
    ROOM;
    total += 3;
    ROOM;
    return total;
}

__attribute__((noinline)) static int first(int n) /* @first */
{
    total += n;
    if (n > 3)
        total -= 2;
    return total;
} /* @first_end */

int removed_short(void);
int removed_short(void)
{
    return total;
}

__attribute__((noinline)) static int second(int n) /* @second */
{
    for (int i = 0; i < n; i++)
        total += first(i);
    return total;
} /* @second_end */

int removed_last(int n);
int removed_last(int n)
{
    ROOM;
    ROOM;
    total = n;
    ROOM;
    return total;
}

int main(void) /* @main */
{
    int n = first(1);
    n += second(5);
    return n & 1;
} /* @main_end */
