// Selection sampling within each cluster (Knuth, TAOCP 2, algorithm S) in one pass over the labels.
#include "page/sample.hpp"

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"
#include "page/tuning.hpp"

namespace shiftcut {

namespace {

using namespace page_tuning;

constexpr std::uint64_t kSampleStream = std::uint64_t{1} << 43;  // of random numbers

// How many objects of each cluster are taken.
std::vector<std::size_t> quotas(const std::vector<std::size_t>& sizes, std::size_t objects,
                                std::size_t most) {
  const auto represented = std::min(
      sizes.size(), static_cast<std::size_t>(kShareForSmallClusters * static_cast<double>(most)));
  const double rate = static_cast<double>(most - represented) / static_cast<double>(objects);
  std::vector<std::size_t> quota(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto share = static_cast<std::size_t>(rate * static_cast<double>(sizes[k]));
    quota[k] = std::min(sizes[k], share + (k < represented ? 1 : 0));
  }
  return quota;
}

}  // namespace

std::vector<ObjectId> fair_sample(const Result& result, std::size_t most) {
  const std::size_t n = result.labels.size();
  std::vector<ObjectId> sample(std::min(n, most));
  if (n <= most) {
    std::iota(sample.begin(), sample.end(), ObjectId{0});
    return sample;
  }
  std::vector<std::size_t> wanted = quotas(result.sizes, n, most);
  std::vector<std::size_t> left = result.sizes;
  Rng rng(result.seed, kSampleStream);
  sample.clear();
  for (ObjectId i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(result.labels[i]);
    if (rng.uniform() * static_cast<double>(left[k]) < static_cast<double>(wanted[k])) {
      sample.push_back(i);
      --wanted[k];
    }
    --left[k];
  }
  return sample;
}

Input rows_alone(const Input& input, const std::vector<ObjectId>& rows) {
  Input out;
  out.column_names = input.column_names;
  out.checked = true;
  for (const ObjectId row : input.weights.empty() ? std::vector<ObjectId>() : rows) {
    out.weights.push_back(input.weights[row]);
  }
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    out.values = dense->with_rows(rows);
    return out;
  }
  const auto& all = std::get<SparseMatrix>(input.values);
  SparseMatrix some;
  some.rows = rows.size();
  some.columns_count = all.columns_count;
  some.offsets.push_back(0);
  for (const ObjectId row : rows) {
    some.columns.insert(some.columns.end(), all.columns.begin() + all.offsets[row],
                        all.columns.begin() + all.offsets[row + 1]);
    some.values.insert(some.values.end(), all.values.begin() + all.offsets[row],
                       all.values.begin() + all.offsets[row + 1]);
    some.offsets.push_back(static_cast<std::int64_t>(some.columns.size()));
  }
  out.values = std::move(some);
  return out;
}

}  // namespace shiftcut
