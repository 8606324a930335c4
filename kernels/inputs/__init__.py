"""How to call the kernels of each chapter, a module a chapter, and of what belongs to none."""
