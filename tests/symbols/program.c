/* The program whose symbols are tested. Line numbers are found by the marks "@name" in comments; the tables hold what
 * the compiler itself says of sizes and offsets. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "target.h"

enum mode { OFF, IDLE = 3, ARMED, BROKEN = -2 };
typedef enum { RED, GREEN = 200, BLUE = 0x80000001u } colour;
typedef struct { uint8_t low, high; } pair;
typedef int vector[3];
typedef void handler(int);

struct plant {
    int16_t temp[3];
    enum mode mode;
    pair limits;
    struct plant *next;
    union {
        uint32_t word;
        struct { uint16_t first, second; };
    };
    const char *name;
    double exact;
    float rough;
    bool valid;
};

struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned c : 22;
    uint8_t d : 4;
    uint8_t e : 4;
    uint16_t f : 9;
    uint16_t g : 9;
    bool h : 1;
    enum mode i : 6;
};

struct __attribute__((packed)) tight {
    uint8_t head;
    uint32_t value;
    unsigned x : 5;
    unsigned y : 13;
    uint16_t tail;
};

struct plant plant = { .temp = { 1, -2, 3 }, .name = "plant", .valid = true };
volatile enum mode mode = ARMED;
colour paint = GREEN;
struct bits bits;
struct tight tight;
int matrix[2][3][4];
vector vectors[5];
pair *pair_pointer;
const char *text = "text";
int (*operation)(int);
handler *on_event;
int (*row_pointer)[4];
char letter = 'x';
signed char signed_letter;
uint8_t byte;
int64_t wide = -1;
unsigned long long wider;
extern int incomplete[];
extern uint32_t asm_word;
extern char __stack_top[];
static int16_t hidden = -7; /* @hidden */
static int16_t *volatile hidden_pointer = &hidden;

#define OFFSET(type, member) offsetof(type, member), sizeof(((type *)0)->member)
__attribute__((used)) const uint32_t plant_table[] = {
    OFFSET(struct plant, temp), OFFSET(struct plant, mode), OFFSET(struct plant, limits), OFFSET(struct plant, next),
    OFFSET(struct plant, name), OFFSET(struct plant, exact), OFFSET(struct plant, rough), OFFSET(struct plant, valid),
    sizeof(struct plant),
};
__attribute__((used)) const uint32_t tight_table[] = {
    OFFSET(struct tight, head), OFFSET(struct tight, value), OFFSET(struct tight, tail), sizeof(struct tight),
};
/* Each bit-field of one instance all ones: where it lies, in the compiler's own words. */
__attribute__((used)) const struct bits bits_a = { .a = 7 }, bits_b = { .b = -1 }, bits_c = { .c = 0x3FFFFF },
                                        bits_d = { .d = 15 }, bits_e = { .e = 15 }, bits_f = { .f = 511 },
                                        bits_g = { .g = 511 }, bits_h = { .h = 1 }, bits_i = { .i = -1 };
__attribute__((used)) const struct tight tight_x = { .x = 31 }, tight_y = { .y = 8191 };

int second_run(int n);
void asm_leaf(void);

static int clamp(int value, int lo, int hi) /* @clamp */
{
    static int calls; /* @calls */
    calls++;
    int result = value;
    if (result < lo)
        result = lo;
    if (result > hi)
        result = hi;
    return result;
}

int factorial(int n)
{
    if (n < 2)
        return 1;
    return n * factorial(n - 1);
}

int odd(int n);
int even(int n)
{
    return n == 0 ? 1 : odd(n - 1) + (int)byte;
}
int odd(int n)
{
    return n == 0 ? 0 : even(n - 1) + (int)byte;
}

static int twice(int x) /* only called through a pointer */
{
    return 2 * x;
}

__attribute__((noinline)) int varying(int n)
{
    char room[n]; /* @room */
    memset(room, n, (size_t)n);
    return room[n - 1] + clamp(n, 0, 3);
}

__attribute__((noinline)) int large(int n)
{
    char room[6000];
    memset(room, n, sizeof room);
    return room[n] + clamp(n, 1, 2);
}

__attribute__((noinline)) int blocks(int n)
{
    int sum = 0;
    if (n & 1) {
        char first[64];
        memset(first, n, sizeof first);
        sum += first[n & 63];
    } else {
        char other[64];
        memset(other, n + 1, sizeof other);
        sum += other[n & 63];
    }
    for (int i = 0; i < n; i++) {
        int inner = i * n;
        sum += inner;
    }
    return sum;
}

__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, int ninth, pair small,
                                   struct plant big)
{
    return a + b + c + d + e + f + g + h + ninth + small.low + big.temp[0];
}

__attribute__((noinline)) int choose(int k)
{
    volatile int kept = 0; /* @kept */
    switch (k) {
    case 0: kept = clamp(k, 1, 9); break;
    case 1: kept = factorial(3); break;
    case 2: kept = 17; break;
    case 3: kept = operation(4); break;
    case 4: kept = even(5); break;
    case 5: kept = 23; break;
    default: kept = -1; break;
    }
    return kept;
}

static inline __attribute__((always_inline)) int always(int x)
{
    int product = x * 3;
    return product + 1;
}

__attribute__((interrupt)) void on_timer(void)
{
    plant.mode = ARMED;
}

static void unused_event(int n)
{
    byte = (uint8_t)n;
}

int main(void)
{
    struct plant local = plant; /* @local */
    register int in_register = 3;
    operation = twice;
    on_event = unused_event;
    for (int i = 0; i < 6; i++)
        local.temp[0] = (int16_t)(local.temp[0] + choose(i));
    asm_leaf();
    in_register += (int)(uintptr_t)__stack_top + (int)asm_word + incomplete[1] + *hidden_pointer;
    return varying(5) + large(3) + blocks(4) + always(in_register) + second_run(3) +
           many(1, 2, 3, 4, 5, 6, 7, 8, 9, local.limits, local); /* @call */
}
