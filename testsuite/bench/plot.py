#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""plot.py - a plot of what was measured in several sizes, as SVG

	plot.py TITLE <LINES >FILE.svg

Each line has a size, the name of a curve and a value above zero: "10000 ten 16.1".
Both axes are logarithmic; several values of one size and curve are drawn as their
median.
"""

import math
import statistics
import sys

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 110, 40, 50
COLORS = ('#777777', '#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#8c564b')


def read(lines):
	"""{curve: {size: median}}, in the order in which the curves come"""
	values = {}
	for line in lines:
		size, curve, value = line.split()
		values.setdefault(curve, {}).setdefault(float(size), []).append(float(value))
	return {curve: {size: statistics.median(found) for size, found in sorted(sizes.items())}
		for curve, sizes in values.items()}


class Axis:
	"""From a value to a place, and the powers of ten in between"""

	def __init__(self, values, begin, end):
		self.low = math.floor(math.log10(min(values)))
		self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
		self.begin, self.end = begin, end

	def place(self, value):
		part = (math.log10(value) - self.low) / (self.high - self.low)
		return self.begin + part * (self.end - self.begin)

	def ticks(self):
		return [10 ** k for k in range(self.low, self.high + 1)]


def text(x, y, words, anchor='middle', color='#000000'):
	return '<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>' % (x, y, anchor, color, words)


def line(x1, y1, x2, y2):
	return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>' % (x1, y1, x2, y2)


def grid(x, y):
	for tick in x.ticks():
		at = x.place(tick)
		yield line(at, TOP, at, HEIGHT - BOTTOM)
		yield text(at, HEIGHT - BOTTOM + 18, '{:,}'.format(tick))
	for tick in y.ticks():
		at = y.place(tick)
		yield line(LEFT, at, WIDTH - RIGHT, at)
		yield text(LEFT - 8, at + 4, '%g' % tick, 'end')


def curve(name, points, color):
	yield '<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>' % (
		color, ' '.join('%.1f,%.1f' % point for point in points))
	for point in points:
		yield '<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (*point, color)


def names(ends):
	"""At the ends of the curves, none above another"""
	lowest = -1e9
	for at, name, color in sorted((y, name, color) for name, (y, color) in ends.items()):
		lowest = max(at + 4, lowest + 14)
		yield text(WIDTH - RIGHT + 8, lowest, name, 'start', color)


def plot(title, curves):
	sizes = [size for points in curves.values() for size in points]
	values = [value for points in curves.values() for value in points.values()]
	x = Axis(sizes, LEFT, WIDTH - RIGHT)
	y = Axis(values, HEIGHT - BOTTOM, TOP)
	ends = {}
	yield '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (WIDTH, HEIGHT)
	yield '<rect width="100%" height="100%" fill="#ffffff"/>'
	yield text(WIDTH / 2, 22, title)
	yield from grid(x, y)
	for (name, points), color in zip(curves.items(), COLORS * len(curves)):
		places = [(x.place(size), y.place(value)) for size, value in points.items()]
		yield from curve(name, places, color)
		ends[name] = (places[-1][1], color)
	yield from names(ends)
	yield '</svg>'


if __name__ == '__main__':
	print('\n'.join(plot(sys.argv[1], read(sys.stdin))))
