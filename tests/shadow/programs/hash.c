/* A hash table and checksums: loops over bytes, arguments that stay in registers, many arguments. */
#include "note.h"

enum { SLOTS = 32 };
static struct slot {
    uint32_t key;
    int16_t count;
} table[SLOTS];
volatile uint32_t seed = 7;
uint32_t collisions;

static inline uint32_t rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

OWN uint32_t hash(const uint8_t *bytes, uint32_t count, uint32_t start)
{
    uint32_t h = start;
    NOTE(h);
    while (count--) {
        h ^= *bytes++;
        h = rotate(h, 5) * 0x9E3779B1u;
        NOTE(h);
    }
    return h;
}

OWN struct slot *find(uint32_t key)
{
    uint32_t at = key % SLOTS;
    NOTE(at);
    for (unsigned tried = 0; tried < SLOTS; tried++) {
        if (!table[at].count || table[at].key == key)
            return &table[at];
        collisions++;
        at = (at + 1) % SLOTS;
        NOTE(at);
    }
    return 0;
}

OWN int mix(int a, int b, int c, int d, int e, int f, int g, int h, int ninth, int tenth)
{
    int first = a * b + c, second = d ^ e ^ f;
    NOTE(first);
    NOTE(second);
    int third = g + h * ninth - tenth;
    NOTE(third);
    return first + second + third;
}

int main(void)
{
    int kept = 0;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t text[4] = {(uint8_t)(seed >> 24), (uint8_t)(i & 7), 3, (uint8_t)(seed >> 27)};
        uint32_t key = hash(text, 4, 2166136261u);
        NOTE(key);
        struct slot *slot = find(key & 63);
        if (!slot)
            continue;
        slot->key = key & 63;
        slot->count++;
        kept += mix(i, (int)key, 3, 4, i, 6, 7, 8, slot->count, kept);
        NOTE(kept);
    }
    return kept & 1;
}
