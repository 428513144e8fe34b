/* disassemble ARCH: of each line "ADDRESS WORD" in hexadecimal, what the instruction is in words. */
#include <stdio.h>

#include "base/text.h"
#include "isa/isa.h"

int main(int argc, char **argv)
{
    unsigned address, word;
    es_text_buffer out = {0};
    while (argc == 2 && scanf("%x %x", &address, &word) == 2) {
        es_isa_of_simulated_target()->disassemble(&out, word, address, argv[1]);
        printf("%s\n", out.length ? out.text : "?");
        if (out.text)
            es_text_clear(&out);
    }
    es_text_free(&out);
    return argc != 2;
}
