/* Optimised code: procedures that are inlined, in whole or their head only, and copied for some of their arguments. Each
 * counts its calls, so that the number of calls is known, whatever becomes of it. */
volatile int calls_of_scale, calls_of_partly, calls_of_spin, calls_of_clone, calls_of_nested;
volatile int sum, input = 3;
volatile int table[16];

/* inlined at both of its calls, and kept, as its address is taken */
static inline int scale(int v)
{
    calls_of_scale++; /* @scale */
    sum += v; /* @scale_next */
    return v * 3 + sum;
}
int (*volatile kept)(int) = scale;

/* its head is inlined, what remains is partly.part.0 */
static int partly(int v)
{
    calls_of_partly++; /* @partly */
    if (v < 3) /* @partly_if */
        return v;
    for (int i = 0; i < v; i++) {
        table[i & 15] += v;
        sum += table[(i * 3) & 15] * v;
        table[(i + 5) & 15] ^= sum;
        sum -= table[(i * 7) & 15] + (sum >> 3);
        table[(i + 9) & 15] -= sum * 5;
    }
    return sum;
}

/* inlined; a loop that begins soon */
static inline void spin(volatile int *p)
{
    calls_of_spin++; /* @spin */
    do
        (*p)--; /* @spin_loop */
    while (*p > 0);
}

/* copied for one value of mode: clone.constprop.0 */
__attribute__((noinline)) static int clone(int v, int mode)
{
    calls_of_clone++; /* @clone */
    if (mode == 7)
        return v + sum;
    sum += mode;
    return v - sum;
}

/* inlined, with another inlined one in it */
static inline int nested(int v)
{
    calls_of_nested++; /* @nested */
    return scale(v) + 1;
}

__attribute__((noinline)) int user(int n)
{
    int result = scale(n) + partly(n); /* @user */
    if (n & 1)
        result += nested(n + 1); /* @user_odd */
    return result;
}

int main(void)
{
    int result = 0;
    for (int i = 0; i < 8; i++) {
        result += user(i);
        table[0] = i;
        spin(table);
        result += partly(input) + clone(result, 7);
    }
    result += kept(1);
    return result == 0;
}
