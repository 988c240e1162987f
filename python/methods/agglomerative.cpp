// Reliable agglomerative clustering in shiftcut._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/agglomerative.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;
namespace methods = shiftcut::methods;

std::tuple<Array<double, 2>, Array<std::int32_t, 1>, Array<std::int32_t, 1>> agglomerative(
    nb::handle values, const std::string& linkage, bool squared, std::size_t clusters, int threads,
    const nb::object& progress) {
  const auto distances = std::get<shiftcut::DenseArray>(values_from(values));
  const methods::AgglomerativeOptions options{methods::linkage_named(linkage), squared, threads};
  methods::LinkageMatrix matrix;
  methods::Labels labels;
  watched(
      [&](const shiftcut::Control& control) {
        const auto tree = methods::reliable_agglomerative(distances, options, control);
        matrix = methods::linkage_matrix(tree);
        labels = methods::labels_at(tree, clusters);
      },
      progress);
  const std::size_t merges = matrix.rounds.size();
  const std::size_t n = labels.size();
  return {as_array(std::move(matrix.rows), merges, std::size_t{4}),
          as_array(std::move(matrix.rounds), merges), as_array(std::move(labels), n)};
}

}  // namespace

void bind_agglomerative(nb::module_& module) {
  module.def("agglomerative", &agglomerative, "values"_a, nb::kw_only(), "linkage"_a, "squared"_a,
             "clusters"_a, "threads"_a, "progress"_a = nb::none(),
             "Merge all mutual nearest pairs, round by round: the tree as SciPy has it, the round "
             "of each of its rows, and the labels for that many clusters.");
}

}  // namespace shiftcut_python
