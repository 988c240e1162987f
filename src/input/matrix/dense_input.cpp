// Checks a dense array before anything is computed from it, and reads a symmetric one as a graph.
#include "input/matrix/dense_input.hpp"

#include <fmt/core.h>

#include "input/bytes/reject.hpp"
#include "input/check_input.hpp"

namespace shiftcut {

namespace {

Shape chosen(ShapeChoice choice, Shape automatic) {
  switch (choice) {
    case ShapeChoice::automatic:
      return automatic;
    case ShapeChoice::features:
      return Shape::features;
    case ShapeChoice::similarity:
      return Shape::similarity;
    case ShapeChoice::distance:
      return Shape::distance;
    case ShapeChoice::graph:
      return Shape::graph;
  }
  return automatic;
}

const char* noun(Shape shape) {
  return shape == Shape::similarity ? "similarities"
         : shape == Shape::distance ? "distances"
                                    : "a graph";
}

// Both directions of an edge get the mean, so that the graph is symmetric to the last bit.
SparseMatrix nonzeros(const DenseArray& array) {
  const std::size_t n = array.rows();
  SparseMatrix graph;
  graph.rows = n;
  graph.columns_count = n;
  graph.offsets.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double here = array.at(i, j);
      const double there = array.at(j, i);
      const double weight = here == there ? here : here / 2 + there / 2;
      if (weight != 0) {
        graph.columns.push_back(static_cast<std::uint32_t>(j));
        graph.values.push_back(weight);
      }
    }
    graph.offsets[i + 1] = static_cast<std::int64_t>(graph.columns.size());
  }
  return graph;
}

}  // namespace

Input dense_input(DenseArray values, ShapeChoice choice, Shape automatic, const ByteSource& source,
                  FiniteCheck finite) {
  const std::string& file = source.name();
  if (values.rows() == 0 || values.columns() == 0 || values.rows() > kMostObjects) {
    reject(file, fmt::format("found {} rows of {} columns; allowed: 1 to {} rows of 1 or more",
                             values.rows(), values.columns(), kMostObjects));
  }
  Input input;
  input.name = file;
  input.shape = chosen(choice, automatic);
  if (input.shape != Shape::features && values.rows() != values.columns()) {
    reject(file,
           fmt::format("found {} rows and {} columns; allowed for {}: as many columns as rows",
                       values.rows(), values.columns(), noun(input.shape)));
  }
  if (finite == FiniteCheck::needed) {
    check_finite(values, file, source.control());
  }
  check_shape(values, input.shape, file, source.control());
  if (input.shape == Shape::graph) {
    input.values = nonzeros(values);
  } else {
    input.values = std::move(values);
  }
  return input;
}

}  // namespace shiftcut
