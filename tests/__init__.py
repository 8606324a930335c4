"""Tests: they mirror the package, and read the notebooks and the built pages."""
