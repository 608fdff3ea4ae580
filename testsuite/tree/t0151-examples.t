#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of examples.md are what the engine does: each block
# "scenario" (or "scenario-change", whose keys replace those of the one before)
# is asked, and must be answered as the "answer" after it says.
test_description='examples of the rules, run from their page'
. "$(dirname "$0")/../lib.sh"

doc=$TESTSUITE/tree/examples.md

# examples: each with what it expects, one a line
examples() {
	perl -MJSON::PP -e '
		my ($kind, $text, $last, %open) = ("", "");
		my $json = JSON::PP->new->canonical;
		my $read = sub {
			my $o = eval { $json->decode($text) };
			return $o // die "line $.: $@";
		};
		while (<STDIN>) {
			if ($kind ne "" && /^```$/) {
				my $o = $read->();
				if ($kind eq "answer") {
					die "line $.: no scenario before the answer\n" if !%open;
					print $json->encode({ rules => "slurm-cohort", %open, expected => $o }), "\n";
					%open = ();
				} else {
					die "line $.: no answer to the scenario before\n" if %open;
					%open = $kind eq "scenario" ? %$o : (%$last, %$o);
					$last = { %open };
				}
				$kind = "";
			} elsif ($kind ne "") {
				$text .= $_;
			} elsif (/^```(scenario|scenario-change|answer)$/) {
				($kind, $text) = ($1, "");
			}
		}
		die "no answer to the last scenario\n" if %open;'
}

test_expect_success 'there are examples, and each has an answer' '
	examples <"$doc" >all &&
	grep -c "^\`\`\`scenario" "$doc" >scenarios &&
	wc -l <all >count &&
	test_cmp scenarios count &&
	test "$(cat count)" -ge 12
'

test_expect_success 'every answer is what the engine does' '
	engine-lab eval --check all >out || { cat out; false; }
'

test_expect_success 'an answer that is wrong would be found' '
	sed "s/\"victims\": \[{\"workload\": \"a-6-later\"/\"victims\": [{\"workload\": \"a-2\"/" \
		"$doc" | examples >wrong &&
	test_expect_code 1 engine-lab eval --check wrong >out &&
	grep "1 differs" out
'

test_done
