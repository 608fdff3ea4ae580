# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# clock.sh - the time, and how to wait for some of it
#
# A process costs a busy machine a lot, and what waits asks often: no process is made here.

now_ms() {
	local t=${EPOCHREALTIME/[.,]/}
	echo $((t / 1000))
}

# rest MICROSECONDS LEAST: as long as that, but for LEAST microseconds at least and one
# second at most. Many tests run at the same time: who has to wait does nothing for half of
# the time, and leaves the machine to the others.
exec {REST_FD}<> <(:)
rest() {
	local us=$1
	((us > $2)) || us=$2
	((us < 1000000)) || us=999999
	printf -v us 0.%06d "$us"
	read -r -t "$us" -u "$REST_FD" _
	return 0
}

# poll SECONDS LEAST COMMAND...: until it succeeds; fails at the limit
poll() {
	local _least=$2 _begun=${EPOCHREALTIME/[.,]/} _now _end
	_end=$((_begun + $1 * 1000000))
	shift 2
	until "$@"; do
		_now=${EPOCHREALTIME/[.,]/}
		[ "$_now" -lt "$_end" ] || return 1
		rest $((_now - _begun)) "$_least"
		_begun=${EPOCHREALTIME/[.,]/}
	done
}
