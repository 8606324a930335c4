#!/bin/sh
# Makes the environment that Binder would, without docker, and runs the tests of Jupyter in it:
#     sh binder/try.sh [FOLDER]
# Base is what repo2docker installs for the Python of runtime.txt, in the versions of its own lock;
# then come requirements.txt and postBuild, over the last commit. It asks the package registries,
# takes some minutes, and leaves what it made in FOLDER, which is a new one if not given.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$(mktemp -d)}
mkdir -p "$folder/project"
git -C "$root" archive HEAD | tar -x -C "$folder/project"
cd "$folder"
"$root/.venv/bin/python" -m venv environment
PATH=$folder/environment/bin:$PATH
export JUPYTER_DATA_DIR="$folder/data"

python -m pip download --quiet --no-deps --dest . jupyter-repo2docker==2026.4.0
python - <<'PYTHON'
import re
import zipfile
from pathlib import Path

# What a notebook meets of the lock: the rest comes with these, or belongs to the hub.
WANTED = """ipykernel ipython ipywidgets jupyter_client jupyter_core jupyter_server jupyterlab
jupyterlab_server jupyterlab_widgets notebook traitlets widgetsnbextension""".split()
version = Path("project/binder/runtime.txt").read_text().strip().removeprefix("python-")
wheel = zipfile.ZipFile(next(Path().glob("*.whl")))
lock = wheel.read(f"repo2docker/buildpacks/conda/environment.py-{version}-linux-64.lock").decode()
locked = dict(re.findall(r"/([\w.-]+?)-(\d[\w.]*)-\w+\.(?:conda|tar\.bz2)", lock))
Path("base.txt").write_text("".join(f"{name}=={locked[name]}\n" for name in WANTED))
PYTHON
cat base.txt
python -m pip install --quiet --disable-pip-version-check -r base.txt
cd project
python -m pip install --quiet --disable-pip-version-check -r binder/requirements.txt
sh binder/postBuild
echo "The environment is in $folder/environment."

cd "$root"
unset JUPYTER_DATA_DIR
TUNABLES_BINDER=$folder PYTHONPATH=$root .venv/bin/python -m pytest -n 0 tests/jupyter
