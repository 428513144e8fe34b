/* Code of all kinds, as compilers make it of C: the same sums on every processor. */
#include "show.h"

typedef struct node {
    struct node *left, *right;
    int32_t key;
} node;

static node nodes[64];
static int16_t halves[97];
static uint8_t bytes[131];
static volatile uint32_t seed = 12345;

static uint32_t next(void)
{
    return seed = seed * 1664525u + 1013904223u;
}

static uint32_t crc(const uint8_t *at, uint32_t size)
{
    uint32_t sum = ~0u;
    while (size--) {
        sum ^= *at++;
        for (int i = 0; i < 8; i++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return ~sum;
}

static node *insert(node *root, node *leaf)
{
    if (!root)
        return leaf;
    if (leaf->key < root->key)
        root->left = insert(root->left, leaf);
    else
        root->right = insert(root->right, leaf);
    return root;
}

static uint32_t walk(const node *root, uint32_t depth)
{
    return root ? (uint32_t)root->key * depth + walk(root->left, depth + 1) + 3 * walk(root->right, depth + 1) : depth;
}

static uint32_t trees(void)
{
    node *root = 0;
    for (uint32_t i = 0; i < 64; i++) {
        nodes[i] = (node){0, 0, (int32_t)next() >> 20};
        root = insert(root, &nodes[i]);
    }
    return walk(root, 1);
}

static void sort(int16_t *from, int16_t *to)
{
    if (from >= to)
        return;
    int16_t *low = from, *high = to, middle = from[(to - from) / 2];
    while (low <= high) {
        for (; *low < middle; low++)
            continue;
        for (; *high > middle; high--)
            continue;
        if (low <= high) {
            int16_t other = *low;
            *low++ = *high;
            *high-- = other;
        }
    }
    sort(from, high);
    sort(low, to);
}

static uint32_t sorted(void)
{
    for (unsigned i = 0; i < 97; i++)
        halves[i] = (int16_t)(next() >> 13);
    sort(halves, halves + 96);
    uint32_t sum = 0;
    for (unsigned i = 0; i < 97; i++)
        sum = sum * 31 + (uint16_t)halves[i];
    return sum;
}

/* Multiplication and division of all widths, with the values that are special. */
static uint32_t numbers(void)
{
    static const int32_t edges[] = {0, 1, -1, 2, -2, 7, 10, -10, 0x7FFFFFFF, -0x7FFFFFFF - 1, 0x10000, 0x12345678};
    enum { EDGES = sizeof edges / sizeof *edges };
    uint32_t sum = 0;
    for (unsigned i = 0; i < EDGES; i++)
        for (unsigned j = 0; j < EDGES; j++) {
            int32_t a = edges[i], b = edges[j];
            uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
            sum = (sum << 3 | sum >> 29) + ua * ub;
            sum ^= (uint32_t)((int64_t)a * b >> 32) + (uint32_t)((uint64_t)ua * ub >> 32);
            sum += (uint32_t)((int64_t)a * ub >> 32);
            if (b != 0 && b != -1)
                sum ^= (uint32_t)(a / b) * 17 + (uint32_t)(a % b);
            if (ub)
                sum += (ua / ub ^ ua % ub) + (uint32_t)((0x123456789ABCDEF0u ^ ua) / ub);
        }
    return sum;
}

static uint32_t add(uint32_t a, uint32_t b)
{
    return a + b;
}
static uint32_t turn(uint32_t a, uint32_t b)
{
    return a << (b & 31) | a >> (-b & 31);
}
static uint32_t mix(uint32_t a, uint32_t b)
{
    return (a ^ b) * 2654435761u;
}

static uint32_t called(void)
{
    static uint32_t (*const functions[])(uint32_t, uint32_t) = {add, turn, mix};
    uint32_t sum = 1;
    for (uint32_t i = 0; i < 200; i++) {
        sum = functions[next() >> 16 & 1 ? i % 3 : 2](sum, i);
        switch (sum >> 28) { /* a jump table */
        case 0: sum += 3; break;
        case 1: sum ^= 0x55; break;
        case 2: sum = ~sum; break;
        case 3: sum -= i; break;
        case 4: sum *= 3; break;
        case 5: sum >>= 1; break;
        case 6: sum |= 1; break;
        case 9: sum = (uint32_t)((int32_t)sum >> 3); break;
        case 12: sum = (uint32_t)(int8_t)sum; break;
        default: break;
        }
    }
    return sum;
}

static uint32_t many(uint32_t a, uint8_t b, int16_t c, uint64_t d, int8_t e, uint32_t f, uint32_t g, uint32_t h,
                     uint32_t i)
{
    return a + b * 3u + (uint32_t)c * 5 + (uint32_t)(d >> 7) + (uint32_t)e * 11 + f / (g | 1) + h % (i | 1);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(next() >> 24);
    show("crc", crc(bytes, sizeof bytes));
    show("trees", trees());
    show("sorted", sorted());
    show("numbers", numbers());
    show("called", called());
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t a = next(), c = next(), d = next();
        sum += many(a, (uint8_t)i, (int16_t)c, (uint64_t)d << 20, (int8_t)a, c ^ d, i, ~a, sum);
    }
    show("many", sum);
    show("seed", seed);
    return 0;
}
