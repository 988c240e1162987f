"""Graphs of networkx and igraph are clustered as the command line clusters their edge lists."""

from __future__ import annotations

import copy
import gzip
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from shiftcut import Feedback, ShiftcutWarning, ShiftedMinCut, metrics
from shiftcut.methods import DominantSets
from shiftcut.model_selection import agreement

from .command_line import PROGRAM

GRAPHS = Path(__file__).resolve().parents[3] / "shared" / "data" / "graphs"
KARATE = nx.karate_club_graph()
CLUBS = [KARATE.nodes[node]["club"] for node in KARATE]
pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")


def model(**parameters: Any) -> ShiftedMinCut:  # noqa: ANN401
    return ShiftedMinCut(random_state=0, **parameters)


def by_command_line(lines: list[str]) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.edges"
        file.write_text("".join(f"{line}\n" for line in lines))
        labels = Path(folder) / "labels.csv"
        command = [PROGRAM, "cluster", str(file), "--labels", str(labels), "--seed", "0"]
        subprocess.run(command, capture_output=True, check=True)
        rows = [line.rsplit(",", 1) for line in labels.read_text().splitlines()[1:]]
    return {name: int(label) for name, label in rows}


def same_partition(one: dict[Any, int], other: dict[Any, int]) -> bool:
    pairs = {(one[name], other[name]) for name in one}
    return one.keys() == other.keys() and len(pairs) == len(set(one.values())) == len(
        set(other.values())
    )


EDGES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([1, 2, 0.5, 3.25])),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(edges=EDGES)
def test_every_kind_of_networkx_graph_is_its_edge_list(
    kind: Any,  # noqa: ANN401
    edges: list[tuple[int, int, float]],
) -> None:
    graph = kind()
    # Nodes in the order of the edge list, where they are numbered as they appear.
    graph.add_weighted_edges_from((f"v{a}", f"v{b}", w) for a, b, w in edges)
    listed = [f"{a} {b} {w}" for a, b, w in graph.edges(data="weight")]
    order = dict.fromkeys(name for line in listed for name in line.split()[:2])
    ordered = kind()
    ordered.add_nodes_from(order)
    ordered.add_weighted_edges_from(graph.edges(data="weight"))
    fitted = model().fit(ordered)
    assert fitted.labels_by_name_ == by_command_line(listed)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(edges=EDGES, is_directed=st.booleans())
def test_igraph_and_networkx_give_the_same_matrix(
    edges: list[tuple[int, int, float]], is_directed: bool
) -> None:
    other = (nx.MultiDiGraph if is_directed else nx.MultiGraph)()
    other.add_nodes_from(range(10))
    other.add_weighted_edges_from(edges)
    graph = igraph.Graph(10, [edge[:2] for edge in edges], directed=is_directed)
    graph.es["weight"] = [edge[2] for edge in edges]
    expected = np.zeros((10, 10))
    for a, b, w in edges:
        expected[a, b] += w
        expected[b, a] += w if a != b else 0
    for given_graph in (graph, other):
        found = model()._learn_values(given_graph)[0]
        np.testing.assert_allclose(found.toarray(), expected, rtol=1e-12)
        assert abs(found - found.T).max() == 0


def test_the_karate_club_keeps_its_names() -> None:
    names = nx.relabel_nodes(KARATE, {node: f"member {node}" for node in KARATE})
    fitted = model(n_clusters=2).fit(names)
    assert fitted.node_names_ == list(names)
    assert fitted.labels_by_name_["member 0"] != fitted.labels_by_name_["member 33"]
    assert [len(names) for names in fitted.clusters_] == fitted.result_["sizes"]
    assert nx.community.is_partition(names, fitted.clusters_)
    assert metrics.ami(CLUBS, fitted.labels_) > 0.6
    matrix = nx.to_scipy_sparse_array(KARATE, format="csr")
    same = model(n_clusters=2, similarity="precomputed").fit(matrix)
    np.testing.assert_array_equal(fitted.labels_, same.labels_)
    assert not hasattr(same, "labels_by_name_")
    assert copy.deepcopy(fitted).labels_by_name_ == fitted.labels_by_name_


def test_football_teams_are_found_in_their_conferences() -> None:
    if not GRAPHS.is_dir():
        pytest.skip(f"{GRAPHS} is not there")
    with gzip.open(GRAPHS / "football.edges.gz", "rt") as file:
        graph = nx.parse_edgelist(file.read().splitlines(), nodetype=str, data=(("weight", float),))
    with gzip.open(GRAPHS / "football.labels.csv.gz", "rt") as file:
        rows = [line.strip().rsplit(",", 1) for line in file.read().splitlines()[1:]]
    conference: dict[Any, str] = {name.strip('"'): label for name, label in rows}
    fitted = model(shift="auto").fit(igraph.Graph.from_networkx(graph))
    assert fitted.node_names_ == list(range(len(graph)))  # from_networkx keeps no "name"
    named = model(shift="auto").fit(graph)
    np.testing.assert_array_equal(named.labels_, fitted.labels_)
    assert metrics.ami([conference[name] for name in named.node_names_], named.labels_) > 0.85


def test_weights_by_attribute() -> None:
    # Two pairs by "near", two others by "far"; the default counts every edge as 1.
    graph = nx.Graph()
    graph.add_edge("a", "b", near=9.0, far=1.0)
    graph.add_edge("c", "d", near=9.0, far=1.0)
    graph.add_edge("a", "c", near=1.0, far=9.0)
    graph.add_edge("b", "d", near=1.0, far=9.0)
    near = model(n_clusters=2, edge_weight="near").fit(graph).labels_by_name_
    far = model(n_clusters=2, edge_weight="far").fit(graph).labels_by_name_
    assert near["a"] == near["b"] != near["c"] == near["d"]
    assert far["a"] == far["c"] != far["b"] == far["d"]
    ones = model()._learn_values(graph)[0]
    none = model(edge_weight=None)._learn_values(KARATE)[0]
    assert set(ones.data) == set(none.data) == {1.0}
    assert model()._learn_values(KARATE)[0].sum() > none.sum()


def test_edges_without_the_attribute_count_one_and_weight_zero_is_no_edge() -> None:
    graph = nx.Graph([("a", "b", {"weight": 0}), ("b", "c", {"weight": 2}), ("c", "d")])
    values = model()._learn_values(graph)[0]
    assert values.nnz == 4
    assert values[1, 2] == 2
    assert values[2, 3] == 1


@pytest.mark.parametrize(
    ("weight", "error", "words"),
    [
        ("heavy", TypeError, "'weight' of the edge 0 - 1: 'heavy'; allowed: finite numbers"),
        (math.nan, ValueError, "'weight' of the edge 0 - 1: nan"),
        (math.inf, ValueError, "'weight' of the edge 0 - 1: inf"),
        ([1], TypeError, r"'weight' of the edge 0 - 1: \[1\]"),
    ],
)
def test_weights_that_are_no_numbers_are_refused(
    weight: Any,  # noqa: ANN401
    error: type[Exception],
    words: str,
) -> None:
    graph = nx.Graph([(0, 1), (1, 2)])
    graph[0][1]["weight"] = weight
    with pytest.raises(error, match=f"^edge_weight: found {words}"):
        model().fit(graph)
    other = igraph.Graph([(0, 1), (1, 2)])
    other.es["weight"] = [weight, None]
    with pytest.raises(error, match=f"^edge_weight: found {words}"):
        model().fit(other)


def test_parameters_that_take_no_graph_are_refused() -> None:
    with pytest.raises(ValueError, match="similarity: found 'linear' with a graph of networkx"):
        model(similarity="linear").fit(KARATE)
    with pytest.raises(ValueError, match="metric: found 'precomputed' with a graph of igraph"):
        model(metric="precomputed").fit(igraph.Graph.Famous("Zachary"))
    with pytest.raises(ValueError, match=r"'heft', which no edge has; allowed: 'weight' or None"):
        model(edge_weight="heft").fit(KARATE)
    with pytest.raises(TypeError, match=r"'edge_weight' parameter .* must be a str or None"):
        model(edge_weight=3).fit(KARATE)
    with pytest.warns(ShiftcutWarning, match="^edge_weight: found 'heft' for rows"):
        model(edge_weight="heft").fit([[0.0], [1.0], [9.0]])
    fitted = model(n_clusters=2).fit(KARATE)
    with pytest.raises(TypeError, match="each new object to each node"):
        fitted.predict(KARATE)
    with pytest.raises(TypeError, match=r"networkx; allowed: networkx\.to_scipy_sparse_array\(X\)"):
        DominantSets(affinity="precomputed").fit(KARATE)


def test_names_that_occur_twice() -> None:
    graph = igraph.Graph([(0, 1), (2, 3)])
    graph.vs["name"] = ["a", "b", "a", "c"]
    fitted = model(n_clusters=2).fit(graph)
    clusters: Any = fitted.clusters_
    assert sorted(sorted(names) for names in clusters) == [["a", "b"], ["a", "c"]]
    with pytest.raises(ValueError, match="found 1 names that occur before"):
        _ = fitted.labels_by_name_


def test_whatever_takes_data_takes_graphs() -> None:
    fitted = model(n_clusters=2).fit(KARATE)
    matrix = nx.to_scipy_sparse_array(KARATE, format="csr")
    assert fitted.explain(0) == fitted.explain(0, KARATE)
    assert fitted.predict(matrix).shape == (34,)
    same = model(n_clusters=2, similarity="precomputed")
    for feedback in (Feedback(fitted), Feedback(model(n_clusters=2), KARATE)):
        assert feedback.next_pairs(3) == Feedback(same, matrix).next_pairs(3)
    np.testing.assert_array_equal(agreement(model(n_clusters=2), KARATE), agreement(same, matrix))
    with pytest.raises(ValueError, match="similarity: found 'rbf' with a graph"):
        Feedback(model(similarity="rbf"), KARATE)
    # The same estimator takes features afterwards.
    fitted.fit(np.arange(20.0)[:, None])
    assert fitted.result_["similarity"] == "neighbors"
    assert not hasattr(fitted, "clusters_")


def test_graphs_without_edges_or_nodes() -> None:
    lonely = nx.Graph()
    lonely.add_nodes_from("abc")
    assert model().fit(lonely).labels_by_name_.keys() == set("abc")
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        model().fit(nx.Graph())


def test_neither_library_is_imported() -> None:
    code = (
        "import sys, shiftcut; from scipy import sparse;"
        "shiftcut.ShiftedMinCut(2, similarity='precomputed').fit(sparse.eye_array(4).tocsr());"
        "assert not {'networkx', 'igraph'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_sparse_graphs_are_taken_as_before() -> None:
    graph = sparse.coo_matrix(nx.to_scipy_sparse_array(KARATE))
    fitted = model(n_clusters=2, similarity="precomputed").fit(graph)
    np.testing.assert_array_equal(fitted.labels_, model(n_clusters=2).fit(KARATE).labels_)
