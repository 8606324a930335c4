"""Problems by the thousand: each answer is compared with a second way to it.

python -m benchmarks.problems [SEEDS]    (1,000 seeds of every kind: about four minutes)

Prints for each kind the tolerance that it grants a student, the largest relative error of the
second way (`tests.page.second_ways`), and how many seeds are outside it. Ends with status 1 if
any is, or if an answer is not finite.
"""

import math
import sys
import time

from tests.page.second_ways import relative_error
from tunables.page.chapters import with_facet
from tunables.page.problem import kinds, make_problem


def main(seeds=1000):
    outside = 0
    for chapter in with_facet("problems"):
        for kind in kinds(chapter):
            start = time.perf_counter()
            problems = [make_problem(chapter, seed, kind) for seed in range(seeds)]
            made_s = time.perf_counter() - start
            assert all(math.isfinite(problem.answer) for problem in problems)
            errors = [relative_error(problem) for problem in problems]
            granted = problems[0].tolerance
            missed = sum(bool(error > granted) for error in errors)
            outside += missed
            different = len({problem.question for problem in problems})
            print(
                f"chapter {chapter} {kind:20} tolerance {granted:5.1%}, largest error "
                f"{max(errors):8.4%}, outside {missed}, different {different}, "
                f"{1000 * made_s / seeds:.2f} ms a problem",
                flush=True,
            )
    return min(outside, 1)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
