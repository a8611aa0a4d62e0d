"""Serves a small model on a loopback port until it is told to end; a program of its own, because the engine
takes threads and memory for as long as its process lives.

    python serve.py MODEL.gguf

Prints the address when it listens. The engine is no dependency of the project: `make e2e` puts it on the
path of this program alone.
"""

from __future__ import annotations

import importlib
import signal
import sys
from types import ModuleType

WINDOW = 8192


def main(model: str) -> None:
    engine: ModuleType = importlib.import_module("xllamacpp")
    params = engine.CommonParams()
    params.model.path = model
    params.model_alias = {"smollm2"}
    params.n_ctx = WINDOW
    params.n_parallel = 1
    params.port = 0
    server = engine.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main(sys.argv[1])
