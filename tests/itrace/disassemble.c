/* disassemble ARCH: of each line "ADDRESS WORD" in hexadecimal, what the instruction is in words. */
#include <stdio.h>

#include "isa/isa.h"

int main(int argc, char **argv)
{
    unsigned address, word;
    char text[64];
    while (argc == 2 && scanf("%x %x", &address, &word) == 2) {
        es_isa_of_simulated_target()->disassemble(text, sizeof text, word, address, argv[1]);
        printf("%s\n", *text ? text : "?");
    }
    return argc != 2;
}
