# SPDX-License-Identifier: GPL-2.0-or-later
"""backup.py - a second slurmctld, that takes control when the first one is killed

Both have the same port, each at an address of the loopback of its own, under a
host name of its own (namespaces; root).
"""

import os
import signal
import subprocess
import time

CONF = """\
SlurmctldHost=ctla(127.0.0.1)
SlurmctldHost=ctlb(127.0.0.2)
SlurmctldTimeout=6
CommunicationParameters=NoCtldInAddrAny
"""
AS_HOST = 'mount --bind "$1" /etc/hosts && hostname "$2" && shift 2 && exec "$@"'
IN_CONTROL = 'Running as primary controller'


class Backup:
	def __init__(self, cluster):
		self.cluster, self.process = cluster, None
		self.conf = cluster.folder + '/etc/ctlb.conf'
		self.log = cluster.folder + '/log/ctlb.log'
		self.hosts = cluster.folder + '.hosts'
		with open(self.hosts, 'w', encoding='utf-8') as file:
			file.write('127.0.0.1 localhost ctla\n127.0.0.2 ctlb\n')

	def as_host(self, name, command):
		return ['unshare', '-u', '-m', 'bash', '-c', AS_HOST, 'as_host', self.hosts, name] + list(command)

	def start(self):
		"""When the cluster is up"""
		with open(self.cluster.folder + '/etc/slurm.conf', encoding='utf-8') as file:
			text = file.read()
		for key, value in (('LogFile', self.log), ('PidFile', self.cluster.folder + '/run/ctlb.own')):
			text = '\n'.join(line for line in text.split('\n')
					 if not line.startswith('Slurmctld%s=' % key))
			text += '\nSlurmctld%s=%s\n' % (key, value)
		with open(self.conf, 'w', encoding='utf-8') as file:
			file.write(text)
		# by this testsuite/cluster finds it when it takes the cluster down
		env = dict(self.cluster.env, SLURM_COHORT_CLUSTER=self.cluster.folder)
		# without them it may hang for ever as it gives up control (lib/preload.sh)
		preload = self.cluster.manage_words('preload').split()
		with open(self.cluster.folder + '/log/ctlb.out', 'ab') as out:
			self.process = subprocess.Popen(
				self.as_host('ctlb', preload + ['slurmctld', '-D', '-f', self.conf]), env=env,
				stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)

	def stop(self):
		if self.process and self.process.poll() is None:
			self.process.terminate()
			try:
				self.process.wait(30)
			except subprocess.TimeoutExpired:
				self.process.kill()
				self.process.wait()

	def alive(self):
		return self.process.poll() is None

	def controls(self, log):
		"""How often the one with that log has come to be in control"""
		try:
			with open(log, encoding='utf-8', errors='replace') as file:
				return file.read().count(IN_CONTROL)
		except FileNotFoundError:
			return 0

	def wait_control(self, log, before, seconds=90):
		end = time.time() + seconds
		while time.time() < end:
			if self.controls(log) > before and self.cluster.run(['squeue', '-h'], 5)[0] == 0:
				return True
			time.sleep(0.3)
		return False

	def kill_first(self):
		with open(self.cluster.folder + '/run/slurmctld.pid', encoding='utf-8') as file:
			os.kill(int(file.read().split()[0]), signal.SIGKILL)
