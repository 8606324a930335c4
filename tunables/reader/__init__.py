"""What a reader touches: charts, explorers, problem sets."""
