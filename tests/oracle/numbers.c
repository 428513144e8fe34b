/* Values of all types, some not aligned, that take all kinds of values. */
#include <stdint.h>
volatile int64_t big; volatile uint64_t ubig; volatile float fl; volatile double db; volatile int a, b; volatile unsigned u;
struct __attribute__((packed)) odd { uint8_t head; uint32_t word; uint16_t half; int64_t wide; } ;
volatile struct odd odd;
volatile struct bits { long long lo : 20; long long mid : 30; unsigned long long hi : 14; } bits;
volatile int table[8]; volatile short st[6]; volatile unsigned idx;
__attribute__((noipa)) static int64_t f(int n) { volatile int64_t local = n; local = local * 3000000000LL; volatile double d = n; d = d / 2; return local; }
int main(void) {
  for (int i = -6; i < 8; i++) {
    a = i; b = i * i - 3; u = (unsigned)i * 77777u;
    big = (int64_t)i << 33; big += i; ubig = (uint64_t)i * 0x123456789ULL; ubig ^= 1;
    fl = (float)i / 3; db = (double)i * 1e10 + 0.5;
    odd.word = 0x01020304u * i; odd.wide = big * 3; odd.half = i * 300; odd.head = i;
    bits.lo = i * 1000; bits.mid = -i * 99999LL; bits.hi = i + 5;
    idx = i & 15; table[i & 7] = i; st[(i + 6) % 6] = i * 5;
    f(i);
  }
  fl = 0.0f; fl = -0.0f; fl = 0.0f / fl; db = 1.0 / 0.0; db = -db; db = 0.0 * db;
  return 0;
}
