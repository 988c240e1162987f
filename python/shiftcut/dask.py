"""`ShiftedMinCut` for Dask arrays and DataFrames, with the labels of one machine.

The data stay where they are: workers run the functions of `shiftcut.blocks` on their blocks, and
the client sees a few numbers of each. All tasks are plain functions of other tasks' results, so a
worker that is lost costs what it held: the scheduler has it computed again.

Needs `pip install shiftcut[dask]`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

try:
    import dask
    import dask.array as da
    from dask.highlevelgraph import HighLevelGraph
    from distributed import Client, Future, get_client
except ImportError as error:
    raise ImportError(
        "shiftcut.dask needs Dask: install it with `pip install shiftcut[dask]`"
    ) from error

from ._arrays import Data
from ._checks import verbosity
from ._constructor import HasParameters
from ._estimator import ShiftedMinCut as _OneMachine
from ._links import links_of_fit
from ._parameters import check_parameters
from ._progress import ProgressLine
from ._warnings import warn_all
from .blocks import Clustered, cluster_with, predict

__all__ = ["ShiftedMinCut"]

_PATIENCE = 40.0  # seconds without workers or without progress, after which there is an error
_POLL = 0.1
_BETWEEN_CHECKS = 2.0


class ShiftedMinCut(ClusterMixin, HasParameters, BaseEstimator):  # type: ignore[misc]
    """Clustering by shifted pairwise similarities, on a Dask cluster.

    The parameters are those of `shiftcut.ShiftedMinCut`, and so are the labels, bit for bit, for
    any number of workers and any partitioning. Supported are dense rows of features (`similarity`
    other than "precomputed" and "precomputed_distance") without missing numbers, must-links and
    cannot-links of different rows, and bounds on sizes where no rows are equal. `learn_shift`,
    `cannot_link_groups`, shift matrices and weights of rows are not.

    With "neighbors" under the metrics "euclidean", "cosine" and "correlation", the workers search
    the neighbours; the graph of them is then clustered by one task, whose worker holds the distinct
    rows, ten neighbours of each and the graph: about 1 kB a row and the row itself. All other
    similarities are computed by one task that holds all rows.

    Parameters
    ----------
    n_clusters, ... : as for `shiftcut.ShiftedMinCut`
    n_jobs : int or None, default=None
        Threads of the tasks that run alone. None: as many as a worker has.
    max_seconds : float or None, default=None
        Time limit of the last task.
    verbose : int or bool, default=0
        1 shows a progress line on the client.

    Attributes
    ----------
    labels_ : dask array of shape (n_samples,)
        Cluster of each row, in blocks like those of X; cluster 0 is the largest. The blocks are on
        the workers.
    result_, cost_, n_clusters_, n_iter_, shift_, shift_path_, n_features_in_, feature_names_in_
        As for `shiftcut.ShiftedMinCut`. Contested objects in `result_["agreement"]` are numbers of
        different rows, in an order of their own.
    """

    # As in the estimator for one machine, which runs the same search with the same number.
    _region_rows = 0
    _bucket_bytes = 1 << 27

    def fit(
        self,
        X: Data,
        y: object = None,
        *,
        must_link: Data = None,
        cannot_link: Data = None,
        pair_weights: Data = None,
    ) -> Self:
        """Cluster the rows of X.

        Parameters
        ----------
        X : dask array or DataFrame of shape (n_samples, n_features)
            Numbers. A block that was lost must be the same when Dask computes it again: read it
            from files, or seed what makes it.
        y : ignored
        must_link, cannot_link, pair_weights : as in the constructor
            Each overrides the parameter of the same name for this fit.

        Returns
        -------
        self
        """
        given = {"must_link": must_link, "cannot_link": cannot_link, "pair_weights": pair_weights}
        parameters = self.get_params(deep=False)
        check_parameters(parameters)
        links = links_of_fit(parameters, given)
        blocks, names = _blocks_of(X)
        engine = _DaskEngine(_client(), verbose=verbosity(self.verbose))
        one_machine = _OneMachine(**(parameters | links))
        one_machine._region_rows = self._region_rows
        one_machine._bucket_bytes = self._bucket_bytes
        if self.n_jobs is None:
            one_machine.n_jobs = engine.most_threads()
        try:
            clustered = cluster_with(engine, engine.compute(blocks), one_machine)
        finally:
            engine.close()
        self._keep(clustered, names)
        return self

    def fit_predict(self, X: Data, y: object = None, **links: Data) -> da.Array:
        """Cluster the rows of X and return `labels_`."""
        return self.fit(X, y, **links).labels_

    def predict(self, X: Data) -> da.Array:
        """Assign each row to the cluster with the largest affinity, without refitting.

        Parameters
        ----------
        X : dask array or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        dask array of shape (n_samples,)
            Labels in blocks like those of X, computed when they are asked for. Under "neighbors",
            "rbf" and rows of few nonzero numbers, the workers that compute them hold the distinct
            rows of the fit.
        """
        check_is_fitted(self)
        blocks, _ = _blocks_of(X)
        model = dask.delayed(self._model)
        labels = [dask.delayed(predict, pure=False)(model, block) for block in blocks]
        rows = X.chunks[0] if isinstance(X, da.Array) else (np.nan,) * len(blocks)
        return _array_of(labels, rows)

    def _keep(self, clustered: Clustered, names: list[str] | None) -> None:
        self.labels_ = _array_of([dask.delayed(own) for own in clustered.labels], clustered.rows)
        self._model = clustered.model
        result = clustered.result
        self.result_ = result
        codes = [*result["warning_codes"], *[""] * len(result["warnings"])]
        warn_all((code, "", text) for code, text in zip(codes, result["warnings"], strict=False))
        self.cost_: float = np.nan if result["cost"] is None else result["cost"]
        self.n_clusters_: int = result["clusters_found"]
        best = min(result["restarts"], key=lambda restart: restart["cost"], default={"sweeps": 0})
        self.n_iter_: int = max(1, best["sweeps"])
        shift: dict[str, Any] = result["shift"]
        self.shift_ = {name: value for name, value in shift.items() if name != "path"}
        self.shift_path_: list[dict[str, Any]] = shift.get("path", [])
        self.n_features_in_ = clustered.columns
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)


def _client() -> Client:
    try:
        return get_client()
    except ValueError:
        raise ValueError(
            "shiftcut.dask: found no Dask client; allowed: any, such as distributed.Client()"
        ) from None


def _array_of(labels: Sequence[Any], rows: Sequence[float]) -> da.Array:
    """The blocks one after another; `da.concatenate` would leave out empty ones."""
    name = f"shiftcut-labels-{uuid.uuid4().hex}"
    layer = {(name, place): own.key for place, own in enumerate(labels)}
    graph = HighLevelGraph.from_collections(name, layer, dependencies=list(labels))
    return da.Array(graph, name, (tuple(rows),), dtype=np.int32)


def _to_numbers(part: Any) -> Any:  # noqa: ANN401
    """The numbers of a part of a DataFrame, as scikit-learn would convert the whole."""
    wrong = [str(name) for name, kind in part.dtypes.items() if kind.kind not in "fiub"]
    if wrong:
        raise ValueError(
            f"X: found columns that are not numbers ({', '.join(wrong[:5])}); allowed: numbers "
            "(encode text first)"
        )
    values = part.to_numpy()
    return values if values.dtype == np.float32 else values.astype(np.float64)


def _blocks_of(X: Data) -> tuple[list[Any], list[str] | None]:
    """The blocks of rows, not yet computed, and the names of the columns."""
    if isinstance(X, da.Array):
        if X.ndim != 2:
            raise ValueError(f"X: found {X.ndim} dimensions; allowed: 2")
        whole_rows = X if X.numblocks[1] == 1 else X.rechunk({1: -1})
        return list(whole_rows.to_delayed().ravel()), None
    if hasattr(X, "to_delayed") and hasattr(X, "columns"):
        names = [name for name in X.columns if isinstance(name, str)]
        parts = [dask.delayed(_to_numbers)(part) for part in X.to_delayed()]
        return parts, names if len(names) == len(X.columns) else None
    raise TypeError(
        f"X: found {type(X).__name__}; allowed: a dask array or DataFrame "
        "(shiftcut.ShiftedMinCut takes data that are in memory)"
    )


class _DaskEngine:
    """Runs the functions of `shiftcut.blocks` as tasks of a Dask cluster."""

    def __init__(self, client: Client, *, verbose: bool) -> None:
        self._client = client
        self._token = uuid.uuid4().hex
        self._count = 0
        self._submitted: dict[str, int] = {}
        self._done: dict[str, int] = {}
        self._progress = ProgressLine() if verbose else None
        self._seen: object = None
        self._since = time.monotonic()
        self._checked = 0.0

    def close(self) -> None:
        if self._progress is not None:
            self._progress.close()

    def most_threads(self) -> int:
        """Of the worker that has most."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return max((int(worker["nthreads"]) for worker in workers.values()), default=1)

    def compute(self, delayed: Sequence[Any]) -> list[Future]:
        futures: list[Future] = self._client.compute(list(delayed))
        return futures

    def submit(self, stage: str, function: Callable[..., Any], *arguments: Any) -> Future:  # noqa: ANN401
        self._count += 1
        future = self._client.submit(
            function,
            *arguments,
            key=f"shiftcut-{stage}-{self._token}-{self._count}",
            pure=False,
        )
        self._submitted[stage] = self._submitted.get(stage, 0) + 1
        if self._progress is not None:
            done = self._done
            future.add_done_callback(lambda _: done.__setitem__(stage, done.get(stage, 0) + 1))
        return future

    def get(self, handles: Sequence[Future]) -> list[Any]:
        return [self._result(handle) for handle in handles]

    def _result(self, future: Future) -> Any:  # noqa: ANN401
        while True:
            while not future.done():
                self._look_after(future)
                time.sleep(_POLL)
            if future.status == "cancelled":
                raise RuntimeError(
                    f"the task {_stage_of(future)} was cancelled: the cluster was closed or "
                    "restarted, or lost data that only the client had"
                )
            try:
                return future.result(timeout=_PATIENCE)
            except TimeoutError:  # its worker was lost on the way: it is computed again
                self._look_after(future)
            except Exception as error:
                if type(error).__name__ != "KilledWorker":
                    raise
                raise RuntimeError(
                    f"workers died again and again in the task {_stage_of(future)}, most likely "
                    "for want of memory; give the workers more memory each, or X smaller blocks"
                ) from error

    def _look_after(self, future: Future) -> None:
        """Show progress; RuntimeError where there has been none for too long."""
        self._show()
        now = time.monotonic()
        if now < self._checked + _BETWEEN_CHECKS:
            return
        self._checked = now
        if self._client.status != "running":
            raise RuntimeError("the connection to Dask's scheduler is lost")
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        states = sorted(
            (str(address), worker.get("status"), _tasks(worker))
            for address, worker in workers.items()
        )
        busy = any(
            status == "running" and tasks.get("executing", 0) > 0 for _, status, tasks in states
        )
        seen = [(address, status, sorted(tasks.items())) for address, status, tasks in states]
        if busy or seen != self._seen:
            self._seen, self._since = seen, now
        elif now - self._since > _PATIENCE:
            paused = [address for address, status, _ in states if status == "paused"]
            reason = (
                "there are no workers"
                if not states
                else "all workers are paused, as their memory is full: give them more, or use more"
                if len(paused) == len(states)
                else "no worker does anything"
            )
            raise RuntimeError(
                f"no progress for {_PATIENCE:.0f} seconds in the task {_stage_of(future)}: {reason}"
            )

    def _show(self) -> None:
        if self._progress is None:
            return
        for stage, total in self._submitted.items():
            done = self._done.get(stage, 0)
            if done < total:
                self._progress({"phase": stage, "done": done, "total": total if total > 1 else 0})
                return


def _tasks(worker: dict[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = worker.get("metrics", {}).get("task_counts", {})
    return dict(counts)


def _stage_of(future: Future) -> str:
    parts = str(future.key).split("-")
    return parts[1] if parts[0] == "shiftcut" and len(parts) > 1 else str(future.key)
