# SPDX-License-Identifier: GPL-2.0-or-later
"""A private cluster of eight nodes with four CPUs: jobs that begin, and end"""
import os
import re
import subprocess
import time

NODES, CPUS = 8, 4
PATIENCE = int(os.environ.get('COHORT_PATIENCE', '60'))    # as testsuite/lib.sh has it


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=60, check=False).stdout


def submit(*words):
    """The id of the job. What sbatch says besides is not a part of it"""
    done = subprocess.run(('sbatch', '--parsable', *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError('sbatch %s: %s' % (' '.join(words), done.stderr))
    return int(done.stdout)


def wait_for(seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    return None


class Job:
    """A running job: `cpus` on each of `nodes`"""

    def __init__(self, queue, nodes, cpus):
        self.queue, self.nodes, self.cpus = queue, nodes, cpus
        self.id = self.start = None

    def held(self):
        return self.cpus * len(self.nodes)

    def begin(self, choose=True):
        """On its nodes; or where Slurm chooses"""
        where = ['-w', ','.join('n%d' % (v + 1) for v in self.nodes)] if choose else ['--immediate=%d' % (5 + PATIENCE)]
        out = run('salloc', '--no-shell', '-A', self.queue, '-t', '60', '-N',
                  str(len(self.nodes)), '--ntasks-per-node', str(self.cpus), *where)
        found = re.search(r'Granted job allocation (\d+)', out)
        if not found:
            raise RuntimeError('no allocation for ' + self.queue + ': ' + out)
        self.id = int(found.group(1))


def running(number):
    return run('squeue', '-h', '-j', str(number), '-o', '%T').strip() == 'RUNNING'


def clear():
    for job in run('squeue', '-h', '-o', '%i').split():
        run('scancel', job)
    return wait_for(30 + PATIENCE, lambda: not run('squeue', '-h').strip())
