# SPDX-License-Identifier: GPL-2.0-or-later
"""connections.py PID PORT: the connections that a process has accepted at a port

A line each: the state, how many bytes are not sent and not read, and what process has
the other end. The socket that listens is none of them. For tests that fail as a daemon
does not answer.
"""
import glob
import os
import sys

LISTENS = '0A'
STATES = {'01': 'established', '04': 'fin-wait-1', '05': 'fin-wait-2', '06': 'time-wait',
          '08': 'close-wait', '09': 'last-ack'}


def table():
	"""All connections of IPv4: fields of /proc/net/tcp"""
	with open('/proc/net/tcp', encoding='ascii') as lines:
		return [line.split() for line in lines][1:]


def owners():
	"""Socket by inode: the processes that have it open"""
	found = {}
	for link in glob.glob('/proc/[0-9]*/fd/*'):
		try:
			target = os.readlink(link)
			pid = link.split('/')[2]
			with open(f'/proc/{pid}/comm', encoding='utf-8') as comm:
				name = comm.read().strip()
		except OSError:		# it has ended
			continue
		if target.startswith('socket:['):
			found.setdefault(target[8:-1], []).append(f'{name}[{pid}]')
	return found


def main():
	pid, port = sys.argv[1], f'{int(sys.argv[2]):04X}'
	rows, open_by = table(), owners()
	ends = {row[1]: row[9] for row in rows}
	for row in rows:
		mine = any(who.endswith(f'[{pid}]') for who in open_by.get(row[9], []))
		if not row[1].endswith(f':{port}') or row[3] == LISTENS or not mine:
			continue
		sent, received = (int(n, 16) for n in row[4].split(':'))
		peer = ' '.join(open_by.get(ends.get(row[2], ''), ['nobody']))
		print(f'connection {STATES.get(row[3], row[3])}, not sent {sent}, not read {received}: {peer}')


main()
