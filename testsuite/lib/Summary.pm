# SPDX-License-Identifier: GPL-2.0-or-later
#
# Summary.pm - prove's harness, with a line for each version of Slurm, and for what needs none
#
# Tests are named VERSION/NAME (testsuite/check). Before prove's own summary it
# says how many ran in each version, and which were skipped, and why; then what
# those that failed said: their last comments, and the file VERSION/NAME.err.
# $COHORT_VERSIONS names the file with what is to be said of a version, "VERSION,
# words, why it was not run" with tabs between.

package Summary;

use strict;
use warnings;
use parent 'TAP::Harness';

use constant COMMENTS => 120;	# lines that are kept of each program

my (%programs, %tests, %skipped, %comments);

sub _note_skip {
	my ($version, $name, $why) = @_;
	push @{ $skipped{$version} }, "$name: " . ($why || 'no reason given');
}

sub _watch {
	my ($parser, $job) = @_;
	my $of = $job->[1] // $job->[0];
	my ($version, $name) = split m{/}, $of, 2;

	$name =~ s/\.t$//;
	$programs{$version}++;
	$parser->callback(test => sub {
		my ($test) = @_;
		if ($test->has_skip) {
			_note_skip($version, "$name " . $test->number, $test->explanation);
		} else {
			$tests{$version}++;
		}
	});
	$parser->callback(comment => sub {
		my ($comment) = @_;
		my $kept = $comments{$of} //= [];
		push @$kept, $comment->as_string . "\n";
		shift @$kept if @$kept > COMMENTS;
	});
	$parser->callback(plan => sub {
		my ($plan) = @_;
		_note_skip($version, $name, $plan->explanation) if $plan->has_skip;
	});
}

sub new {
	my $self = shift->SUPER::new(@_);

	$self->callback(made_parser => \&_watch);
	return $self;
}

sub _print_version {
	my ($version, $words, $why) = @_;

	if ($why) {
		print "$words: not run: $why\n";
		return;
	}
	printf "%s: %d programs, %d tests ran, %d skipped\n", $words,
		$programs{$version} // 0, $tests{$version} // 0,
		scalar @{ $skipped{$version} // [] };
	print "  skipped: $_\n" for sort @{ $skipped{$version} // [] };
}

sub _print_words {
	my ($name) = @_;

	print "\n$name said:\n", @{ $comments{$name} // [] };
	open my $file, '<', "$name.err" or return;
	print <$file>;
}

sub summary {
	my ($self, $aggregate) = @_;

	if (open my $file, '<', $ENV{COHORT_VERSIONS} // '/dev/null') {
		while (<$file>) {
			chomp;
			_print_version(split /\t/);
		}
	}
	_print_words($_) for grep { ($aggregate->parsers($_))[0]->has_problems }
		$aggregate->descriptions;
	$self->SUPER::summary($aggregate);
}

1;
