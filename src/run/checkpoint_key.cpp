#include "run/checkpoint_key.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/fingerprint.hpp"
#include "core/message.hpp"
#include "shiftcut/version.hpp"

namespace shiftcut {

namespace {

class Key {
 public:
  Key() { add_text(kVersion); }

  [[nodiscard]] std::uint64_t value() const { return key_.value(); }

  void add_text(std::string_view text) { key_.add_bytes(text); }
  void add_number(double number) { key_.add(std::bit_cast<std::uint64_t>(number)); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void add_word(Enum word) {
    key_.add(static_cast<std::uint64_t>(word));
  }
  void add_count(std::uint64_t count) { key_.add(count); }
  template <class T>
  void add_all(const std::vector<T>& numbers) {
    key_.add_numbers(numbers);
  }

  void add_values(const DenseArray& array) {
    add_count(array.rows());
    add_count(array.columns());
    add_count(array.is_float32() ? 1 : 0);
    for (std::size_t row = 0; row < array.rows(); ++row) {
      if (array.is_float32()) {
        key_.add_numbers(std::span(array.f32_row(row), array.columns()));
      } else {
        key_.add_numbers(std::span(array.f64_row(row), array.columns()));
      }
    }
  }
  void add_values(const SparseMatrix& matrix) {
    add_count(matrix.rows);
    add_count(matrix.columns_count);
    add_all(matrix.offsets);
    add_all(matrix.columns);
    add_all(matrix.values);
  }
  template <class... Kinds>
  void add_values(const std::variant<Kinds...>& values) {
    add_count(values.index());
    std::visit([&](const auto& known) { add_values(known); }, values);
  }

 private:
  Fingerprint key_;
};

void add_pairs(const std::vector<ObjectPair>& pairs, Key& key) {
  key.add_count(pairs.size());
  for (const ObjectPair& pair : pairs) {
    key.add_count(pair.a);
    key.add_count(pair.b);
    key.add_number(pair.weight);
  }
}

void add_input(const Input& input, Key& key) {
  key.add_word(input.shape);
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (dense != nullptr && dense->is_fetched()) {
    key.add_count(input.neighbors->fingerprint);
  } else {
    key.add_values(input.values);
  }
  key.add_all(input.weights);
}

void add_options(const Options& options, Key& key) {
  const SimilarityOptions& how = options.similarity;
  key.add_word(how.scale);
  key.add_word(how.kind);
  key.add_word(how.metric);
  key.add_word(how.distance);
  key.add_number(how.sigma.value_or(-1));
  key.add_count(how.neighbors);
  key.add_word(how.weights);
  key.add_all(how.feature_weights);
  key.add_count(how.region_rows);

  key.add_word(options.shift.kind);
  key.add_number(options.shift.strength);
  key.add_number(options.shift.constant);
  key.add_values(options.shift.matrix);

  add_pairs(options.links.must_link, key);
  add_pairs(options.links.cannot_link, key);
  key.add_count(options.links.learn ? 1 : 0);
  key.add_all(options.links.one_per_cluster);

  const SearchOptions& search = options.search;
  key.add_count(search.clusters.value_or(0));
  key.add_count(search.min_size);
  key.add_count(search.max_size);
  key.add_word(search.method);
  key.add_count(static_cast<std::uint64_t>(search.restarts));
  key.add_count(search.seed);
}

}  // namespace

void begin_checkpoint(Checkpoint& checkpoint, const Input& input, const Options& options) {
  if (options.search.max_seconds > 0) {
    refuse("not_applicable", "checkpoint",
           "{checkpoint}: found with {max_seconds}; allowed: without a time limit, under which the "
           "result depends on how fast the work goes");
  }
  Key key;
  add_input(input, key);
  add_options(options, key);
  checkpoint.begin(key.value());
}

}  // namespace shiftcut
