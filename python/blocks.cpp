#include "blocks.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = Array<T, 1>;

template <class T>
std::vector<T> vector_of(const Vector<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

template <class T>
std::span<const T> span_of(const Vector<T>& array) {
  return {array.data(), array.shape(0)};
}

template <class T>
Out<T> out(std::vector<T> values) {
  const std::size_t n = values.size();
  return as_array(std::move(values), n);
}

shiftcut::DenseArray dense_from(nb::handle values) {
  return std::get<shiftcut::DenseArray>(values_from(values));
}

// Runs without the GIL, on a thread that Ctrl-C can stop.
template <class Work>
auto quietly(const Work& work) {
  decltype(work(shiftcut::Control{})) made{};
  watched([&](const shiftcut::Control& control) { made = work(control); }, nb::none());
  return made;
}

// ---- What there is ----

// rows, whether all are finite, whether one is negative, smallest, largest, zeros
using FactsOut =
    std::tuple<std::uint64_t, bool, bool, Out<double>, Out<double>, Out<std::uint64_t>>;
using FactsIn =
    std::tuple<std::uint64_t, bool, bool, Vector<double>, Vector<double>, Vector<std::uint64_t>>;

shiftcut::BlockFacts facts_from(const FactsIn& given) {
  const auto& [rows, is_finite, has_negative, smallest, largest, zeros] = given;
  return {rows, is_finite, has_negative, vector_of(smallest), vector_of(largest), vector_of(zeros)};
}

FactsOut facts_out(shiftcut::BlockFacts facts) {
  return {facts.rows,
          facts.is_finite,
          facts.has_negative,
          out(std::move(facts.smallest)),
          out(std::move(facts.largest)),
          out(std::move(facts.zeros))};
}

FactsOut facts_of_block(nb::handle values) {
  const shiftcut::DenseArray rows = dense_from(values);
  return facts_out(
      quietly([&](const shiftcut::Control&) { return shiftcut::facts_of_block(rows); }));
}

// kind, metric
std::tuple<std::string, std::string> choose_similarity(const OptionsIn& given, const FactsIn& facts,
                                                       const Vector<double>& squares) {
  const shiftcut::Options options = options_from(given);
  const shiftcut::SimilarityOptions chosen = shiftcut::choose_similarity(
      options.similarity, options.shift.kind == shiftcut::ShiftKind::automatic, facts_from(facts),
      vector_of(squares));
  return {std::string(shiftcut::word_of(chosen.kind)),
          chosen.kind == shiftcut::Similarity::neighbors
              ? std::string(shiftcut::word_of(chosen.metric))
              : ""};
}

bool chooses_by_squares(const OptionsIn& given, const FactsIn& facts) {
  return shiftcut::chooses_by_squares(options_from(given).similarity, facts_from(facts));
}

// ---- Distinct rows ----

// a row of each node, the node of each row, the rows of each node
using DistinctOut = std::tuple<Out<std::uint32_t>, Out<std::uint32_t>, Out<std::uint32_t>>;

DistinctOut distinct_in_bucket(nb::handle values, const FactsIn& facts, int threads) {
  const shiftcut::DenseArray rows = dense_from(values);
  const shiftcut::BlockFacts all = facts_from(facts);
  shiftcut::DistinctRows made = quietly(
      [&](const shiftcut::Control&) { return shiftcut::distinct_in_bucket(rows, all, threads); });
  return {out(std::move(made.first)), out(std::move(made.node_of)), out(std::move(made.counts))};
}

// ---- Scaling ----

// count, mean, squared, smallest, largest
using MomentsOut = std::tuple<double, Out<double>, Out<double>, Out<double>, Out<double>>;
using MomentsIn =
    std::tuple<double, Vector<double>, Vector<double>, Vector<double>, Vector<double>>;
// offset, factor, metric
using GeometryIn = std::tuple<Vector<double>, Vector<double>, std::string>;

std::vector<shiftcut::PartMoments> parts_from(const std::vector<MomentsIn>& given) {
  std::vector<shiftcut::PartMoments> parts;
  for (const auto& [count, mean, squared, smallest, largest] : given) {
    parts.push_back(
        {count, vector_of(mean), vector_of(squared), vector_of(smallest), vector_of(largest)});
  }
  return parts;
}

shiftcut::RowGeometry geometry_from(const GeometryIn& given) {
  const auto& [offset, factor, metric] = given;
  return {{vector_of(offset), vector_of(factor)}, enum_from<shiftcut::Metric>("metric", metric)};
}

MomentsOut moments_of_part(nb::handle values, const Vector<double>& counts) {
  const shiftcut::DenseArray rows = dense_from(values);
  shiftcut::PartMoments made = quietly(
      [&](const shiftcut::Control&) { return shiftcut::moments_of_part(rows, span_of(counts)); });
  return {made.count, out(std::move(made.mean)), out(std::move(made.squared)),
          out(std::move(made.smallest)), out(std::move(made.largest))};
}

std::string choose_scale(nb::handle sample, const std::vector<MomentsIn>& parts,
                         const std::string& scale, const std::string& metric, int threads) {
  const shiftcut::DenseArray rows = dense_from(sample);
  shiftcut::SimilarityOptions options;
  options.scale = enum_from<shiftcut::Scale>("scale", scale);
  options.metric = enum_from<shiftcut::Metric>("metric", metric);
  const std::vector<shiftcut::PartMoments> moments = parts_from(parts);
  return std::string(shiftcut::word_of(quietly([&](const shiftcut::Control&) {
    return shiftcut::choose_block_scale(rows, moments, options, threads).scale;
  })));
}

// offset, factor
std::tuple<Out<double>, Out<double>> scaling_of_parts(const std::vector<MomentsIn>& parts,
                                                      const std::string& scale) {
  shiftcut::FeatureScaling made =
      shiftcut::scaling_of_parts(parts_from(parts), enum_from<shiftcut::Scale>("scale", scale));
  return {out(std::move(made.offset)), out(std::move(made.factor))};
}

// ---- Neighbours ----

// count, length, middle, scale, centres, the region of each
using CentresOut =
    std::tuple<std::size_t, std::size_t, Out<double>, double, Out<float>, Out<std::uint32_t>>;
using CentresIn = std::tuple<std::size_t, std::size_t, Vector<double>, double, Vector<float>,
                             Vector<std::uint32_t>>;
using IdsOut = Array<std::uint32_t, 2>;
using DistancesOut = Array<double, 2>;
using IdsIn = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using TableOut = std::tuple<IdsOut, DistancesOut>;
using TableIn = std::tuple<IdsIn, DenseDouble>;

shiftcut::NeighborTable table_from(const TableIn& given) {
  const auto& [ids, squared] = given;
  const std::size_t numbers = ids.shape(0) * ids.shape(1);
  if (squared.shape(0) != ids.shape(0) || squared.shape(1) != ids.shape(1)) {
    throw std::invalid_argument("neighbours: found ids and distances of different shapes");
  }
  return {ids.shape(0), ids.shape(1), std::vector<std::uint32_t>(ids.data(), ids.data() + numbers),
          std::vector<double>(squared.data(), squared.data() + numbers)};
}

TableOut table_out(shiftcut::NeighborTable table) {
  return {as_array(std::move(table.ids), table.objects, table.places),
          as_array(std::move(table.squared), table.objects, table.places)};
}

CentresOut find_regions(nb::handle sample, const GeometryIn& geometry, std::size_t regions,
                        int threads) {
  const shiftcut::DenseArray rows = dense_from(sample);
  const shiftcut::RowGeometry how = geometry_from(geometry);
  shiftcut::RegionCentres made = quietly([&](const shiftcut::Control&) {
    return shiftcut::find_regions(rows, how, regions, threads);
  });
  return {made.count,
          made.length,
          out(std::move(made.middle)),
          made.scale,
          out(std::move(made.centres)),
          out(std::move(made.region_of))};
}

// offsets, rows
std::tuple<Out<std::size_t>, Out<std::uint32_t>> find_members(nb::handle block,
                                                              const GeometryIn& geometry,
                                                              const CentresIn& regions,
                                                              int threads) {
  const shiftcut::DenseArray rows = dense_from(block);
  const shiftcut::RowGeometry how = geometry_from(geometry);
  const auto& [count, length, middle, scale, centres, region_of] = regions;
  const shiftcut::RegionCentres of{
      count, length, vector_of(middle), scale, vector_of(centres), vector_of(region_of)};
  shiftcut::RegionMembers made = quietly(
      [&](const shiftcut::Control&) { return shiftcut::find_members(rows, how, of, threads); });
  return {out(std::move(made.offsets)), out(std::move(made.rows))};
}

TableOut search_region(nb::handle values, const Vector<std::uint32_t>& numbers,
                       const GeometryIn& geometry, std::size_t neighbors, int threads) {
  const shiftcut::DenseArray rows = dense_from(values);
  const shiftcut::RowGeometry how = geometry_from(geometry);
  return table_out(quietly([&](const shiftcut::Control& control) {
    return shiftcut::search_region(rows, span_of(numbers), how, neighbors, threads, control);
  }));
}

TableOut merge_neighbors(
    std::size_t rows, std::size_t neighbors, std::uint32_t first, std::uint32_t nodes,
    const std::vector<std::tuple<Vector<std::uint32_t>, IdsIn, DenseDouble>>& pieces) {
  shiftcut::NeighborTable into = shiftcut::no_neighbors(rows, neighbors);
  for (const auto& [numbers, ids, squared] : pieces) {
    shiftcut::merge_neighbors(into, first, nodes, span_of(numbers), table_from({ids, squared}));
  }
  return table_out(std::move(into));
}

}  // namespace

void bind_blocks(nb::module_& module) {
  module.def("facts_of_block", &facts_of_block, "block"_a);
  module.def(
      "merge_facts",
      [](const FactsIn& a, const FactsIn& b) {
        return facts_out(shiftcut::merge_facts(facts_from(a), facts_from(b)));
      },
      "a"_a, "b"_a);
  module.def(
      "squares_of_block",
      [](nb::handle block, double largest) {
        return out(shiftcut::squares_of_block(dense_from(block), largest));
      },
      "block"_a, "largest"_a);
  module.def("chooses_by_squares", &chooses_by_squares, "options"_a, "facts"_a);
  module.def("choose_similarity", &choose_similarity, "options"_a, "facts"_a, "squares"_a);
  module.def(
      "hash_rows",
      [](nb::handle block, const FactsIn& facts, int threads) {
        return out(shiftcut::hash_rows(dense_from(block), facts_from(facts), threads));
      },
      "block"_a, "facts"_a, "threads"_a);
  module.def("distinct_in_bucket", &distinct_in_bucket, "bucket"_a, "facts"_a, "threads"_a);
  module.def("moment_parts", &shiftcut::moment_parts, "nodes"_a);
  module.def("moments_of_part", &moments_of_part, "part"_a, "counts"_a);
  module.def("scale_sample", &shiftcut::scale_sample, "nodes"_a);
  module.def("choose_scale", &choose_scale, "sample"_a, "parts"_a, "scale"_a, "metric"_a,
             "threads"_a);
  module.def("scaling_of_parts", &scaling_of_parts, "parts"_a, "scale"_a);
  module.def(
      "region_count",
      [](std::size_t nodes, std::size_t columns, const std::string& metric,
         std::size_t region_rows) {
        return shiftcut::region_count(nodes, columns, enum_from<shiftcut::Metric>("metric", metric),
                                      region_rows);
      },
      "nodes"_a, "columns"_a, "metric"_a, "region_rows"_a);
  module.def("region_sample", &shiftcut::region_sample_size, "nodes"_a, "regions"_a);
  module.def("find_regions", &find_regions, "sample"_a, "geometry"_a, "regions"_a, "threads"_a);
  module.def("find_members", &find_members, "block"_a, "geometry"_a, "regions"_a, "threads"_a);
  module.def("search_region", &search_region, "rows"_a, "numbers"_a, "geometry"_a, "neighbors"_a,
             "threads"_a);
  module.def("merge_neighbors", &merge_neighbors, "rows"_a, "neighbors"_a, "first"_a, "nodes"_a,
             "pieces"_a);
}

}  // namespace shiftcut_python
