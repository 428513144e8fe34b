# Debian packages, from what `make install` copies: $(B)/deb/*.deb. packaging/debian has what dpkg and debhelper are told.
DEB := $(B)/deb
DEB_MADE := $(B)/earshot $(B)/earshotd $(B)/libearshot.a $(B)/libearshot.so $(PUBLIC_HEADERS)
# all that is installed besides: what changes in these changes the packages
DEB_FROM := $(wildcard packaging/* packaging/debian/* packaging/systemd/* docs/*.md docs/man/* docs/pictures/*.svg examples/*/* host/transport/*.rules) \
  include/rules.mk scripts/make-deb scripts/installation scripts/completions scripts/target-cc README.md CHANGELOG.md VERSION
$(DEB)/made: $(DEB_MADE) $(DEB_FROM)
	$(call say,DEB,$(@D))
	scripts/make-deb $(@D) $(B) $(VERSION) $(ABI) $(DEB_MADE)
	touch $@
.PHONY: deb
deb: $(DEB)/made
	ls $(DEB)/*.deb
