#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='configure, the symbols of the plugins, install'
. "$(dirname "$0")/../lib.sh"

config() { sed -n "s/^$1 = //p" "$TOP/config.mk"; }

version=$(config SLURM_VERSION)

# A source tree that claims to be of VERSION
fake_source() {
	mkdir -p "$1" && echo "  Version:	$2" >"$1/META"
}

# Runs configure of this tree in a folder of its own
configure() {
	mkdir -p conf && (cd conf && "$TOP/configure" "$@")
}

test_expect_success 'configure refuses headers of another version and names both' '
	fake_source other 99.05.1 &&
	test_must_fail configure --with-slurm-source="$PWD/other" >out 2>&1 &&
	grep "error: the headers in $PWD/other are of Slurm 99.05.1" out &&
	grep "slurmctld is ${version//./\\.}:" out &&
	[ ! -e conf/config.mk ]
'

test_expect_success 'configure refuses a folder that is no source tree' '
	mkdir -p empty &&
	test_must_fail configure --with-slurm-source="$PWD/empty" 2>out &&
	grep "$PWD/empty is no source tree of Slurm" out
'

test_expect_success 'configure refuses a plugin folder without plugins' '
	test_must_fail configure --with-slurm-source="$(config SLURM_SOURCE)" \
		--with-slurm-plugindir="$PWD/empty" 2>out &&
	grep "no select_cons_tres.so in $PWD/empty" out
'

test_expect_success 'configure takes a version by hand, for headers and the built plugins' '
	configure --with-slurm-source="$PWD/other" --with-slurm-version=99.05.1 >out &&
	grep "SLURM_VERSION = 99.05.1" conf/config.mk &&
	grep "SLURM_VERSION_NUMBER 0x630501" conf/build/slurm/slurm_version.h
'

test_expect_success 'configure takes versions with the suffix of a vendor' '
	fake_source vendor 99.05.1 && echo "  Release:	nebius-2" >>vendor/META &&
	configure --with-slurm-source="$PWD/vendor" --with-slurm-version=99.05.1-nebius-2 >out 2>&1 &&
	! grep WARNING.*headers out &&
	grep "SLURM_VERSION_NUMBER 0x630501" conf/build/slurm/slurm_version.h &&
	configure --with-slurm-source="$PWD/other" --with-slurm-version=99.05.1-ohpc >out 2>&1 &&
	grep "WARNING: the headers are of Slurm 99.05.1, slurmctld is 99.05.1-ohpc" out &&
	test_must_fail configure --with-slurm-source="$PWD/vendor" --with-slurm-version=99.05.12 2>out
'

test_expect_success 'apt sources of both formats become deb-src, the originals stay' '
	mkdir -p apt/sources.list.d derived &&
	cat >apt/sources.list <<-EOF &&
		# a comment
		deb http://one.example/debian stable main
		deb [signed-by=/k.gpg arch=amd64] http://two.example/debian stable main
		deb-src http://one.example/debian stable main
	EOF
	echo "deb http://three.example/debian stable main" >apt/sources.list.d/three.list &&
	cat >apt/sources.list.d/four.sources <<-EOF &&
		Types: deb
		URIs: http://four.example/debian
		Suites: stable
		Components: main
	EOF
	echo "Dir::Etc \"$PWD/apt\";" >apt.conf &&
	cp -r apt before &&
	APT_CONFIG=$PWD/apt.conf "$TOP/build-aux/slurm-source" --sources "$PWD/derived" &&
	cat >expected <<-EOF &&
		deb-src [signed-by=/k.gpg arch=amd64] http://two.example/debian stable main
		deb-src http://one.example/debian stable main
		deb-src http://three.example/debian stable main
	EOF
	test_cmp expected derived/system.list &&
	grep "^Types: deb-src$" derived/four.sources &&
	grep "^URIs: http://four.example/debian$" derived/four.sources &&
	diff -r before apt
'

# archive NAME: an apt archive that lists the source of Slurm 99.05.1, and has no file
archive() {
	mkdir -p "$1/dists/stable/main/source" &&
	cat >"$1/dists/stable/main/source/Sources" <<-EOF
		Package: other
		Checksums-Sha256:
		 $tarball_sha256 $tarball_size other_99.05.1.orig.tar.gz
		Directory: pool/other

		Package: slurm-wlm
		Binary: slurmctld
		Version: 99.05.1-1
		Files:
		 0123456789abcdef0123456789abcdef 5 slurm-wlm_99.05.1-1.dsc
		 fedcba9876543210fedcba9876543210 $tarball_size slurm-wlm_99.05.1.orig.tar.gz
		Checksums-Sha256:
		 $tarball_sha256 5 slurm-wlm_99.05.1-1.dsc
		 $tarball_sha256 $tarball_size slurm-wlm_99.05.1.orig.tar.gz
		Directory: pool/$1
	EOF
}

test_expect_success 'a source package without files is taken from the archive that has the tarball' '
	fake_source slurm-99.05.1 99.05.1 &&
	tar -czf tarball.gz slurm-99.05.1 &&
	tarball_sha256=$(sha256sum <tarball.gz | sed "s/ .*//") &&
	tarball_size=$(stat -c %s tarball.gz) &&
	archive empty && archive full &&
	mkdir -p full/pool/full apt-tarball/sources.list.d apt-tarball/apt.conf.d &&
	cp tarball.gz full/pool/full/slurm-wlm_99.05.1.orig.tar.gz &&
	# A line of sources.list has no word for a blank in a path
	for a in empty full; do
		echo "deb [trusted=yes] file:${PWD// /%20}/$a stable main"
	done >apt-tarball/sources.list &&
	echo "Dir::Etc \"$PWD/apt-tarball\";" >apt-tarball.conf &&
	APT_CONFIG=$PWD/apt-tarball.conf SLURM_COHORT_CACHE=$PWD/cache \
		"$TOP/build-aux/slurm-source" 99.05.1 >out &&
	echo "$PWD/cache/slurm-99.05.1" >expected &&
	test_cmp expected out &&
	grep "Version:	99.05.1" cache/slurm-99.05.1/META
'

test_expect_success 'a tarball with another content than the archive lists is refused' '
	rm -rf cache && echo more >>full/pool/full/slurm-wlm_99.05.1.orig.tar.gz &&
	APT_CONFIG=$PWD/apt-tarball.conf SLURM_COHORT_CACHE=$PWD/cache \
		test_must_fail "$TOP/build-aux/slurm-source" 99.05.1 2>out &&
	grep "Hash Sum mismatch" out &&
	grep "no source package of slurm-wlm 99.05.1" out &&
	[ ! -e cache/slurm-99.05.1 ]
'

# Symbols that FILE exports, without the map's names
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }'; }

test_expect_success 'the plugins export what Slurm looks up and nothing else' '
	exported "$BUILD/plugins/select_cons_tres.so" >select &&
	exported "$BUILD/plugins/preempt_cohort.so" >preempt &&
	exported "$BUILD/plugins/libcohort_ctld.so" >shared &&
	grep -x select_p_job_test select &&
	grep -x plugin_type preempt && grep -x preempt_p_job_preempt_check preempt &&
	grep "^ctld_" shared &&
	! grep -vE "^(plugin_(name|type|version|id)|init|fini|select_p_[a-z_]+)$" select &&
	! grep -vE "^(plugin_(name|type|version)|init|fini|preempt_p_[a-z_]+)$" preempt &&
	! grep -v "^ctld_" shared
'

# Names of symbols that FILE needs and does not call weak
needed() { nm -D "$1" | awk '$1 == "U" { print $2 }' | sed 's/@.*//' | sort -u; }

# Names of symbols that the FILEs and what ldd says of the first define
defined() {
	for lib in "$@" $(ldd "$1" | grep -o '/[^ ]*'); do
		nm -D --defined-only "$lib" | sed 's/.* //; s/@.*//'
	done | sort -u
}

libslurmfull=$(config SLURM_PLUGINDIR)/libslurmfull.so

# slurmd and the clients load this one, too
test_expect_success 'the select plugin needs nothing that only slurmctld has' '
	needed "$BUILD/plugins/select_cons_tres.so" >needed &&
	defined "$BUILD/plugins/select_cons_tres.so" "$libslurmfull" >there &&
	grep -x dlopen needed &&
	comm -23 needed there >missing &&
	test_must_be_empty missing
'

test_expect_success 'slurmctld has all that the others need' '
	for f in libcohort_ctld.so preempt_cohort.so; do
		needed "$BUILD/plugins/$f" >needed &&
		defined "$BUILD/plugins/$f" "$libslurmfull" "$(command -v slurmctld)" >there &&
		comm -23 needed there >missing &&
		test_must_be_empty missing || return 1
	done
'

test_expect_success 'the stacked plugin has no name and finds the real one in Slurm'\''s folder' '
	readelf -d "$BUILD/plugins/select_cons_tres.so" >dynamic &&
	! grep SONAME dynamic &&
	grep "NEEDED.*\[select_cons_tres.so\]" dynamic &&
	grep "RUNPATH.*[:[]$(config SLURM_PLUGINDIR)[]:]" dynamic
'

test_expect_success 'hardening: RELRO, no executable stack, scohort is PIE and binds at once' '
	for f in "$BUILD"/plugins/*.so "$BUILD/scohort"; do
		readelf -lW "$f" >segments &&
		grep GNU_RELRO segments && grep "GNU_STACK.* RW " segments ||
			return 1
	done &&
	readelf -hW "$BUILD/scohort" | grep "Type: *DYN" &&
	readelf -dW "$BUILD/scohort" | grep "NOW" &&
	nm -D "$BUILD/plugins/libcohort_ctld.so" | grep __stack_chk_fail
'

test_expect_success 'install with DESTDIR and prefix, and nothing outside' '
	make -s -C "$TOP" BUILD="$BUILD" DESTDIR="$WORK/root" prefix=/opt/cohort install &&
	(cd "$WORK/root" && find . -type f | sort) >files &&
	for f in lib/slurm-cohort/libcohort_ctld.so lib/slurm-cohort/select_cons_tres.so \
		lib/slurm-cohort/preempt_cohort.so bin/scohort share/man/man5/cohort.yaml.5 \
		share/man/man8/slurm-cohort.8 share/doc/slurm-cohort/README.md \
		share/doc/slurm-cohort/NEWS.md share/doc/slurm-cohort/COPYING \
		share/doc/slurm-cohort/doc/admin-guide.md share/doc/slurm-cohort/doc/user-guide.md \
		share/doc/slurm-cohort/examples/cohort.yaml.example; do
		grep -x "./opt/cohort/$f" files || { echo "$f is missing"; return 1; }
	done &&
	! grep -v "^\./opt/cohort/" files
'

test_expect_success 'uninstall removes all of it' '
	make -s -C "$TOP" BUILD="$BUILD" DESTDIR="$WORK/root" prefix=/opt/cohort uninstall &&
	find "$WORK/root" -type f >files &&
	test_must_be_empty files
'

test_done
