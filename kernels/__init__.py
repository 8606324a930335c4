"""The simulators' kernels as WebAssembly, compiled from the same Python source as numba's."""
