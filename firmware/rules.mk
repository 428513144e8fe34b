# The monitor process for the soft core and its library for images, as binaries, an ELF with symbols (for worst-case analysis), and an
# object that libearshot.a embeds.

FIRMWARE_C := $(sort $(wildcard firmware/*.c firmware/library/*.c))
FIRMWARE_S := $(sort $(wildcard firmware/*.S firmware/library/*.S))
FIRMWARE_CFLAGS := -std=c11 -Os -march=rv32i -mabi=ilp32 -ffreestanding -fno-builtin -fno-jump-tables -fno-tree-loop-distribute-patterns \
  -fno-stack-protector -fno-common -fomit-frame-pointer -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wno-array-bounds \
  -Iinterface -I$(B)/gen -g
# it makes small code and, with hardly a register to keep things in, fast code only if less is kept
FIRMWARE_CFLAGS += -fno-gcse -fno-tree-dominator-opts -fno-tree-loop-im -fno-tree-vrp -mtune=size
# the registers that interface/image.h names are the same in assembly, in the image's code and in C
FIRMWARE_CFLAGS += $(foreach n,1 2 3 4 5 6 7 8 9 10 11,-ffixed-s$(n))

define FIRMWARE_DEF
$(shell awk '$$1 == "$(1)" {print $$2}' interface/probe.def)
endef
FIRMWARE_LDFLAGS := -nostdlib -nostartfiles -static -Wl,--build-id=none -Wl,--no-warn-rwx-segments -T firmware/firmware.ld \
  -Wl,--defsym=MEM_BASE=$(call FIRMWARE_DEF,MEM_BASE) -Wl,--defsym=IMAGE_BASE=$(call FIRMWARE_DEF,IMAGE_BASE) \
  -Wl,--defsym=HEADER_SIZE=$(shell awk '$$2 == "ES_MI_HEADER_SIZE" {print $$3}' interface/routines.h)

FIRMWARE_ELF := $(B)/firmware/monitor.elf
FIRMWARE_BIN := $(B)/firmware/monitor.bin
FIRMWARE_LIBRARY := $(B)/firmware/library.bin
FIRMWARE_OBJ := $(B)/firmware/embedded.o

# the same numbers as in C, as an assembler reads them
$(B)/firmware/probe_defs.S.h: interface/probe.def firmware/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	awk '!/^#/ && NF > 1 {print "#define ES_" $$1, $$2}' $< > $@

FIRMWARE_PARTS := $(patsubst firmware/%,$(B)/firmware/%.o,$(FIRMWARE_C) $(FIRMWARE_S))
FIRMWARE_HEADERS := $(wildcard firmware/*.h firmware/*.inc firmware/library/*.h) interface/image.h interface/routines.h $(B)/gen/probe_defs.h $(B)/gen/rv32_defs.h $(B)/firmware/probe_defs.S.h

# for time: what is larger for it here is paid by the rest, which is compiled for size
$(addprefix $(B)/firmware/,events.c.o library/convert.c.o): FIRMWARE_CFLAGS += -O2
# what it spares here in time costs a hundred bytes
$(addprefix $(B)/firmware/,flows.c.o start.c.o): FIRMWARE_CFLAGS += -fno-tree-fre

$(FIRMWARE_PARTS): $(B)/firmware/%.o: firmware/% $(FIRMWARE_HEADERS) firmware/rules.mk
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc $(FIRMWARE_CFLAGS) -I$(B)/firmware -c $< -o $@

$(FIRMWARE_ELF): $(FIRMWARE_PARTS) firmware/firmware.ld
	$(call say,TARGET,$@)
	$(CROSS)gcc -march=rv32i -mabi=ilp32 $(FIRMWARE_LDFLAGS) $(FIRMWARE_PARTS) -lgcc -o $@

$(FIRMWARE_BIN): $(FIRMWARE_ELF)
	$(call say,OBJCOPY,$@)
	$(CROSS)objcopy -O binary -R .library $< $@

$(FIRMWARE_LIBRARY): $(FIRMWARE_ELF)
	$(call say,OBJCOPY,$@)
	$(CROSS)objcopy -O binary -j .library $< $@

# A program of its own, which runs before a monitor is loaded.
FIRMWARE_DRAIN := $(B)/firmware/drain.bin
$(FIRMWARE_DRAIN): firmware/drain/drain.S $(B)/firmware/probe_defs.S.h firmware/rules.mk
	$(call say,TARGET,$@)
	$(CROSS)gcc -march=rv32i -mabi=ilp32 -I$(B)/firmware -nostdlib -nostartfiles -static -Wl,--build-id=none \
	  -Wl,-Ttext=$(call FIRMWARE_DEF,MEM_BASE) $< -o $(@:.bin=.elf)
	$(CROSS)objcopy -O binary -j .text $(@:.bin=.elf) $@

$(B)/firmware/embedded.S: $(FIRMWARE_BIN) $(FIRMWARE_LIBRARY) $(FIRMWARE_DRAIN)
	$(call say,GEN,$@)
	@printf '%s\n' '    .section .rodata' '    .balign 4' '    .globl es_firmware_start, es_firmware_end' 'es_firmware_start:' \
	  '    .incbin "$(FIRMWARE_BIN)"' '    .balign 4' 'es_firmware_end:' \
	  '    .globl es_library_start, es_library_end' 'es_library_start:' '    .incbin "$(FIRMWARE_LIBRARY)"' 'es_library_end:' \
	  '    .balign 4' '    .globl es_drain_start, es_drain_end' 'es_drain_start:' '    .incbin "$(FIRMWARE_DRAIN)"' 'es_drain_end:' \
	  '    .section .note.GNU-stack,"",@progbits' > $@

$(FIRMWARE_OBJ): $(B)/firmware/embedded.S
	$(call say,CC,$<)
	$(CC) -c $< -o $@
