# What others build on: the public headers as they are installed, and the shared library, which exports what these
# declare and nothing else.

# The interface's version: as long as it is 0.y, every y may change it.
VERSION_PARTS := $(subst ., ,$(VERSION))
ABI := $(if $(filter 0,$(firstword $(VERSION_PARTS))),0.$(word 2,$(VERSION_PARTS)),$(firstword $(VERSION_PARTS)))
SONAME := libearshot.so.$(ABI)

# include/earshot/, and with their paths the headers of host/ that it leads to.
PUBLIC_HEADERS := $(B)/include/made
$(PUBLIC_HEADERS): scripts/public-headers $(wildcard include/earshot/*.h host/*/*.h host/*/*/*.h interface/*.h) \
  $(B)/gen/probe_defs.h
	$(call say,GEN,$(@D)/earshot)
	rm -rf $(@D) && mkdir -p $(@D)
	scripts/public-headers $(@D) $(CC) -Ihost -Iinterface -I$(B)/gen
	touch $@

$(B)/libearshot.map: scripts/public-names $(PUBLIC_HEADERS) $(B)/libearshot.a
	$(call say,GEN,$@)
	scripts/public-names EARSHOT_$(ABI) $(B)/include $(B)/libearshot.a $(CC) > $@

$(B)/libearshot.so: $(B)/libearshot.a $(B)/libearshot.map
	$(call say,LD,$@)
	$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(B)/libearshot.map $(if $(SAN),,-Wl,-z,defs) \
	  -Wl,--whole-archive $(B)/libearshot.a -Wl,--no-whole-archive -Wl,--as-needed $(HOST_LIBS) -lm -o $@
all: $(B)/libearshot.so

# What `make install` puts below DESTDIR, first into a folder of its own: so that what it consists of is said once, here.
SHARE = $(STAGE)$(PREFIX)/share
STAGE = $(B)/stage
INSTALLED = $(PREFIX)/share/earshot/installed
.PHONY: stage
stage: $(B)/earshot $(B)/earshotd $(B)/libearshot.a $(B)/libearshot.so $(PUBLIC_HEADERS)
	rm -rf $(STAGE)
	install -D -t $(STAGE)$(PREFIX)/bin $(B)/earshot $(B)/earshotd
	for unit in packaging/systemd/earshotd.*; do case $$unit in *.conf) continue;; esac; \
	  mkdir -p $(STAGE)$(PREFIX)/lib/systemd/system && \
	  sed 's|@PREFIX@|$(PREFIX)|' $$unit > $(STAGE)$(PREFIX)/lib/systemd/system/$${unit##*/} || exit 1; done
	install -D -m 644 packaging/systemd/earshot.sysusers $(STAGE)$(PREFIX)/lib/sysusers.d/earshot.conf
	install -D -m 644 -t $(SHARE)/doc/earshot/examples packaging/systemd/earshotd.conf
	for page in docs/man/*.[1-8]; do \
	  install -D -m 644 -t $(SHARE)/man/man$${page##*.} $$page && \
	  sed -i 's/^\(\.TH .*\)"Earshot"/\1"Earshot $(VERSION)"/' $(SHARE)/man/man$${page##*.}/$${page##*/} || exit 1; done
	for rule in $(wildcard host/transport/*.rules); do install -D -m 644 -t $(STAGE)$(PREFIX)/lib/udev/rules.d $$rule || exit 1; done
	install -D -m 644 -t $(SHARE)/doc/earshot README.md CHANGELOG.md LICENSE docs/*.md
	install -D -m 644 -t $(SHARE)/doc/earshot/pictures docs/pictures/*.svg docs/pictures/*.png
	install -D -m 644 -t $(SHARE)/doc/earshot/examples/library examples/library/*.c
	install -D -m 644 -t $(SHARE)/doc/earshot/examples/ci examples/ci/*
	install -D -m 644 -t $(SHARE)/doc/earshot/examples/machines examples/machines/*.machine
	install -D -m 644 -t $(SHARE)/earshot/examples/target examples/target/*
	install -D -m 644 -t $(SHARE)/earshot/interface interface/probe.def
	install -D -t $(SHARE)/earshot/scripts scripts/target-cc scripts/gen-defs
	ln -sf ../share/earshot/scripts/target-cc $(STAGE)$(PREFIX)/bin/earshot-target-cc
	mkdir -p $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions
	scripts/completions bash $(B)/earshot > $(SHARE)/bash-completion/completions/earshot
	scripts/completions zsh $(B)/earshot > $(SHARE)/zsh/site-functions/_earshot
	install -D -m 644 -t $(STAGE)$(LIBDIR) $(B)/libearshot.a
	install -D -m 644 $(B)/libearshot.so $(STAGE)$(LIBDIR)/libearshot.so.$(VERSION)
	ln -sf libearshot.so.$(VERSION) $(STAGE)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(STAGE)$(LIBDIR)/libearshot.so
	(cd $(B)/include && find earshot -name '*.h') | while read -r header; do \
	  install -D -m 644 $(B)/include/$$header $(STAGE)$(PREFIX)/include/$$header || exit 1; done
	mkdir -p $(STAGE)$(LIBDIR)/pkgconfig
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|' \
	  -e 's|@VERSION@|$(VERSION)|; s|@LIBS@|$(strip $(HOST_LIBS)) -lm|' \
	  include/earshot.pc.in > $(STAGE)$(LIBDIR)/pkgconfig/earshot.pc

install: stage
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	scripts/installation put $(STAGE) '$(DESTDIR)' $(INSTALLED)
	rm -rf $(STAGE)
uninstall:
	$(call say,REMOVE,$(DESTDIR)$(PREFIX))
	scripts/installation remove '$(DESTDIR)' $(INSTALLED)
