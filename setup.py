"""Puts folders that a checkout has at its top into the package; the rest is in pyproject.toml."""

from pathlib import Path
from shutil import copytree, rmtree

from setuptools import setup
from setuptools.command.build_py import build_py

SHARED = ("data", "_build/front")  # the second is there once `make widgets` has built it


class BuildWithShared(build_py):
    """Copies SHARED beside the modules; an editable install reads them where they are."""

    def run(self):
        if self.editable_mode:
            return super().run()
        rmtree(self.build_lib, ignore_errors=True)  # of modules that have gone since
        super().run()
        for folder in filter(Path.is_dir, map(Path, SHARED)):
            copytree(folder, Path(self.build_lib, "tunables", folder.name))


setup(cmdclass={"build_py": BuildWithShared}, options={"build": {"build_base": "_build/wheel"}})
