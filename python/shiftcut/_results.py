"""What can be asked about the result of a fit."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import Data, Floats, Labels, Matrix, core_values
from ._checks import count, index
from ._files import replace_file
from ._fitted import Fitted
from ._input_values import TakesData
from ._parameters import core_options

if TYPE_CHECKING:
    from ._explore import Exploration
    from ._widget import ExplorerWidget


class HasResults(TakesData):
    """The fitted attributes, and questions about them that need the data again."""

    _fitted: Fitted

    def _keep(self, labels: Labels, result: dict[str, Any]) -> None:
        del result["labels"]
        self.labels_ = labels
        self.result_ = result
        self.cost_: float = np.nan if result["cost"] is None else result["cost"]
        self.n_clusters_: int = result["clusters_found"]
        best = min(result["restarts"], key=lambda restart: restart["cost"], default={"sweeps": 0})
        self.n_iter_: int = max(1, best["sweeps"])
        shift: dict[str, Any] = result["shift"]
        self.shift_ = {name: value for name, value in shift.items() if name != "path"}
        self.shift_path_: list[dict[str, Any]] = shift.get("path", [])

    @property
    def layout_(self) -> Floats:
        """A place in the plane for each object, n_samples x 2: near objects are near each other.

        Computed when it is first asked for. The same for the same `random_state` and any `n_jobs`.
        """
        if not hasattr(self, "_fitted"):
            raise AttributeError("layout_ is there after a fit")
        layout = self._fitted.layout()
        if layout is None:
            raise AttributeError(
                "layout_ needs the data: a model that was copied, unpickled or loaded has it only "
                "if it was computed before"
            )
        return layout

    @property
    def clusters_(self) -> list[list[Hashable]]:
        """The names of the nodes in each cluster of a graph, the largest cluster first."""
        clusters: list[list[Hashable]] = [[] for _ in range(self.n_clusters_)]
        for name, label in zip(self._names("clusters_"), self.labels_.tolist(), strict=True):
            clusters[label].append(name)
        return clusters

    @property
    def labels_by_name_(self) -> dict[Hashable, int]:
        """The cluster of each node of a graph, by its name."""
        names = self._names("labels_by_name_")
        labels = dict(zip(names, self.labels_.tolist(), strict=True))
        if len(labels) < len(names):
            raise ValueError(
                f"labels_by_name_: found {len(names) - len(labels)} names that occur before; "
                "allowed: a different name for each node (node_names_ and labels_ have all)"
            )
        return labels

    @property
    def node_names_(self) -> list[Hashable]:
        """The names of the nodes of a graph, in the order of `labels_`."""
        return list(self._names("node_names_"))

    def _names(self, attribute: str) -> list[Hashable]:
        if self._node_names is None or not hasattr(self, "labels_"):
            raise AttributeError(
                f"{attribute} is there after a fit to a graph of networkx or igraph"
            )
        return self._node_names

    def explain(self, sample: int, X: Data = None, n_ties: int = 5) -> dict[str, Any]:
        """Explain why a training sample is in its cluster.

        Parameters
        ----------
        sample : int
            Index of the sample.
        X : as for `fit`, or None, default=None
            The training data. None: the data passed to `fit`, which are not available after
            copying or unpickling.
        n_ties : int, default=5
            How many of the strongest similarities to list for each of the two clusters.

        Returns
        -------
        dict
            `own` and `next` (the best alternative, or None if there is none; `cluster` -1 is a new
            cluster), each with `cluster`, `size`, `affinity` and the strongest `ties`; `margin`,
            the affinity to `own` minus that to `next` (moving the sample would raise the cost by
            twice that); the samples linked to it by `must_link`, `cannot_link` and weighted pairs
            (`uncertain`); and `rival`, a sample in `next` from its group in `cannot_link_groups`,
            or None.
        """
        values, options = self._asked_again(X)
        place = index(sample, len(self.labels_))
        text = _core.explain(
            core_values(values),
            self._shape(values),
            options,
            self.labels_,
            place,
            count("n_ties", n_ties),
            self._fitted.run,
        )
        explanation: dict[str, Any] = json.loads(text)
        return explanation

    def report(
        self,
        path: str | os.PathLike[str],
        X: Data = None,
        y: Data = None,
        *,
        title: str = "ShiftedMinCut",
        names: Data = None,
    ) -> None:
        """Write a page about the clusters, one HTML file to be opened in any browser.

        Parameters
        ----------
        path : str or path-like
        X : as for `fit`, or None, default=None
            The training data. None: the data passed to `fit`, which are not available after
            copying or unpickling.
        y : array-like of shape (n_samples,) or None, default=None
            Known classes to compare the clusters with.
        title : str, default="ShiftedMinCut"
        names : array-like of shape (n_samples,) or None, default=None
            Names of the samples. None: those of a graph's nodes, or numbers from 0.
        """
        check_is_fitted(self)
        if not _core.has_page():
            raise RuntimeError(
                "report: this shiftcut was built without the page of reports; install a wheel, or "
                "run `make web` in the source folder and install again"
            )
        values, options = self._asked_again(X)
        run = self._fitted.run
        if run is None:
            raise ValueError("report: a copy of a model with a shift matrix knows no run")
        classes, truth = classes_of(y, len(self.labels_))
        html = _core.page(
            core_values(values),
            self._shape(values),
            options,
            run,
            truth,
            title=title,
            command=f"{self.__repr__(N_CHAR_MAX=4000)}.fit(X)",  # type: ignore[call-arg]
            names=self._sample_names(names),
            columns=self._column_names(),
            classes=classes,
        )
        replace_file(path, html)

    def explore(
        self,
        *,
        answers: str | os.PathLike[str] | None = None,
        title: str = "ShiftedMinCut",
        names: Data = None,
        port: int = 0,
        open_browser: bool = True,
    ) -> Exploration:
        """Show the clusters in the browser, where people correct them.

        As `Feedback(model).explore`: the data of the fit are clustered again, and the model itself
        is not modified. What people teach is in `labels_` and `answers_` of what is returned.

        Parameters
        ----------
        answers : str or path-like or None, default=None
            File in which the answers are saved after each change, and from which those that are
            there are loaded first. None: they are only in `answers_`.
        title : str, default="ShiftedMinCut"
        names : array-like of shape (n_samples,) or None, default=None
            Names of the samples. None: those of a graph's nodes, or numbers from 0.
        port : int, default=0
            0: any free one.
        open_browser : bool, default=True

        Returns
        -------
        Exploration
        """
        from ._feedback import Feedback

        check_is_fitted(self)
        return Feedback(self).explore(
            answers=answers, title=title, names=names, port=port, open_browser=open_browser
        )

    def explore_widget(
        self,
        *,
        answers: str | os.PathLike[str] | None = None,
        title: str = "ShiftedMinCut",
        names: Data = None,
    ) -> ExplorerWidget:
        """Show the clusters in a cell of a notebook, where people correct them.

        As `Feedback(model).explore_widget`: the data of the fit are clustered again, and the model
        itself is not modified. Needs anywidget (`pip install shiftcut[notebook]`).

        Parameters
        ----------
        answers, title, names
            As for `explore`.

        Returns
        -------
        ExplorerWidget
            With the traits `selection` (indices, which can be set), `labels` and `answers`.
        """
        from ._feedback import Feedback

        check_is_fitted(self)
        return Feedback(self).explore_widget(answers=answers, title=title, names=names)

    def _sample_names(self, names: Data) -> list[str]:
        if names is None:
            return [] if self._node_names is None else [str(name) for name in self._node_names]
        found = [str(name) for name in np.asarray(names, dtype=object).ravel()]
        if len(found) != len(self.labels_):
            raise ValueError(
                f"names: found {len(found)}; allowed: {len(self.labels_)}, one per sample"
            )
        return found

    def _column_names(self) -> list[str]:
        if self._encoder is not None:
            return self._encoder.encoded_names()
        return [str(name) for name in getattr(self, "feature_names_in_", ())]

    def _asked_again(self, X: Data) -> tuple[Matrix, dict[str, Any]]:
        """The training data, and options with all that the fit has chosen."""
        check_is_fitted(self)
        if X is None and not hasattr(self, "_data"):
            raise ValueError("X is needed: a model that was copied or unpickled has no data")
        graph = self._graph_of(X)
        if graph is not None:
            values = graph.values
        else:
            values = self._data if X is None else self._new_values(X)
        if values.shape[0] != len(self.labels_):
            raise ValueError(
                f"X has {values.shape[0]} samples, but the fit had {len(self.labels_)}"
            )
        parameters = self._parameters() | self._links
        options = core_options(parameters | {"random_state": 0}, values.shape[0])
        options["sample_weight"] = self._sample_weight
        if self.shift_["kind"] in ("auto", "adaptive"):
            options |= {"shift": "adaptive", "shift_strength": self.shift_["strength"]}
        for name in ("similarity", "metric", "scale"):
            if options.get(name) == "auto" and name in self.result_:
                options[name] = self.result_[name]
        if "learned" in self.result_:
            options["feature_weights"] = np.asarray(self.result_["learned"]["weights"])
        return values, options


def classes_of(y: Data, samples: int) -> tuple[list[str], Labels]:
    """Return the names of the classes and the class of each sample; none for None."""
    if y is None:
        return [], np.empty(0, dtype=np.int32)
    given = np.asarray(y)
    if given.shape != (samples,):
        raise ValueError(f"y: found an array of shape {given.shape}; allowed: ({samples},)")
    classes, truth = np.unique(given.astype(str), return_inverse=True)
    return [str(name) for name in classes], truth.astype(np.int32)
