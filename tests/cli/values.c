/* Values of every type, written in a known order. */
#include <stdbool.h>
#include <stdint.h>

#include "target.h"

enum mode { IDLE, ARMED, ALARM = 7, LOW = -2 };
enum flags { RED = 1, GREEN = 2, BLUE = 4 };
struct bits {
    unsigned a : 3;
    int b : 5;
    unsigned c : 20;
};

volatile int go;
volatile int8_t i8;
volatile uint8_t u8;
volatile int16_t i16;
volatile uint16_t u16;
volatile int32_t i32;
volatile uint32_t u32;
volatile char letter;
volatile bool flag;
volatile enum mode mode;
volatile enum flags flags;
volatile float ratio;
volatile struct bits bits;
volatile int *volatile data_pointer;
void (*volatile code_pointer)(void);

static void handler(void)
{
}

static void round_one(void)
{
    i8 = -5;
    u8 = 250;
    i16 = -300;
    u16 = 65000;
    i32 = -100000;
    u32 = 4000000000u;
    letter = 'x';
    flag = true;
    mode = LOW;
    flags = RED | BLUE;
    ratio = 0.1f;
    bits.a = 5;
    bits.b = -3;
    bits.c = 0xABCDE;
    data_pointer = &go;
    code_pointer = handler;
    go = 1;
}

static void round_two(void)
{
    letter = '\n';
    flag = false;
    mode = (enum mode)3;
    flags = (enum flags)9;
    ratio = -1.5e10f;
    data_pointer = 0;
    go = 2;
}

static void round_three(void)
{
    union { uint32_t word; float number; } nan = {0x7FC00000};
    letter = '\'';
    mode = ARMED;
    flags = GREEN;
    ratio = nan.number;
    data_pointer = (int *)((char *)&go + 1);
    go = 3;
}

const char *volatile label;
static char in_memory[] = "changes";

static void labels(void)
{
    label = "say \"hi\"\n";
    label = "a text that is longer than what anybody wants to see in a line of results";
    label = "\1";
    label = "";
    label = in_memory;
    label = 0;
}

int main(void)
{
    round_one();
    round_two();
    round_three();
    labels();
    target_puts("done \"quoted\"\n");
    return 5;
}
