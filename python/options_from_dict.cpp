#include "options_from_dict.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"

namespace shiftcut_python {

namespace {

constexpr const char* kWeights = "sample_weight";  // of the input, not an option
constexpr const char* kKnown = "known_neighbors";  // also of the input

using shiftcut::Options;
using Setter = std::function<void(Options&, nb::handle)>;

template <class Enum>
Setter word(const std::string& name, Enum& (*field)(Options&)) {
  return [name, field](Options& options, nb::handle value) {
    field(options) = enum_from<Enum>(name, nb::cast<std::string>(value));
  };
}

template <class Value, class Field>
Setter number(Field& (*field)(Options&)) {
  return [field](Options& options, nb::handle value) { field(options) = nb::cast<Value>(value); };
}

using PairsIn = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// A tuple: the pairs, and the weight of each.
std::vector<shiftcut::ObjectPair> pairs_from(nb::handle value) {
  const auto [objects, weights] = nb::cast<std::pair<PairsIn, Values>>(value);
  if (objects.shape(0) != weights.shape(0)) {
    throw std::invalid_argument("pairs: found " + std::to_string(objects.shape(0)) + " pairs and " +
                                std::to_string(weights.shape(0)) +
                                " weights; allowed: one weight per pair");
  }
  std::vector<shiftcut::ObjectPair> pairs(objects.shape(0));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {objects.data()[2 * i], objects.data()[2 * i + 1], weights.data()[i]};
  }
  return pairs;
}

using GroupsIn = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

std::vector<std::int32_t> groups_from(nb::handle value) {
  const auto groups = nb::cast<GroupsIn>(value);
  return {groups.data(), groups.data() + groups.shape(0)};
}

using shiftcut::Distance;
using shiftcut::Method;
using shiftcut::Metric;
using shiftcut::Scale;
using shiftcut::ShiftKind;
using shiftcut::Similarity;
using shiftcut::Weights;

std::map<std::string, Setter> make_setters() {
  std::map<std::string, Setter> set;
  set["scale"] = word<Scale>("scale", [](Options& o) -> Scale& { return o.similarity.scale; });
  set["similarity"] =
      word<Similarity>("similarity", [](Options& o) -> Similarity& { return o.similarity.kind; });
  set["metric"] = word<Metric>("metric", [](Options& o) -> Metric& { return o.similarity.metric; });
  set["distance"] =
      word<Distance>("distance", [](Options& o) -> Distance& { return o.similarity.distance; });
  set["sigma"] = number<double>(+[](Options& o) -> auto& { return o.similarity.sigma; });
  set["neighbors"] =
      number<std::size_t>(+[](Options& o) -> auto& { return o.similarity.neighbors; });
  set["region_rows"] =
      number<std::size_t>(+[](Options& o) -> auto& { return o.similarity.region_rows; });
  set["weights"] =
      word<Weights>("weights", [](Options& o) -> Weights& { return o.similarity.weights; });
  set["shift"] = word<ShiftKind>("shift", [](Options& o) -> ShiftKind& { return o.shift.kind; });
  set["shift_constant"] = number<double>(+[](Options& o) -> auto& { return o.shift.constant; });
  set["shift_matrix"] = [](Options& o, nb::handle value) { o.shift.matrix = values_from(value); };
  set["shift_strength"] = number<double>(+[](Options& o) -> auto& { return o.shift.strength; });
  set["must_link"] = [](Options& o, nb::handle value) { o.links.must_link = pairs_from(value); };
  set["cannot_link"] = [](Options& o, nb::handle value) {
    o.links.cannot_link = pairs_from(value);
  };
  set["learn"] = number<bool>(+[](Options& o) -> auto& { return o.links.learn; });
  set["feature_weights"] = [](Options& o, nb::handle value) {
    const auto weights = nb::cast<Values>(value);
    o.similarity.feature_weights.assign(weights.data(), weights.data() + weights.shape(0));
  };
  set["cannot_link_groups"] = [](Options& o, nb::handle value) {
    o.links.one_per_cluster = groups_from(value);
  };
  set["clusters"] = number<std::size_t>(+[](Options& o) -> auto& { return o.search.clusters; });
  set["min_size"] = number<std::size_t>(+[](Options& o) -> auto& { return o.search.min_size; });
  set["max_size"] = number<std::size_t>(+[](Options& o) -> auto& { return o.search.max_size; });
  set["method"] = word<Method>("method", [](Options& o) -> Method& { return o.search.method; });
  set["restarts"] = number<int>(+[](Options& o) -> auto& { return o.search.restarts; });
  set["seed"] = number<std::uint64_t>(+[](Options& o) -> auto& { return o.search.seed; });
  set["threads"] = number<int>(+[](Options& o) -> auto& { return o.search.threads; });
  set["max_seconds"] = number<double>(+[](Options& o) -> auto& { return o.search.max_seconds; });
  return set;
}

template <class Enum>
nb::object word_for(Enum value) {
  const std::string_view word = shiftcut::word_of(value);
  return word.empty() ? nb::none() : nb::object(nb::str(word.data(), word.size()));
}

// Pairs and their weights, as pairs_from() takes them.
nb::object tuple_of(const std::vector<shiftcut::ObjectPair>& pairs) {
  std::vector<std::uint32_t> objects;
  std::vector<double> weights;
  for (const shiftcut::ObjectPair& pair : pairs) {
    objects.insert(objects.end(), {pair.a, pair.b});
    weights.push_back(pair.weight);
  }
  return nb::make_tuple(as_array(std::move(objects), pairs.size(), std::size_t{2}),
                        as_array(std::move(weights), pairs.size()));
}

}  // namespace

nb::dict dict_from(const Options& options) {
  nb::dict out;
  const shiftcut::SimilarityOptions& how = options.similarity;
  out["similarity"] = word_for(how.kind);
  out["scale"] = word_for(how.scale);
  out["metric"] = word_for(how.metric);
  out["distance"] = word_for(how.distance);
  out["sigma"] = how.sigma ? nb::cast(*how.sigma) : nb::none();
  out["neighbors"] = how.neighbors > 0 ? nb::cast(how.neighbors) : nb::none();
  out["weights"] = word_for(how.weights);
  out["shift"] = word_for(options.shift.kind);
  out["shift_constant"] = options.shift.constant;
  out["shift_strength"] = options.shift.strength;
  const shiftcut::LinkOptions& links = options.links;
  out["must_link"] = links.must_link.empty() ? nb::none() : tuple_of(links.must_link);
  out["cannot_link"] = links.cannot_link.empty() ? nb::none() : tuple_of(links.cannot_link);
  std::vector<std::int32_t> groups = links.one_per_cluster;
  const std::size_t n = groups.size();
  out["cannot_link_groups"] = n == 0 ? nb::none() : nb::cast(as_array(std::move(groups), n));
  out["learn"] = links.learn;
  const shiftcut::SearchOptions& search = options.search;
  out["clusters"] = search.clusters ? nb::cast(*search.clusters) : nb::none();
  out["min_size"] = search.min_size > 0 ? nb::cast(search.min_size) : nb::none();
  out["max_size"] = search.max_size > 0 ? nb::cast(search.max_size) : nb::none();
  out["method"] = word_for(search.method);
  out["restarts"] = search.restarts;
  out["seed"] = search.seed;
  out["max_seconds"] = search.max_seconds > 0 ? nb::cast(search.max_seconds) : nb::none();
  return out;
}

std::vector<double> row_weights_from(const nb::dict& given) {
  if (!given.contains(kWeights) || given[kWeights].is_none()) {
    return {};
  }
  const auto weights = nb::cast<Values>(given[kWeights]);
  return {weights.data(), weights.data() + weights.shape(0)};
}

std::shared_ptr<const shiftcut::KnownNeighbors> neighbors_from(const nb::dict& given) {
  if (!given.contains(kKnown) || given[kKnown].is_none()) {
    return nullptr;
  }
  using Ids = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Stretches = std::vector<std::pair<Ids, DenseDouble>>;
  struct Known : shiftcut::KnownNeighbors {
    Stretches stretches;  // of arrays that the caller keeps alive
  };
  auto known = std::make_shared<Known>();
  known->stretches = nb::cast<Stretches>(given[kKnown]);
  shiftcut::NeighborTable shape;
  for (const auto& [ids, squared] : known->stretches) {
    shape.objects += ids.shape(0);
    shape.places = ids.shape(1);
  }
  for (const auto& [ids, squared] : known->stretches) {
    if (squared.shape(0) != ids.shape(0) || squared.shape(1) != ids.shape(1) ||
        ids.shape(1) != shape.places) {
      throw std::invalid_argument("neighbours: found ids and distances of different shapes");
    }
  }
  known->load = [shape, &from = known->stretches] {
    shiftcut::NeighborTable table = shape;
    table.ids.reserve(table.objects * table.places);
    table.squared.reserve(table.objects * table.places);
    for (const auto& [ids, squared] : from) {
      const std::size_t numbers = ids.shape(0) * ids.shape(1);
      table.ids.insert(table.ids.end(), ids.data(), ids.data() + numbers);
      table.squared.insert(table.squared.end(), squared.data(), squared.data() + numbers);
    }
    return table;
  };
  return known;
}

Options options_from(const nb::dict& given) {
  static const std::map<std::string, Setter> kSetters = make_setters();
  Options options;
  for (const auto [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == kWeights || name == kKnown) {
      continue;
    }
    const auto found = kSetters.find(name);
    if (found == kSetters.end()) {
      throw std::invalid_argument("no option '" + name + "'");
    }
    if (value.is_none()) {
      continue;
    }
    try {
      found->second(options, value);
    } catch (const nb::cast_error&) {
      throw std::invalid_argument(name + ": found " + nb::cast<std::string>(nb::repr(value)) +
                                  ", which is of another type or out of range");
    }
  }
  return options;
}

}  // namespace shiftcut_python
