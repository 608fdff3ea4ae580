# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# copy_tree.sh - a copy of the tree, to build there with another Slurm
#
# Used: $top, the tree; $work, a folder for lists.

# list_files DIR NAME...: "PATH MODE SUM" of each file in those of DIR, sorted
list_files() {
	local dir=$1
	shift
	(cd "$dir" && export LC_ALL=C &&
		join <(find "$@" -type f -printf '%p %m\n' 2>/dev/null | sort) \
			<(find "$@" -type f -exec sha256sum {} + 2>/dev/null | awk '{ print $2, $1 }' | sort) | sort)
}

# copy_tree TO: what is built there stays, and is built again where its source is another
# one. Files that differ get the time of now: what was made of the one before may be newer
# than either. What is in an archive of objects is known only as long as no source goes.
copy_tree() {
	local f names=()
	mkdir -p "$1" || return 1
	for f in "$top"/* "$top"/.ci; do
		case ${f##*/} in
		config.*.in) ;;
		build | configure | config.* | autom4te.cache) continue ;;
		esac
		names+=("${f##*/}")
	done
	list_files "$top" "${names[@]}" >"$work/here" && list_files "$1" "${names[@]}" >"$work/there" &&
		LC_ALL=C comm -13 "$work/here" "$work/there" | cut -d ' ' -f 1 >"$work/old" &&
		LC_ALL=C comm -23 "$work/here" "$work/there" | cut -d ' ' -f 1 >"$work/new" &&
		(cd "$1" && xargs -r -d '\n' rm -f) <"$work/old" &&
		(cd "$top" && xargs -r -d '\n' cp --parents --preserve=mode -t "$1") <"$work/new" || return 1
	while read -r f; do
		[ -e "$1/$f" ] || { rm -rf "${1:?}/build" "$1/config.mk"; break; }	# it makes config.h
	done <"$work/old"
}
