/* watch: a: when write(to.words[2]) { print to.words[2] }
 * watch: b: when to.words[0] != old(to.words[0]) { print }
 * watch: c: when to.tag > 3 { print to.tag }
 * Structs and bytes that are copied in loops: word by word, by memcpy, byte by byte, back to front, and over each other. */
#include <string.h>

struct box {
    int words[6];
    char tag;
};
struct box to, from = { { 1, 2, 3, 4, 5, 6 }, 1 };
volatile unsigned length = 5;

__attribute__((noinline)) void bytes(char *into, const char *out, unsigned count)
{
    while (count--)
        into[count] = out[count];
}

__attribute__((noinline)) void halves(short *into, const short *out, const short *end)
{
    do
        *into++ = *out++;
    while (out != end);
}

int main(void)
{
    for (int i = 0; i < 10; i++) {
        from.words[i % 6] += i;
        from.tag = (char)i;
        to = from;
        bytes((char *)&to, (const char *)&from, length + (unsigned)i);
        halves((short *)&to, (const short *)&from, (const short *)&from + 7);
        memcpy(&to, &from, length * 4);
        memmove(&to.words[1], &to.words[0], 4 * length);
        memset(&to, i, sizeof to);
    }
    return 0;
}
