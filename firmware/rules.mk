# The monitor process for the soft core, as a binary, an ELF with symbols (for worst-case analysis) and an object that libearshot.a embeds.

FIRMWARE_C := $(sort $(wildcard firmware/*.c))
FIRMWARE_CFLAGS := -std=c11 -Os -march=rv32i -mabi=ilp32 -ffreestanding -fno-builtin -fno-jump-tables -fno-tree-loop-distribute-patterns \
  -fno-stack-protector -fno-common -fomit-frame-pointer -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wno-array-bounds \
  -Iinterface -I$(B)/gen -g
# the registers that interface/image.h names are the same in assembly, in the image's code and in C
FIRMWARE_CFLAGS += $(foreach n,1 2 3 4 5 6 7 8 9 10 11,-ffixed-s$(n))

define FIRMWARE_DEF
$(shell awk '$$1 == "$(1)" {print $$2}' interface/probe.def)
endef
FIRMWARE_LDFLAGS := -nostdlib -nostartfiles -static -Wl,--build-id=none -Wl,--no-warn-rwx-segments -T firmware/firmware.ld \
  -Wl,--defsym=MEM_BASE=$(call FIRMWARE_DEF,MEM_BASE) -Wl,--defsym=IMAGE_BASE=$(call FIRMWARE_DEF,IMAGE_BASE)

FIRMWARE_ELF := $(B)/firmware/monitor.elf
FIRMWARE_BIN := $(B)/firmware/monitor.bin
FIRMWARE_OBJ := $(B)/firmware/embedded.o

# the same numbers as in C, as an assembler reads them
$(B)/firmware/probe_defs.S.h: interface/probe.def firmware/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	awk '!/^#/ && NF > 1 {print "#define ES_" $$1, $$2}' $< > $@

$(FIRMWARE_ELF): $(FIRMWARE_C) firmware/dispatch.S firmware/compute.S firmware/firmware.h firmware/arithmetic.h firmware/firmware.ld firmware/rules.mk interface/image.h \
  interface/routines.h $(B)/gen/probe_defs.h $(B)/firmware/probe_defs.S.h
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc $(FIRMWARE_CFLAGS) -I$(B)/firmware $(FIRMWARE_LDFLAGS) firmware/dispatch.S firmware/compute.S $(FIRMWARE_C) -lgcc -o $@

$(FIRMWARE_BIN): $(FIRMWARE_ELF)
	$(call say,OBJCOPY,$@)
	$(CROSS)objcopy -O binary $< $@

$(B)/firmware/embedded.S: $(FIRMWARE_BIN)
	$(call say,GEN,$@)
	@printf '%s\n' '    .section .rodata' '    .balign 4' '    .globl es_firmware_start, es_firmware_end' 'es_firmware_start:' \
	  '    .incbin "$(FIRMWARE_BIN)"' '    .balign 4' 'es_firmware_end:' '    .section .note.GNU-stack,"",@progbits' > $@

$(FIRMWARE_OBJ): $(B)/firmware/embedded.S
	$(call say,CC,$<)
	$(CC) -c $< -o $@
