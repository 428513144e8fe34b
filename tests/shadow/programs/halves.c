/* Numbers of 64 bits in pairs of registers, of which one instruction sets a half: sums with carries, in place and not;
 * pairs of which a half is needed for something else (gcc says for a while that the number is still there); numbers that
 * debug information has in registers before anything has set these. */
#include <stdint.h>

volatile int in = 3;
volatile uint32_t low = 0xFFFFFFF0u, high = 1;
volatile int64_t told;
int data[6] = {1, -2000000000, 2000000000, 5, -7, 2147483647};

#define OWN __attribute__((noinline))

OWN uint64_t generate(int n)
{
    uint64_t s = (uint64_t)in;
    for (int i = 0; i < n; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        told = (int64_t)s;
    }
    return s;
}

OWN int64_t add_up(const int *p, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
        told = sum;
        sum += (int64_t)p[i] << 20;
    }
    told = sum;
    return sum;
}

OWN uint64_t read_timer(void)
{
    uint64_t now = (uint64_t)high << 32 | low;
    told = (int64_t)now;
    now += 1000;
    told = (int64_t)now;
    now -= (uint64_t)in;
    told = (int64_t)now;
    return now;
}

OWN int64_t mix(int a, uint32_t b, int64_t c)
{
    int64_t m = (int64_t)a * b;
    told = m;
    m += c;
    told = m;
    m >>= 3;
    told = m;
    if (m < 0)
        m = -m;
    told = m;
    return m;
}

OWN int64_t nest(int64_t w, int n)
{
    w = w * 1000003 + n;
    told = w;
    if (n)
        w ^= nest(w, n - 1);
    told = w;
    return w;
}

OWN double average(const int *p, int n)
{
    double m = 0;
    for (int i = 0; i < n; i++)
        m += (p[i] - m) / (i + 1);
    return m;
}

int main(void)
{
    int64_t sum = (int64_t)generate(6) + add_up(data, 6);
    for (int i = 0; i < 3; i++)
        sum += (int64_t)read_timer();
    sum += mix(-in, 0x80000001u, 1234567890123) + mix(in, 3, -1000) + nest(in, 4);
    return (sum + (int64_t)average(data, 6)) & 0x7F;
}
