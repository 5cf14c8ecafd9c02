"""A Dask scheduler with two workers on this machine, until stdin ends: `on_a_cluster.py FOLDER tls|tcp [PRELOAD]`.

Prints `scheduler URL`. With tls the certificates stand in FOLDER: CA_FILE, CLIENT__CERT, CLIENT__KEY. PRELOAD is a file
that each worker runs first. A line `kill` on stdin kills a worker.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path

import dask.config
from distributed import LocalCluster, Security


def main(folder: Path, scheme: str, preload: list[str]) -> None:
    security = None
    if scheme == "tls":
        security = Security.temporary()
        pems = (security.tls_ca_file, security.tls_client_cert, security.tls_client_key)
        for name, pem in zip(("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"), pems, strict=True):
            (folder / name).write_text(str(pem))
    dask.config.set({"distributed.worker.preload": preload})
    with LocalCluster(
        n_workers=2, threads_per_worker=1, security=security, dashboard_address=":0", silence_logs=logging.CRITICAL
    ) as cluster:
        print("scheduler", cluster.scheduler_address, flush=True)
        for line in sys.stdin:
            if line == "kill\n":
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
                print("killed", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
