/* Values that are made in pieces, and pieces of others: what is true of a part must not be said of all of it. */
volatile int in = 3;

long long total;
double exact;
short pair[2];
char word[8] = "cap";
int copy;
union {
    int number;
    unsigned char byte[4];
} both;
struct {
    unsigned low : 3, high : 9;
} fields;

static void *move(void *to, const void *from, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    return to;
}

int main(void)
{
    total = in * -4000000000;
    exact = in == 3 ? 3.75 : 0.5;
    pair[0] = (short)(in * 1000);
    pair[1] = (short)-in;
    move(&copy, pair, sizeof copy);
    both.number = in * 0x01020304;
    both.byte[2] = 99;
    fields.high = (unsigned)in * 50;
    return word[1] == 'a' ? 0 : 1;
}
