"""Ctrl-C, time limits and threads."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from shiftcut import ShiftcutWarning, ShiftedMinCut

from .data import blobs

ENDLESS = 10**6  # restarts: hours of them


def endless(max_seconds: float | None = None) -> ShiftedMinCut:
    return ShiftedMinCut(
        8,
        similarity="linear",
        method="local-search",
        n_init=ENDLESS,
        max_seconds=max_seconds,
        random_state=0,
    )


@pytest.mark.parametrize("view", ["linear", "neighbors", "rbf", "graph"])
def test_ctrl_c_raises(view: str) -> None:
    script = f"""
        import signal
        import sys
        import numpy as np
        from scipy import sparse
        from shiftcut import ShiftedMinCut
        signal.signal(signal.SIGINT, signal.default_int_handler)  # off in background jobs
        X = np.random.default_rng(0).normal(size=(3000, 10))
        kind = {view!r}
        if kind == "graph":
            X, kind = sparse.csr_array(np.tril(X @ X.T, -1) > 6).astype(float), "precomputed"
            X = X + X.T
        print("ready", flush=True)
        try:
            ShiftedMinCut(8, similarity=kind, shift="adaptive", n_init={ENDLESS}).fit(X)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert process.wait(timeout=30) == 7


NO_THREADS = """
    import ctypes
    import signal
    import warnings
    import numpy as np
    from shiftcut import ShiftedMinCut
    signal.signal(signal.SIGINT, signal.default_int_handler)  # off in background jobs
    warnings.simplefilter("ignore")
    X = np.random.default_rng(0).normal(size=(300, 5))
    usual = ShiftedMinCut(3, n_jobs=2, random_state=0).fit(X)
    library, attributes = ctypes.CDLL(None), ctypes.create_string_buffer(256)
    library.pthread_attr_init(attributes)
    # Stacks of more bytes than there are addresses.
    assert library.pthread_attr_setstacksize(attributes, ctypes.c_size_t(1 << 60)) == 0
    assert library.pthread_setattr_default_np(attributes) == 0
"""


def python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(NO_THREADS) + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_threads_that_cannot_be_started_change_nothing() -> None:
    """Not even the one that the work is done on, while another looks for Ctrl-C."""
    shown = python("""
        model = ShiftedMinCut(3, n_jobs=8, random_state=0).fit(X)
        print((model.labels_ == usual.labels_).all(), model.result_["threads"])
        print([w for w in model.result_["warnings"] if "threads" in w])
    """)
    assert shown.startswith("True 1\n['Only 1 of 8 threads could be started")


def test_ctrl_c_raises_where_no_thread_can_be_started() -> None:
    shown = python(f"""
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            ShiftedMinCut(3, n_init={ENDLESS}, method="local-search").fit(X)
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert shown == "interrupted\n"


def test_a_time_limit_keeps_the_best_so_far() -> None:
    with pytest.warns(ShiftcutWarning, match="Stopped by the time limit"):
        model = endless(max_seconds=0.3).fit(blobs(2000, 8))
    assert model.result_["stop_reason"] == "max_seconds"
    assert model.cost_ == min(r["cost"] for r in model.result_["restarts"])
    assert model.transform(blobs(2000, 8)).max(axis=1).sum() == pytest.approx(
        -model.cost_, rel=1e-6
    )


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
def test_two_fits_run_side_by_side() -> None:
    # One after the other they would take the sum of what each takes in the library.
    points = blobs(2000, 8)
    models = [endless(1.0), endless(1.0)]
    threads = [threading.Thread(target=model.fit, args=[points]) for model in models]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    elapsed = time.monotonic() - begin
    assert elapsed < 0.9 * sum(model.result_["seconds"]["total"] for model in models)


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
def test_python_goes_on_during_a_fit() -> None:
    points = blobs(2000, 8)
    thread = threading.Thread(target=lambda: endless(1.0).fit(points))
    thread.start()
    time.sleep(0.2)
    ticks = 0
    while thread.is_alive():
        time.sleep(0.01)
        ticks += 1
    assert ticks > 20


def test_the_number_of_threads_changes_nothing() -> None:
    points = blobs(3000, 16, groups=6)
    for kind in ("linear", "neighbors"):
        one, two = (
            ShiftedMinCut(6, similarity=kind, n_jobs=jobs, random_state=0).fit(points)
            for jobs in (1, 2)
        )
        assert (one.result_["threads"], two.result_["threads"]) == (1, 2)
        np.testing.assert_array_equal(one.labels_, two.labels_)
        assert one.cost_ == two.cost_


def test_n_jobs_counts_as_joblib_does() -> None:
    import joblib

    points = blobs(30)
    assert ShiftedMinCut(2, random_state=0).fit(points).result_["threads"] == 1
    everything = ShiftedMinCut(2, n_jobs=-1, random_state=0).fit(points)
    assert everything.result_["threads"] == joblib.cpu_count()
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert ShiftedMinCut(2, random_state=0).fit(points).result_["threads"] == 2
    with pytest.raises(ValueError, match="n_jobs == 0"):
        ShiftedMinCut(2, n_jobs=0).fit(points)
