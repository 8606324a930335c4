"""Build modules: all, or those named.

python -m kernels [NAME ...]
"""

import sys

from kernels.entries import module_names
from kernels.modules import FOLDER, build

if __name__ == "__main__":
    for name in sys.argv[1:] or module_names():
        build(name, FOLDER)
