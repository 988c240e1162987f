// Shapes of sparse files: see sparse_shape.hpp.
#include "input/graph/sparse_shape.hpp"

#include <fmt/format.h>

#include "core/message.hpp"
#include "input/bytes/limits.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kAlwaysFine = std::size_t{1} << 20;
constexpr std::size_t kObjectsPerEntry = 1024;

}  // namespace

Shape sparse_shape(ShapeChoice choice, const std::string& file) {
  if (choice == ShapeChoice::distance) {
    reject(file, message("not_applicable", "shape",
                         "found a sparse file read as distances, where pairs that are not listed "
                         "have no distance; allowed: {shape=graph}, or a dense matrix of "
                         "distances"));
  }
  return choice == ShapeChoice::features ? Shape::features : Shape::graph;
}

void require_objects(std::size_t objects, std::size_t entries, const std::string& file) {
  if (objects == 0 || objects > kMostObjects) {
    reject(file, fmt::format("found {} objects; allowed: 1 to {}", objects, kMostObjects));
  }
  if (objects > kAlwaysFine && objects / kObjectsPerEntry > entries) {
    reject(file, fmt::format("found {} objects but only {} entries; allowed: at most {} objects "
                             "for each entry",
                             objects, entries, kObjectsPerEntry));
  }
}

}  // namespace shiftcut
