#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the Debian package: what is in it, what it needs, and its removal'
. "$(dirname "$0")/../lib.sh"

command -v dpkg-shlibdeps >/dev/null || {
	skip_all='no dpkg-dev here'
	test_done
}

version=$(sed -n 's/^SLURM_VERSION = //p' "$TOP/config.mk")
folder=/usr/lib/slurm-cohort

test_expect_success 'make deb: one file, named for both versions' '
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$TOP" BUILD="$BUILD" DEB_DIR="$WORK" deb >out &&
	deb=$(ls "$WORK"/*.deb) &&
	tail -n 1 out | grep -x "$deb" &&
	echo "$deb" | grep -E "/slurm-cohort_[0-9.]+\+slurm${version}_[a-z0-9]+\.deb$"
'

test_expect_success 'it holds plugins, command, man pages, completion, examples, and all is root'\''s' '
	dpkg-deb -c "$deb" >contents &&
	for f in $folder/libcohort_ctld.so $folder/select_cons_tres.so $folder/preempt_cohort.so \
		/usr/bin/scohort /usr/share/man/man1/scohort.1.gz \
		/usr/share/man/man5/cohort.yaml.5.gz /usr/share/man/man8/slurm-cohort.8.gz \
		/usr/share/doc/slurm-cohort/README.md /usr/share/doc/slurm-cohort/NEWS.md.gz \
		/usr/share/doc/slurm-cohort/copyright \
		/usr/share/bash-completion/completions/scohort \
		/usr/share/doc/slurm-cohort/examples/cohort.yaml.example; do
		grep -q " \.$f\$" contents || { echo "$f is missing"; return 1; }
	done &&
	! grep -v "root/root" contents &&
	! grep -E " \./(etc|var)/" contents
'

# What dpkg says to: is this version of Slurm right for the package?
suits() {
	local low high
	low=$(dpkg-deb -f "$deb" Depends | grep -o "(>= [0-9:]*$version)" | tr -d '()>= ')
	high=$(dpkg-deb -f "$deb" Depends | grep -o "(<< [0-9:]*$version[^)]*)" | tr -d '()< ')
	dpkg --compare-versions "$1" ge "$low" && dpkg --compare-versions "$1" lt "$high"
}

owner=$(dpkg -S "$(sed -n "s/^SLURM_PLUGINDIR = //p" "$TOP/config.mk")/select_cons_tres.so" \
	2>/dev/null | cut -d: -f1)
dpkg-deb -f "$deb" Depends >depends

if [ -n "$owner" ]; then
test_expect_success 'it wants this micro release of Slurm, in any revision, and no other' '
	grep -F "$owner (" depends && grep -E "libc6 |libjson-c" depends &&
	suits "$(dpkg-query -W -f "\${Version}" "$owner")" &&
	suits "$version-1" && suits "$version-4+deb12u9" &&
	! suits "${version%.*}.99-1" && ! suits "${version}0-1" && ! suits "99.05.1-1" &&
	! suits "${version%.*}.0-1"
'
else
test_expect_success 'no package has this Slurm: it wants libraries only' '
	grep -E "libc6 |libjson-c" depends && ! grep slurm depends
'
fi

# A root of its own for dpkg: nothing of this machine is touched
dpkg_there() {
	dpkg --root="$WORK/root" --force-script-chrootless --force-depends \
		--force-not-root --log=/dev/null "$@" >out 2>&1
}

test_expect_success 'installing changes nothing but its own files, and says nothing' '
	mkdir -p "$WORK/root/var/lib/dpkg/updates" "$WORK/root/var/lib/dpkg/info" "$WORK/root/etc/slurm" &&
	: >"$WORK/root/var/lib/dpkg/status" && : >"$WORK/root/var/lib/dpkg/available" &&
	echo "PluginDir=/usr/lib/slurm" >"$WORK/root/etc/slurm/slurm.conf" &&
	cp "$WORK/root/etc/slurm/slurm.conf" before &&
	dpkg_there -i "$deb" && ! grep "^slurm-cohort: " out &&
	[ -x "$WORK/root/usr/bin/scohort" ] && test_cmp before "$WORK/root/etc/slurm/slurm.conf" &&
	[ "$(ls -A "$WORK/root/etc")" = slurm ]
'

test_expect_success 'removing it while nothing names it says nothing' '
	dpkg_there -r slurm-cohort && ! grep WARNING out && [ ! -e "$WORK/root$folder" ]
'

for line in "PluginDir=$folder:/usr/lib/slurm" " plugindir=/usr/lib/slurm:$folder/"; do
	test_expect_success "removing it while slurm.conf has '$line' warns" '
		echo "$line" >"$WORK/root/etc/slurm/slurm.conf" &&
		dpkg_there -i "$deb" &&
		grep "slurm-cohort: .*/slurm.conf names $folder: restart slurmctld" out &&
		dpkg_there -i "$deb" && ! grep WARNING out &&
		dpkg_there -r slurm-cohort && cat out &&
		grep "WARNING: .*/etc/slurm/slurm.conf still names $folder in PluginDir" out &&
		[ ! -e "$WORK/root$folder" ]
	'
done

test_expect_success 'a comment does not' '
	echo "#PluginDir=$folder:/usr/lib/slurm" >"$WORK/root/etc/slurm/slurm.conf" &&
	dpkg_there -i "$deb" && dpkg_there -r slurm-cohort && ! grep WARNING out
'

test_done
