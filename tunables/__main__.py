"""`python -m tunables`."""

import sys


def main() -> int:
    """Run a command. Ctrl-C ends it with one sentence, also while its parts are still imported."""
    try:
        from tunables.interrupts import end_on_interrupt

        end_on_interrupt()
        from tunables.cli import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr is not None:  # as the shell's 2>&- leaves it
            print("\ntunables: stopped", file=sys.stderr)
        return 128 + 2


if __name__ == "__main__":
    sys.exit(main())
