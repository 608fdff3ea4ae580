#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later

test_description='scohort check: cohort.yaml without Slurm

Messages, summary, JSON, exit status, where the file is sought; and that the
example and the man page agree with what is understood.'

. "$(dirname "$0")/../lib/offline.sh"

man=$top/doc/man/cohort.yaml.5
unset SLURM_CONF

cat >good.yaml <<'END'
flavors: [{name: f}]
cohorts: [{name: c}]
clusterQueues:
- name: q
  cohort: c
  match: [{user: u}]
  resourceGroups:
  - {coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=4}]}
END

cat >bad.yaml <<'END'
clusterQueues:
- name: q
  cohort: nowhere
priority: qoss
END

test_expect_success 'errors: all, by line, on standard error; exit 1' '
	cat >expect <<-\EOF &&
	bad.yaml:3: clusterQueues[0].cohort: "nowhere" is not in cohorts
	bad.yaml:4: priority: "qoss" is not qos, partition or job (did you mean qos?)
	EOF
	test_expect_code 1 scohort check bad.yaml >out 2>err &&
	test_cmp expect err &&
	test_must_be_empty out
'

test_expect_success 'a file that cannot be read; exit 1' '
	echo "absent.yaml: cannot be read: No such file or directory" >expect &&
	test_expect_code 1 scohort check absent.yaml 2>err &&
	test_cmp expect err
'

test_expect_success 'a slurmctld that does not answer: the file may be anybody'"'"'s' '
	mkdir down && cp good.yaml down/cohort.yaml &&
	{ [ "$(id -u)" != 0 ] || chown nobody down/cohort.yaml; } &&
	cat >down/slurm.conf <<-\EOF &&
	ClusterName=down
	SlurmctldHost=localhost(127.0.0.1)
	SlurmctldPort=1
	NodeName=n1
	PartitionName=p Nodes=n1
	EOF
	SLURM_CONF=$PWD/down/slurm.conf SCOHORT_TIMEOUT=2 scohort check >out 2>err &&
	grep "1 cluster queue" out && grep "does not answer: names, nodes and jobs were not" err
'

test_expect_success 'wrong calls: usage, exit 2' '
	test_expect_code 2 scohort 2>err && grep "^Usage: scohort" err &&
	test_expect_code 2 scohort chek 2>err && grep "unknown command \"chek\"" err &&
	test_expect_code 2 scohort check --jason 2>err &&
	grep "^scohort check: unrecognized option" err &&
	test_expect_code 2 scohort check good.yaml bad.yaml 2>err &&
	grep "^scohort check: unexpected argument \"bad.yaml\"" err
'

test_expect_success 'output that is lost is a failure' '
	test_expect_code 1 scohort --help >/dev/full 2>err &&
	grep "No space left" err
'

test_expect_success 'a good file: warnings, and a summary; exit 0' '
	cat >expect <<-\EOF &&
	good.yaml:4: warning: clusterQueues[0]: "q" lends cpu=4 of flavor f, but no other queue in cohort "c" may borrow it
	EOF
	scohort check good.yaml >out 2>err &&
	test_cmp expect err &&
	echo "good.yaml: 1 cohort, 1 cluster queue, 1 flavor" >expect &&
	test_cmp expect out
'

test_expect_success 'from a pipe' '
	echo "/dev/stdin: 1 cohort, 1 cluster queue, 1 flavor" >expect &&
	cat good.yaml | scohort check /dev/stdin 2>err >out &&
	test_cmp expect out
'

test_expect_success 'beside slurm.conf' '
	mkdir etc &&
	cp bad.yaml etc/cohort.yaml &&
	test_expect_code 1 env SLURM_CONF="$PWD/etc/slurm.conf" scohort check 2>err &&
	grep -F "$PWD/etc/cohort.yaml:3: " err
'

test_expect_success '--json: one object, errors and warnings as lists' '
	scohort check --json good.yaml >out 2>err &&
	test_must_be_empty err &&
	perl -MJSON::PP -e "local \$/; \$o = decode_json(<STDIN>);
		print join q( ), \$o->{file}, \$o->{valid} ? 1 : 0,
		@\$o{qw(cohorts clusterQueues flavors)},
		scalar @{\$o->{errors}}, scalar @{\$o->{warnings}}" <out >line &&
	printf "good.yaml 1 1 1 1 0 1" >expect &&
	test_cmp expect line &&
	test_expect_code 1 scohort check --json bad.yaml >out 2>err &&
	test_must_be_empty err &&
	perl -MJSON::PP -e "local \$/; \$o = decode_json(<STDIN>);
		print join qq(\n), \$o->{valid} ? 1 : 0,
		exists \$o->{cohorts} ? 1 : 0, @{\$o->{errors}}" <out >line &&
	printf "0\n0\n%s\n%s" \
		"bad.yaml:3: clusterQueues[0].cohort: \"nowhere\" is not in cohorts" \
		"bad.yaml:4: priority: \"qoss\" is not qos, partition or job (did you mean qos?)" \
		>expect &&
	test_cmp expect line
'

test_expect_success '--help and --version' '
	scohort --help >out && grep "^  check " out &&
	scohort check --help >out && grep "^Usage: scohort check" out &&
	scohort --version >out && grep "^scohort [0-9]" out
'

test_expect_success 'the example: right, and nothing to be said of it' '
	scohort check "$top/etc/cohort.yaml.example" >out 2>err &&
	test_must_be_empty err
'

# The keys of every map, as the message about an unknown key lists them
cat >unknown.yaml <<'END'
zzzzzzzzzzzz: 1
unmanaged: {zzzzzzzzzzzz: 1}
visibility: {zzzzzzzzzzzz: 1}
events: {zzzzzzzzzzzz: 1}
notify: {program: /p, zzzzzzzzzzzz: 1}
minRuntime: {zzzzzzzzzzzz: 1}
fairSharing: {zzzzzzzzzzzz: 1}
admissionFairSharing: {zzzzzzzzzzzz: 1}
flavors: [{name: f, zzzzzzzzzzzz: 1}]
cohorts: [{name: c, zzzzzzzzzzzz: 1, fairSharing: {zzzzzzzzzzzz: 1}}]
clusterQueues:
- name: q
  zzzzzzzzzzzz: 1
  match: [{zzzzzzzzzzzz: 1}]
  flavorFungibility: {zzzzzzzzzzzz: 1}
  preemption:
    zzzzzzzzzzzz: 1
    withinClusterQueueConfig: {zzzzzzzzzzzz: 1}
    borrowWithinCohort: {zzzzzzzzzzzz: 1}
  fairSharing: {zzzzzzzzzzzz: 1}
  admissionScope: {zzzzzzzzzzzz: 1}
  nonPreemptible: {zzzzzzzzzzzz: 1, match: [{zzzzzzzzzzzz: 1}]}
  localQueues: [{name: l, zzzzzzzzzzzz: 1, fairSharing: {zzzzzzzzzzzz: 1}}]
  resourceGroups:
  - coveredResources: [cpu]
    zzzzzzzzzzzz: 1
    flavors: [{name: f, nominalQuota: cpu=1, zzzzzzzzzzzz: 1,
      temporaryQuota: [{end: Mon, begin: Tue, nominalQuota: cpu=2, zzzzzzzzzzzz: 1}]}]
END

test_expect_success 'the man page has every key' '
	test_expect_code 1 scohort check unknown.yaml 2>err &&
	sed -n "s/.*known here: \(.*\))/\1/p" err >lists &&
	test "$(wc -l <lists)" -eq 26 &&
	sed "s/, /\n/g" lists | sort -u >keys &&
	grep -x minAdmitDuration keys &&
	{ grep -E "^\.(BR|B|SS) " "$man" && grep -o "fB[^\\]*" "$man" | cut -c3-; } >entries &&
	while read -r key; do
		grep -wq -e "$key" entries || echo "$key"
	done <keys >lacking &&
	test_must_be_empty lacking
'

test_expect_success 'the first example of the man page is right' '
	sed -n "/^\.SH EXAMPLES/,/^\.fi/{/^\.nf/,/^\.fi/{/^\./d;p}}" "$man" \
		>first.yaml &&
	echo "first.yaml: 1 cohort, 2 cluster queues, 1 flavor" >expect &&
	scohort check first.yaml >out 2>err &&
	test_must_be_empty err &&
	test_cmp expect out
'

test_done
