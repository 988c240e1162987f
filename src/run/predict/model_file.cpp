// A model as bytes: the sections and their fields. See model_file.hpp for the frame.
#include "run/predict/model_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/core.h>

#include "input/bytes/byte_source.hpp"
#include "run/predict/model_archive.hpp"
#include "run/predict/model_rows.hpp"

namespace shiftcut {

namespace {

constexpr std::string_view kMagic = "SHIFTCUT";
constexpr std::uint32_t kFormatVersion = 3;
constexpr std::size_t kHeader = 8 + 4 + 8;
constexpr std::size_t kTail = 8;
constexpr std::size_t kReadSize = std::size_t{1} << 20;  // bytes at a time

// By words of eight bytes, each mixed into all that follow.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0x9e3779b97f4a7c15ULL ^ bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(8, bytes.size());
    std::memcpy(&word, bytes.data(), count);
    sum = std::rotl((sum ^ word) * 0xff51afd7ed558ccdULL, 29);
    bytes.remove_prefix(count);
  }
  return sum ^ (sum >> 32U);
}

// ---- The fields of each struct: for a writer (const) and a reader ----

template <class A, class T>
void similarity_fields(A& a, T& o) {
  a.word(o.scale, Scale::none);
  a.word(o.kind, Similarity::automatic);
  a.word(o.metric, Metric::jaccard);
  a.word(o.distance, Distance::euclidean);
  a.field(o.sigma);
  a.field(o.neighbors);
  a.word(o.weights, Weights::log_odds);
  a.field(o.feature_weights);
}

constexpr auto kPairFields = [](auto& a, auto& pair) {
  a.field(pair.a);
  a.field(pair.b);
  a.field(pair.weight);
};

template <class A, class T>
void options_fields(A& a, T& o) {
  similarity_fields(a, o.similarity);
  a.word(o.shift.kind, ShiftKind::linkage);
  a.field(o.shift.strength);
  a.field(o.shift.constant);
  a.list(o.links.must_link, kPairFields);
  a.list(o.links.cannot_link, kPairFields);
  a.field(o.links.learn);
  a.field(o.links.one_per_cluster);
  a.field(o.search.clusters);
  a.word(o.search.method, Method::frank_wolfe);
  a.field(o.search.restarts);
  a.field(o.search.seed);
  a.field(o.search.max_seconds);
}

constexpr auto kMessageFields = [](auto& a, auto& message) {
  a.field(message.code);
  a.field(message.parameter);
  a.field(message.text);
  a.field(message.facts);
};

constexpr auto kRestartFields = [](auto& a, auto& restart) {
  a.field(restart.method);
  a.field(restart.cost);
  a.field(restart.sweeps);
  a.field(restart.moves);
  a.field(restart.seconds);
};

constexpr auto kPointFields = [](auto& a, auto& point) {
  a.field(point.strength);
  a.field(point.clusters);
  a.field(point.sizes);
  a.field(point.cost);
  a.field(point.criterion);
  a.field(point.agreement);
};

constexpr auto kNumberFields = [](auto& a, auto& number) {
  a.field(number.clusters);
  a.field(number.length);
  a.field(number.score);
};

constexpr auto kAgreementFields = [](auto& a, auto& agreement) {
  a.field(agreement.voters);
  a.field(agreement.agreeing);
  a.field(agreement.score);
  a.field(agreement.source);
  a.field(agreement.clusters);
  a.field(agreement.contested);
  a.field(agreement.contested_count);
};

constexpr auto kLinkFields = [](auto& a, auto& links) {
  a.field(links.must_link);
  a.field(links.cannot_link);
  a.field(links.uncertain);
  a.field(links.satisfied);
  a.field(links.cost);
  a.field(links.groups);
  a.field(links.in_groups);
};

constexpr auto kLearnedFields = [](auto& a, auto& learned) {
  a.field(learned.weights);
  a.field(learned.spread);
  a.field(learned.gain);
};

constexpr auto kScoreFields = [](auto& a, auto& scores) {
  a.field(scores.ami);
  a.field(scores.ami_max);
  a.field(scores.ari);
  a.field(scores.v_measure);
  a.field(scores.homogeneity);
  a.field(scores.completeness);
};

template <class A, class T>
void result_fields(A& a, T& r) {
  a.field(r.objects);
  a.field(r.clusters_asked);
  a.field(r.clusters_found);
  a.field(r.sizes);
  a.field(r.labels);
  a.field(r.cost);
  a.word(r.stop_reason, StopReason::interrupted);
  a.list(r.restarts, kRestartFields);
  a.field(r.shift_kind);
  a.field(r.shift_strength);
  a.field(r.shift_constant);
  a.list(r.shift_path, kPointFields);
  a.field(r.similarity);
  a.field(r.distance);
  a.field(r.scale);
  a.field(r.scale_reason);
  a.field(r.metric);
  a.field(r.scaling.offset);
  a.field(r.scaling.factor);
  a.optional(r.links, kLinkFields);
  a.optional(r.learned, kLearnedFields);
  a.field(r.seed);
  a.field(r.threads);
  a.field(r.seconds.read);
  a.field(r.seconds.similarity);
  a.field(r.seconds.shift);
  a.field(r.seconds.search);
  a.field(r.seconds.total);
  a.optional(r.scores, kScoreFields);
  a.list(r.warnings, kMessageFields);
  a.list(r.judged_numbers, kNumberFields);
  a.field(r.dimension);
  a.optional(r.agreement, kAgreementFields);
}

template <class A, class T>
void data_fields(A& a, T& model) {
  a.word(model.shape, Shape::graph);
  a.field(model.is_sparse);
  a.field(model.columns);
  a.field(model.ids);
  a.field(model.column_names);
}

constexpr auto kColumnFields = [](auto& a, auto& column) {
  a.field(column.name);
  a.word(column.kind, ColumnEncoding::Kind::empty);
  a.field(column.position);
  a.field(column.median);
  a.field(column.categories);
  a.field(column.mode);
};

constexpr auto kTableFields = [](auto& a, auto& table) {
  a.field(table.has_names);
  a.field(table.width);
  a.list(table.columns, kColumnFields);
};

template <class A, class T>
void neighbor_fields(A& a, T& table) {
  a.field(table.objects);
  a.field(table.places);
  a.field(table.ids);
  a.field(table.squared);
}

template <class A, class T>
void sum_fields(A& a, T& model) {
  a.field(model.sums.sums);
  a.field(model.sums.centre);
  a.field(model.sums.lengths);
  a.field(model.sums.level);
  a.field(model.pairs.means);
  a.field(model.pairs.widths);
  a.field(model.pairs.largest);
}

template <class A, class T>
void strength_fields(A& a, T& model) {
  a.field(model.reach);
  a.field(model.scale.mean_margin);
  a.field(model.scale.unit);
  a.field(model.scale.middle);
  a.field(model.scale.fence);
  a.field(model.scale.own);
  a.field(model.scale.rivals);
  a.field(model.strengths.strength);
  a.field(model.strengths.outlier);
  a.field(model.strengths.offsets);
  a.field(model.strengths.clusters);
  a.field(model.strengths.probabilities);
}

template <class Archive, class Of>
void node_fields(Archive& with, Of& model) {
  with.field(model.node_of);
  with.field(model.weights);
}

// ---- Sections, in this order, each there once ----

template <class Write>
void add_section(std::string& out, std::string_view tag, const Write& write) {
  out += tag;
  const std::size_t at = out.size();
  ModelWriter to(out);
  to.field(std::uint64_t{0});
  write(to);
  const std::uint64_t length = out.size() - at - 8;
  std::memcpy(&out[at], &length, 8);
}

template <class Read>
void read_section(ModelReader& from, std::string_view tag, const Read& read) {
  if (from.take(tag.size()) != tag) {
    from.refuse("an unknown section");
  }
  std::uint64_t length = 0;
  from.field(length);
  ModelReader section(from.take(static_cast<std::size_t>(length)), from.name());
  read(section);
  if (!section.at_end()) {
    from.refuse("a section that is longer than its fields");
  }
}

std::string file_bytes(ByteSource& source) {
  std::string bytes;
  while (true) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kReadSize);
    const std::size_t count = source.read_fully(&bytes[before], kReadSize);
    bytes.resize(before + count);
    if (count == 0) {
      return bytes;
    }
  }
}

}  // namespace

std::string sealed(std::string_view sections) {
  std::string out(kMagic);
  out.reserve(kHeader + sections.size() + kTail);
  ModelWriter to(out);
  to.field(kFormatVersion);
  to.field(std::uint64_t{kHeader + sections.size() + kTail});
  out += sections;
  to.field(checksum(out));
  return out;
}

std::string_view unsealed(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(kMagic)) {
    reject(name, "found no model; allowed: a file that shiftcut saved as a model");
  }
  ModelReader from(bytes.substr(kMagic.size()), name);
  std::uint32_t version = 0;
  std::uint64_t length = 0;
  if (bytes.size() >= kHeader) {
    from.field(version);
    from.field(length);
  }
  if (bytes.size() >= kHeader && version != kFormatVersion) {
    reject(name, fmt::format("found a model of format version {}; allowed: version {}", version,
                             kFormatVersion));
  }
  if (bytes.size() < kHeader + kTail || bytes.size() < length) {
    reject(name, fmt::format("found {} bytes of a model, the rest is missing; allowed: the whole "
                             "file",
                             bytes.size()));
  }
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - kTail, kTail);
  if (bytes.size() != length || sum != checksum(bytes.substr(0, bytes.size() - kTail))) {
    from.refuse("bytes that do not match the checksum");
  }
  return bytes.substr(kHeader, bytes.size() - kHeader - kTail);
}

std::string model_bytes(const Model& model) {
  std::string out;
  add_section(out, "DATA", [&](ModelWriter& to) { data_fields(to, model); });
  add_section(out, "OPTS", [&](ModelWriter& to) { options_fields(to, model.options); });
  add_section(out, "RSLT", [&](ModelWriter& to) { result_fields(to, model.result); });
  add_section(out, "TABL", [&](ModelWriter& to) {
    to.optional(model.encoding ? std::optional(*model.encoding) : std::nullopt, kTableFields);
  });
  add_section(out, "NODE", [&](ModelWriter& to) { node_fields(to, model); });
  add_section(out, "ROWS", [&](ModelWriter& to) { write_rows(to, model.rows); });
  add_section(out, "NBRS", [&](ModelWriter& to) {
    const NeighborTable none;
    neighbor_fields(to, model.neighbors ? *model.neighbors : none);
  });
  add_section(out, "SUMS", [&](ModelWriter& to) { sum_fields(to, model); });
  add_section(out, "SURE", [&](ModelWriter& to) { strength_fields(to, model); });
  return sealed(out);
}

Model model_from_bytes(std::string_view bytes, const std::string& name) {
  ModelReader from(unsealed(bytes, name), name);
  Model model;
  read_section(from, "DATA", [&](ModelReader& in) { data_fields(in, model); });
  read_section(from, "OPTS", [&](ModelReader& in) { options_fields(in, model.options); });
  read_section(from, "RSLT", [&](ModelReader& in) { result_fields(in, model.result); });
  read_section(from, "TABL", [&](ModelReader& in) {
    std::optional<TableEncoding> table;
    in.optional(table, kTableFields);
    if (table) {
      model.encoding = std::make_shared<const TableEncoding>(std::move(*table));
    }
  });
  read_section(from, "NODE", [&](ModelReader& in) { node_fields(in, model); });
  read_section(from, "ROWS", [&](ModelReader& in) { model.rows = read_rows(in); });
  read_section(from, "NBRS", [&](ModelReader& in) {
    NeighborTable table;
    neighbor_fields(in, table);
    if (table.objects > 0) {
      model.neighbors = std::make_shared<const NeighborTable>(std::move(table));
    } else if (table.places > 0 || !table.ids.empty() || !table.squared.empty()) {
      in.refuse("neighbours of no objects");
    }
  });
  read_section(from, "SUMS", [&](ModelReader& in) { sum_fields(in, model); });
  read_section(from, "SURE", [&](ModelReader& in) { strength_fields(in, model); });
  if (!from.at_end()) {
    from.refuse("bytes behind the last section");
  }
  check_model(model, name);
  return model;
}

Model read_model(const std::string& path, const Control& control) {
  ByteSource source = ByteSource::open(path, control);
  const std::string bytes = file_bytes(source);
  return model_from_bytes(bytes, source.name());
}

}  // namespace shiftcut
