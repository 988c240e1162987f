#include "blocks/file/node_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <type_traits>

#include "core/fingerprint.hpp"
#include "core/message.hpp"
#include "core/work_meter.hpp"
#include "input/check_input.hpp"
#include "input/limits.hpp"
#include "input/matrix/npy_blocks.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

// Calls use(first, rows) with all rows of the file.
template <class Use>
std::vector<Message> for_each_block(const std::string& path, std::size_t limit,
                                    const Control& control, const Use& use) {
  ByteSource source = ByteSource::open(path, control);
  const NpyHeader header = read_npy_header(source);
  return read_npy_blocks(source, header, rows_together(limit, npy_row_bytes(header)),
                         [&](std::size_t first, const DenseArray& rows) {
                           stop_if_asked(control);
                           use(first, rows);
                         });
}

// ---- Rows of a bucket ----

struct Piece {
  std::uint64_t numbers = 0;  // their place
  std::uint64_t rows = 0;
  std::size_t count = 0;
};

// The rows of all buckets: equal ones are in the same.
struct Buckets {
  SpillFile numbers;
  RowFile rows;
  std::vector<std::vector<Piece>> pieces;
};

std::size_t buckets_for(std::size_t rows, std::size_t row_bytes, std::size_t limit) {
  constexpr std::size_t kMostBuckets = 4096;
  const std::size_t wanted = rows / rows_together(limit, row_bytes) + 1;
  return std::min(kMostBuckets, std::bit_ceil(wanted));
}

void divide_block(std::size_t first, const DenseArray& rows, const BlockFacts& facts, int threads,
                  Buckets& into) {
  const std::size_t buckets = into.pieces.size();
  const int shift = 64 - std::countr_zero(buckets);
  const std::vector<std::uint64_t> hashes = hash_rows(rows, facts, threads);
  const auto bucket_of = [&](std::size_t i) {
    return buckets == 1 ? 0 : static_cast<std::size_t>(hashes[i] >> shift);
  };
  std::vector<std::size_t> offsets(buckets + 1, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    ++offsets[bucket_of(i) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::uint32_t> order(rows.rows());
  std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    order[next[bucket_of(i)]++] = static_cast<std::uint32_t>(i);
  }
  std::uint64_t place = into.rows.append(rows, order);
  for (std::uint32_t& row : order) {
    row += static_cast<std::uint32_t>(first);
  }
  std::uint64_t number = into.numbers.append(order);
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t count = offsets[b + 1] - offsets[b];
    if (count > 0) {
      into.pieces[b].push_back({number, place, count});
      number += count * sizeof(std::uint32_t);
      place += count * rows.columns() * (rows.is_float32() ? sizeof(float) : sizeof(double));
    }
  }
}

void add_fingerprint(const DenseArray& rows, Fingerprint& key) {
  const std::size_t numbers = rows.rows() * rows.columns();
  rows.is_float32() ? key.add_numbers(std::span(rows.f32(), numbers))
                    : key.add_numbers(std::span(rows.f64(), numbers));
}

// The distinct rows of a bucket, which grows by some rows at a time: the same row may come again
// and again.
class BucketNodes {
 public:
  BucketNodes(const Buckets& buckets, const BlockFacts& facts, int threads)
      : buckets_(buckets), facts_(facts), threads_(threads) {}

  void add(std::span<const Piece> pieces) {
    std::vector<RowFile::Stretch> stretches;
    for (const Piece& piece : pieces) {
      stretches.push_back({piece.rows, piece.count});
      numbers_.resize(numbers_.size() + piece.count);
      buckets_.numbers.read(piece.numbers, std::span(numbers_).last(piece.count));
    }
    const std::size_t known = counts_.size();
    rows_ = buckets_.rows.read(stretches, known > 0 ? &rows_ : nullptr, first_);
    const DistinctRows distinct = distinct_in_bucket(rows_, facts_, threads_);
    std::vector<std::uint32_t> counts(distinct.first.size(), 0);
    for (std::size_t node = 0; node < known; ++node) {
      counts[distinct.node_of[node]] += counts_[node];
    }
    for (std::uint32_t& node : node_of_) {
      node = distinct.node_of[node];
    }
    for (std::size_t i = known; i < rows_.rows(); ++i) {
      node_of_.push_back(distinct.node_of[i]);
      ++counts[distinct.node_of[i]];
    }
    counts_ = std::move(counts);
    first_ = distinct.first;
  }

  void move_to(NodeRows& nodes) const {
    nodes.values.append(rows_, first_);
    nodes.counts.append(counts_);
    nodes.repeat = nodes.repeat || first_.size() < numbers_.size();
    std::vector<std::uint32_t> places;
    places.reserve(2 * numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      places.push_back(numbers_[i]);
      places.push_back(static_cast<std::uint32_t>(nodes.count + node_of_[i]));
    }
    nodes.places.append(places);
    nodes.count += first_.size();
  }

 private:
  const Buckets& buckets_;
  const BlockFacts& facts_;
  int threads_;
  DenseArray rows_;                     // with all nodes, and others
  std::vector<std::uint32_t> first_;    // a row of each node
  std::vector<std::uint32_t> counts_;   // rows of each node
  std::vector<std::uint32_t> numbers_;  // of all rows
  std::vector<std::uint32_t> node_of_;
};

void add_nodes(const Buckets& buckets, std::size_t bucket, const BlockFacts& facts,
               std::size_t most_rows, int threads, NodeRows& nodes) {
  BucketNodes own(buckets, facts, threads);
  const std::span<const Piece> pieces = buckets.pieces[bucket];
  for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    for (std::size_t rows = 0; end < pieces.size() && (end == begin || rows < most_rows); ++end) {
      rows += pieces[end].count;
    }
    own.add(pieces.subspan(begin, end - begin));
  }
  if (!pieces.empty()) {
    own.move_to(nodes);
  }
}

}  // namespace

void stop_if_asked(const Control& control) {
  if (control.stop_requested()) {
    throw Interrupted();
  }
}

std::size_t rows_together(std::size_t limit, std::size_t row_bytes) {
  constexpr std::size_t kShare = 32;
  constexpr std::size_t kLeast = std::size_t{1} << 20;
  constexpr std::size_t kMost = std::size_t{1} << 26;
  return std::max<std::size_t>(1, std::clamp(limit / kShare, kLeast, kMost) / row_bytes);
}

// ---- RowFile ----

std::uint64_t RowFile::append(const DenseArray& rows, std::span<const std::uint32_t> which) {
  constexpr std::size_t kTogether = std::size_t{1} << 22;  // bytes
  std::vector<char> some;
  const std::uint64_t begin = file_.size();
  for (const std::uint32_t row : which) {
    const char* bytes = is_float32_ ? reinterpret_cast<const char*>(rows.f32_row(row))
                                    : reinterpret_cast<const char*>(rows.f64_row(row));
    some.insert(some.end(), bytes, bytes + row_bytes());
    if (some.size() >= kTogether) {
      file_.append(some);
      some.clear();
    }
  }
  file_.append(some);
  return begin;
}

DenseArray RowFile::read(std::span<const Stretch> stretches, const DenseArray* before,
                         std::span<const std::uint32_t> which) const {
  std::size_t rows = which.size();
  for (const Stretch& stretch : stretches) {
    rows += stretch.rows;
  }
  const auto into = [&](auto values) {
    std::size_t at = 0;
    for (const std::uint32_t row : which) {
      if constexpr (std::is_same_v<typename decltype(values)::value_type, float>) {
        std::copy_n(before->f32_row(row), columns_, &values[at]);
      } else {
        std::copy_n(before->f64_row(row), columns_, &values[at]);
      }
      at += columns_;
    }
    for (const Stretch& stretch : stretches) {
      file_.read(stretch.place, std::span(values).subspan(at, stretch.rows * columns_));
      at += stretch.rows * columns_;
    }
    return DenseArray::own(std::move(values), rows, columns_);
  };
  return is_float32_ ? into(std::vector<float>(rows * columns_))
                     : into(std::vector<double>(rows * columns_));
}

void RowFile::read_row(std::uint64_t place, double* out) const {
  if (!is_float32_) {
    file_.read(place, std::span(out, columns_));
    return;
  }
  // In the second half of the row's room, from where it can be widened in place, upwards.
  char* const narrow = reinterpret_cast<char*>(out) + columns_ * sizeof(float);
  file_.read(place, narrow, columns_ * sizeof(float));
  for (std::size_t j = 0; j < columns_; ++j) {
    float value = 0;
    std::copy_n(narrow + j * sizeof(float), sizeof(float), reinterpret_cast<char*>(&value));
    out[j] = value;
  }
}

// ---- The file ----

FileFacts facts_of_file(const std::string& path, const Options& options, std::size_t limit,
                        const Control& control) {
  FileFacts all;
  all.notes = for_each_block(path, limit, control, [&](std::size_t first, const DenseArray& rows) {
    const BlockFacts facts = facts_of_block(rows);
    if (!facts.is_finite) {
      check_finite(rows, ByteSource::name_of(path), Control{}, first);
    }
    all.facts = merge_facts(all.facts, facts);
    all.columns = rows.columns();
    all.row_bytes = rows.columns() * (rows.is_float32() ? sizeof(float) : sizeof(double));
  });
  std::vector<double> squares;
  if (chooses_by_squares(options.similarity, all.facts)) {
    const double largest = std::ranges::max(all.facts.largest);
    squares.assign(all.columns, 0.0);
    for_each_block(path, limit, control, [&](std::size_t, const DenseArray& rows) {
      const std::vector<double> own = squares_of_block(rows, largest);
      std::ranges::transform(own, squares, squares.begin(), std::plus<>());
    });
  }
  const bool needs_graph = options.shift.kind == ShiftKind::automatic;
  all.similarity = choose_similarity(options.similarity, needs_graph, all.facts, squares);
  return all;
}

NodeRows nodes_of_file(const std::string& path, const FileFacts& facts, std::size_t limit,
                       int threads, const Control& control) {
  NodeRows nodes;
  nodes.rows = facts.facts.rows;
  const bool is_float32 = facts.row_bytes == facts.columns * sizeof(float);
  nodes.values = RowFile(facts.columns, is_float32);
  Buckets buckets;
  buckets.rows = RowFile(facts.columns, is_float32);
  buckets.pieces.resize(buckets_for(nodes.rows, facts.row_bytes, limit));
  Fingerprint key;
  for_each_block(path, limit, control, [&](std::size_t first, const DenseArray& rows) {
    add_fingerprint(rows, key);
    divide_block(first, rows, facts.facts, threads, buckets);
  });
  nodes.fingerprint = key.value();
  WorkMeter meter(control, "equal rows", buckets.pieces.size());
  for (std::size_t bucket = 0; bucket < buckets.pieces.size(); ++bucket) {
    stop_if_asked(control);
    meter.add();
    add_nodes(buckets, bucket, facts.facts, 2 * rows_together(limit, facts.row_bytes), threads,
              nodes);
  }
  return nodes;
}

DenseArray NodeRows::read(std::size_t first, std::size_t last) const {
  const RowFile::Stretch all{first * values.row_bytes(), last - first};
  return values.read({&all, 1});
}

DenseArray NodeRows::sample(std::size_t wanted) const {
  std::vector<RowFile::Stretch> sampled;
  for (std::size_t s = 0; s < wanted; ++s) {
    sampled.push_back({s * count / wanted * values.row_bytes(), 1});
  }
  return values.read(sampled);
}

DenseArray NodeRows::fetched_sample(std::size_t wanted) const {
  return DenseArray::fetched(
      [this, wanted](std::size_t s, double* out) {
        values.read_row(s * count / wanted * values.row_bytes(), out);
      },
      wanted, values.columns());
}

std::vector<double> NodeRows::weights(std::size_t first, std::size_t last) const {
  if (!repeat) {
    return {};
  }
  std::vector<std::uint32_t> own(last - first);
  counts.read(first * sizeof(std::uint32_t), std::span(own));
  return {own.begin(), own.end()};
}

RowLabels labels_of_rows(const NodeRows& nodes, std::span<const std::int32_t> of_nodes,
                         std::span<const std::size_t> named) {
  constexpr std::size_t kTogether = std::size_t{1} << 18;
  RowLabels out;
  out.labels.resize(nodes.rows);
  out.first_rows.assign(named.size(), nodes.rows);
  std::vector<std::pair<std::size_t, std::size_t>> wanted;  // a node and where it is named
  for (std::size_t at = 0; at < named.size(); ++at) {
    wanted.emplace_back(named[at], at);
  }
  std::ranges::sort(wanted);
  std::vector<std::uint32_t> pairs;
  for (std::size_t first = 0; first < nodes.rows; first += kTogether) {
    const std::size_t count = std::min(kTogether, nodes.rows - first);
    pairs.resize(2 * count);
    nodes.places.read(first * 2 * sizeof(std::uint32_t), std::span(pairs));
    for (std::size_t p = 0; p < pairs.size(); p += 2) {
      const std::size_t row = pairs[p];
      const std::size_t node = pairs[p + 1];
      out.labels[row] = of_nodes[node];
      for (auto at = std::ranges::lower_bound(wanted, std::pair(node, std::size_t{0}));
           at != wanted.end() && at->first == node; ++at) {
        out.first_rows[at->second] = std::min(out.first_rows[at->second], row);
      }
    }
  }
  return out;
}

}  // namespace shiftcut
