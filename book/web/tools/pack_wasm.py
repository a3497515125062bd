"""Packs a WebAssembly module into a classic script, which a page can load from a disk as well as from a server.

Browsers refuse to fetch files, and modules of scripts, under file://; a script tag they follow. So the module is
compressed, written as text and registered by name: `lanes.wasm["lanes-model"]`, which load_wasm.js unpacks.
"""

import argparse
import base64
import gzip
from pathlib import Path


def script(name: str, module: bytes) -> str:
    """The script that registers a module under a name."""
    text = base64.b64encode(gzip.compress(module, compresslevel=9, mtime=0)).decode("ascii")
    return f"((globalThis.lanes ??= {{}}).wasm ??= {{}})['{name}'] = '{text}';\n"


def main() -> None:
    """Packs one module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="the script; its name is the module's")
    arguments = parser.parse_args()
    arguments.output.write_text(script(arguments.output.stem, arguments.module.read_bytes()), encoding="ascii")


if __name__ == "__main__":
    main()
