#!/bin/sh
# Makes .venv: Python 3.12 with everything that running and testing needs.
# Needs nothing but some python3; what is missing comes from the package registry.
set -eu
cd "$(dirname "$0")/.."

UV_VERSION='uv>=0.5,<1'

is_312() {
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' >/dev/null 2>&1
}

# Prints the first Python 3.12 that really runs: a version manager's shim may be there and fail.
find_python() {
    for candidate in \
        "${PYTHON:-}" python3.12 python3 python \
        "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.12*/bin/python \
        "${HOME:-}"/.pyenv/versions/3.12*/bin/python \
        /usr/local/bin/python3.12 /opt/homebrew/bin/python3.12; do
        if [ -n "$candidate" ] && is_312 "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
}

# Prints a uv: the one on the PATH, or one installed into .tools.
find_uv() {
    if uv --version >/dev/null 2>&1; then
        command -v uv
        return
    fi
    if ! .tools/bin/uv --version >/dev/null 2>&1; then
        python3 -m venv --clear .tools >&2
        .tools/bin/pip install --quiet --disable-pip-version-check "$UV_VERSION" >&2
    fi
    echo .tools/bin/uv
}

uv=$(find_uv)
if ! is_312 .venv/bin/python; then
    python=$(find_python)
    # Without a 3.12 on the machine, uv looks in more places and may fetch one.
    "$uv" venv --quiet --clear --python "${python:-3.12}" .venv
fi
"$uv" pip install --quiet --python .venv/bin/python -r requirements-dev.txt
touch .venv/.ready
