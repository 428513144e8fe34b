/* A program of the size and kind of benchmarks for small processors: lists, matrices, a state machine over texts, CRC,
 * strings, sorting. It fails if what it has sorted is not sorted, and prints a sum of all that it has worked out, which is
 * the same wherever it runs: on this machine, too. ROUNDS and SEED are for the compiler's command line. */
#include <stddef.h>
#include <stdint.h>

#include "say.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef SEED
#define SEED 1
#endif

#define APART __attribute__((noinline))

enum {
    NODES = 24,  /* of the list */
    SIDE = 6,    /* of a matrix */
    LETTERS = 48 /* of a text, with its end */
};

enum phase { BEGINNING, LISTS, MATRICES, STATES, STRINGS, SORTING, DONE };
enum state { START, SIGN, WHOLE, POINT, FRACTION, EXPONENT, SCIENTIFIC, WRONG };

struct node {
    struct node *next;
    int32_t value;
    uint8_t tag;
    uint16_t visits;
};

struct counts {
    uint32_t numbers[WRONG + 1];
    uint16_t swaps, compares;
    uint8_t deepest;
};

static struct node nodes[NODES];
struct node *head;
int16_t left[SIDE][SIDE], right[SIDE][SIDE];
int32_t product[SIDE][SIDE];
int32_t items[2 * NODES];
char text[LETTERS], turned[LETTERS];
struct counts counts;
enum phase phase;
enum state state;
uint32_t drawn = SEED;
uint64_t total;
uint16_t crc = 0xFFFF;
int32_t round_of, length, unordered;
const char *at_letter;

/* ---- what all parts use ---- */

static APART uint32_t draw(uint32_t below)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (drawn >> 8) % below;
}

static APART uint16_t crc_byte(uint16_t sum, uint8_t byte)
{
    uint16_t made = (uint16_t)(sum ^ byte);

    for (int bit = 0; bit < 8; bit++)
        made = (uint16_t)(made & 1 ? made >> 1 ^ 0xA001 : made >> 1);
    return made;
}

static APART void note(uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 16)
        crc = crc_byte(crc_byte(crc, (uint8_t)(value >> shift)), (uint8_t)(value >> (shift + 8)));
    total += value;
}

/* ---- a list ---- */

static APART void list_make(void)
{
    head = NULL;
    for (int i = 0; i < NODES; i++) {
        nodes[i].value = (int32_t)draw(1000) - 500;
        nodes[i].tag = (uint8_t)i;
        nodes[i].next = head;
        head = &nodes[i];
    }
}

static APART struct node *list_find(struct node *from, int32_t value)
{
    struct node *best = from;

    for (struct node *each = from; each; each = each->next) {
        each->visits++;
        if (each->value <= value && each->value > best->value)
            best = each;
    }
    return best;
}

static APART struct node *list_reverse(struct node *from)
{
    struct node *made = NULL;

    while (from) {
        struct node *after = from->next;
        from->next = made;
        made = from;
        from = after;
    }
    return made;
}

static APART struct node *list_merge(struct node *a, struct node *b)
{
    struct node first = {NULL, 0, 0, 0}, *last = &first;

    while (a && b) {
        struct node **lower = a->value <= b->value ? &a : &b;
        last->next = *lower;
        last = *lower;
        *lower = (*lower)->next;
    }
    last->next = a ? a : b;
    return first.next;
}

static APART struct node *list_sort(struct node *from, int count)
{
    struct node *middle = from;

    if (count < 2)
        return from;
    for (int i = 1; i < count / 2; i++)
        middle = middle->next;
    struct node *second = middle->next;
    middle->next = NULL;
    return list_merge(list_sort(from, count / 2), list_sort(second, count - count / 2));
}

static APART void lists(void)
{
    int32_t last = INT32_MIN, ordered = 1;

    list_make();
    for (int i = 0; i < 4; i++)
        note((uint32_t)list_find(head, (int32_t)draw(1000) - 500)->value);
    head = list_sort(list_reverse(head), NODES);
    for (struct node *each = head; each; each = each->next) {
        ordered &= each->value >= last;
        last = each->value;
        note((uint32_t)last + each->visits);
    }
    unordered += ordered == 0;
}

/* ---- matrices ---- */

static APART int32_t cell(int row, int column)
{
    int32_t sum = 0;

    for (int i = 0; i < SIDE; i++)
        sum += left[row][i] * right[i][column];
    return sum;
}

static APART void matrices(void)
{
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            left[row][column] = (int16_t)((int32_t)draw(200) - 100);
            right[row][column] = (int16_t)(row == column ? 3 : (int32_t)draw(50));
        }
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            product[row][column] = cell(row, column);
            if (product[row][column] > 2000)
                product[row][column] %= 977;
            note((uint32_t)product[row][column]);
        }
}

/* ---- a state machine: what kind of number a text is ---- */

static int is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static APART enum state step(enum state from, char letter)
{
    switch (from) {
    case START: return is_digit(letter) ? WHOLE : letter == '-' || letter == '+' ? SIGN : letter == '.' ? POINT : WRONG;
    case SIGN: return is_digit(letter) ? WHOLE : letter == '.' ? POINT : WRONG;
    case WHOLE: return is_digit(letter) ? WHOLE : letter == '.' ? FRACTION : letter == 'e' ? EXPONENT : WRONG;
    case POINT: return is_digit(letter) ? FRACTION : WRONG;
    case FRACTION: return is_digit(letter) ? FRACTION : letter == 'e' ? EXPONENT : WRONG;
    case EXPONENT: return is_digit(letter) || letter == '-' ? SCIENTIFIC : WRONG;
    case SCIENTIFIC: return is_digit(letter) ? SCIENTIFIC : WRONG;
    default: return WRONG;
    }
}

static APART void classify(const char *from)
{
    state = START;
    for (at_letter = from; *at_letter && *at_letter != ','; at_letter++)
        state = step(state, *at_letter);
    counts.numbers[state]++;
}

static APART void states(void)
{
    static const char letters[] = "0123456789012345.e-,,,";

    for (int i = 0; i < LETTERS - 1; i++)
        text[i] = letters[draw(sizeof letters - 1)];
    text[LETTERS - 1] = 0;
    for (const char *from = text; *from; from = *at_letter ? at_letter + 1 : at_letter)
        classify(from);
    for (int i = 0; i <= WRONG; i++)
        note(counts.numbers[i]);
}

/* ---- strings ---- */

static APART int32_t string_length(const char *from)
{
    int32_t count = 0;

    while (from[count])
        count++;
    return count;
}

static APART int string_compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (uint8_t)*a - (uint8_t)*b;
}

static APART void string_turn(char *to, const char *from)
{
    length = string_length(from);
    for (int i = 0; i < length; i++)
        to[i] = from[length - 1 - i];
    to[length] = 0;
}

static APART void strings(void)
{
    string_turn(turned, text);
    note((uint32_t)(string_compare(text, turned) < 0));
    for (int i = 0; i < length; i += 3)
        turned[i] = (char)(turned[i] ^ 0x20);
    turned[length / 2] = 0;
    note((uint32_t)string_length(turned) << 8 | (uint8_t)turned[0]);
}

/* ---- sorting ---- */

static APART void swap(int32_t *a, int32_t *b)
{
    int32_t kept = *a;

    *a = *b;
    *b = kept;
    counts.swaps++;
}

static APART void sort(int32_t *array, int low, int high, uint8_t depth)
{
    int32_t pivot = array[(low + high) / 2];
    int i = low, j = high;

    if (depth > counts.deepest)
        counts.deepest = depth;
    while (i <= j) {
        while (array[i] < pivot)
            i++;
        while (array[j] > pivot)
            j--;
        counts.compares++;
        if (i <= j)
            swap(&array[i++], &array[j--]);
    }
    if (low < j)
        sort(array, low, j, (uint8_t)(depth + 1));
    if (i < high)
        sort(array, i, high, (uint8_t)(depth + 1));
}

static APART void sorting(void)
{
    const int count = sizeof items / sizeof *items;
    uint32_t ordered = 1;

    for (int i = 0; i < count; i++)
        items[i] = (int32_t)draw(10000);
    sort(items, 0, count - 1, 1);
    for (int i = 0; i < count; i++) {
        ordered &= i == 0 || items[i - 1] <= items[i];
        note((uint32_t)items[i]);
    }
    unordered += ordered == 0;
    note(counts.swaps);
}

static void (*const parts[])(void) = {lists, matrices, states, strings, sorting};

static APART void one_round(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        phase = (enum phase)(LISTS + i);
        parts[i]();
    }
}

int main(void)
{
    for (round_of = 0; round_of < ROUNDS; round_of++)
        one_round();
    phase = DONE;
    say("crc ", crc);
    say("total ", (uint32_t)(total ^ total >> 32));
    say("compares ", counts.compares);
    return unordered != 0;
}
