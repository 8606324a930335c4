"""What users see and operate: charts, explorers, problem sets."""
