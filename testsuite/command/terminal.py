# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py - a command in a terminal of its own, and what its screen shows

It knows no more of a terminal than `scohort` uses; anything else is an error.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PATIENCE = float(os.environ.get('COHORT_PATIENCE', 30))
# Python and a shell's & ignore some of them, and exec() would keep that.
USUAL = ('INT', 'QUIT', 'TSTP', 'TTIN', 'TTOU', 'HUP', 'PIPE', 'USR1', 'XFSZ')
SEQUENCE = re.compile(rb'\033\[(\??)([0-9;]*)([A-Za-z])')


class Terminal:
	def __init__(self, command, rows=24, columns=100, nonblocking=False):
		self.rows, self.columns = rows, columns
		self.lines, self.row, self.column = [''] * rows, 0, 0
		self.modes, self.clears, self.scrolls, self.raw = {'?25', '?7'}, 0, 0, b''
		self.rest, self.frames, self.ended = b'', 0, False
		ready, go = os.pipe()
		self.pid, self.fd = pty.fork()
		if not self.pid:
			os.environ.pop('COLUMNS', None)
			os.environ['TERM'] = os.environ.get('TERMINAL', 'xterm')
			for name in USUAL:
				signal.signal(getattr(signal, 'SIG' + name), signal.SIG_DFL)
			os.set_blocking(1, not nonblocking)
			os.read(ready, 1)	# the size is set by then
			os.execvp(command[0], command)
		self.resize(rows, columns)
		os.write(go, b'1')
		os.close(go)
		os.close(ready)
		self.settings = termios.tcgetattr(self.fd)

	def resize(self, rows, columns):
		self.rows, self.columns = rows, columns
		self.lines = (self.lines + [''] * rows)[:rows]
		self.row = min(self.row, rows - 1)
		fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

	# ---- what the command writes ----

	def sequence(self, mark, numbers, what):
		if what == 'H':
			self.row = self.column = 0
			self.frames += 1
		elif what == 'K':
			self.lines[self.row] = self.lines[self.row][:self.column]
		elif what == 'J':
			first = self.row + 1 if numbers != '2' else 0
			self.clears += numbers == '2'
			if numbers != '2':
				self.lines[self.row] = self.lines[self.row][:self.column]
			self.lines[first:] = [''] * (self.rows - first)
		elif mark and what in 'hl':
			(self.modes.add if what == 'h' else self.modes.discard)('?' + numbers)
		elif what != 'm':
			raise AssertionError(f'a sequence of {what}')

	def text(self, data):
		for c in data.decode():
			if c == '\r':
				self.column = 0
			elif c == '\n':
				self.scrolls += self.row == self.rows - 1
				self.row = min(self.row + 1, self.rows - 1)
			elif self.column < self.columns:
				line = self.lines[self.row].ljust(self.column)
				self.lines[self.row] = line[:self.column] + c + line[self.column + 1:]
				self.column += 1

	def feed(self, data):
		self.raw += data
		data, self.rest = self.rest + data, b''
		while data:
			begin = data.find(b'\033')
			if begin:
				text = data[:begin] if begin > 0 else data
				self.text(text)
				data = data[len(text):]
				continue
			found = SEQUENCE.match(data)
			if not found:
				self.rest = data
				return
			self.sequence(*(part.decode() for part in found.groups()))
			data = data[found.end():]

	# ---- for tests ----

	def until(self, is_true, seconds=10):
		"""Fails after so many seconds and PATIENCE. The end of the command ends it, too."""
		end = time.monotonic() + seconds + PATIENCE
		while not is_true():
			if time.monotonic() > end:
				raise AssertionError('too late; the screen:\n' + self.screen())
			if select.select([self.fd], [], [], 0.2)[0]:
				try:
					data = os.read(self.fd, 65536)
				except OSError:
					data = b''
				if not data:
					self.ended = True
					assert is_true(), 'it ended; the screen:\n' + self.screen()
					return
				self.feed(data)

	def shows(self, text, seconds=10):
		self.until(lambda: text in self.screen(), seconds)

	def screen(self):
		return '\n'.join(line.rstrip() for line in self.lines).rstrip('\n')

	def type(self, text):
		os.write(self.fd, text)

	def is_restored(self):
		return self.modes == {'?25', '?7'} and termios.tcgetattr(self.fd) == self.settings

	def end(self):
		"""Reads the rest, and returns the wait status."""
		self.until(lambda: self.ended)
		return os.waitpid(self.pid, 0)[1]

	def frame(self):
		"""The lines of the newest frame, as they were written; none before it is complete"""
		text = self.raw.rsplit(b'\033[H', 1)[1]
		if b'\033[J' not in text:
			return []
		return SEQUENCE.sub(b'', text).decode().replace('\r', '').split('\n')

	def kill(self, number=signal.SIGKILL):
		os.kill(self.pid, number)


def state(pid):
	"""As ps has it: S, T"""
	with open(f'/proc/{pid}/stat') as f:
		return f.read().rsplit(')', 1)[1].split()[0]
