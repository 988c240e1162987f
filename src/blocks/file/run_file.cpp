// Rows to nodes on disk, these to lists on disk, and a run() on what has to be in memory: the
// graph.
#include "shiftcut/run_file.hpp"

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "blocks/file/memory_needs.hpp"
#include "blocks/file/node_rows.hpp"
#include "blocks/file/region_lists.hpp"
#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "input/limits.hpp"
#include "input/matrix/npy_blocks.hpp"
#include "input/readers.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "run/checkpoint_key.hpp"
#include "shiftcut/run.hpp"
#include "shiftcut/words.hpp"
#include "similarity/choose_scale.hpp"

namespace shiftcut {

namespace {

// ---- What is not supported ----

void require_regions(const SimilarityOptions& how) {
  if (how.kind != Similarity::automatic && how.kind != Similarity::neighbors) {
    refuse("not_applicable", "memory_limit",
           "{memory_limit}: found with {similarity} {}, whose search needs all rows again and "
           "again; allowed: {similarity=neighbors}",
           word_of(how.kind));
  }
  if (how.metric != Metric::automatic && how.metric != Metric::euclidean &&
      how.metric != Metric::cosine && how.metric != Metric::correlation) {
    refuse("not_applicable", "memory_limit",
           "{memory_limit}: found with {metric} {}, under which all pairs of rows are compared; "
           "allowed: {metric=euclidean}, {metric=cosine} or {metric=correlation}",
           word_of(how.metric));
  }
}

void check_supported(const Options& options) {
  const auto refuse_with = [](const char* parameter) {
    refuse("not_applicable", "memory_limit",
           std::string("{memory_limit}: found with {") + parameter +
               "}, which needs all rows in memory; allowed: without");
  };
  require_regions(options.similarity);
  const LinkOptions& links = options.links;
  if (!links.must_link.empty()) {
    refuse_with("must_link");
  }
  if (!links.cannot_link.empty()) {
    refuse_with("cannot_link");
  }
  if (!links.one_per_cluster.empty()) {
    refuse_with("cannot_link_by");
  }
  if (options.search.min_size > 0) {
    refuse_with("min_size");
  }
  if (options.search.max_size > 0) {
    refuse_with("max_size");
  }
  if (options.search.max_seconds > 0) {
    refuse_with("max_seconds");
  }
  if (options.shift.kind == ShiftKind::matrix) {
    refuse_with("shift=matrix");
  }
  if (!options.similarity.feature_weights.empty()) {
    refuse_with("feature_weights");
  }
}

// ---- Memory ----

std::string gigabytes(double bytes) { return fmt::format("{:.2f} GB", bytes / 1e9); }

void require_limit(const MemoryNeeds& needs, const FileSize& size, std::size_t limit) {
  if (needs.most() <= static_cast<double>(limit)) {
    return;
  }
  const std::string found = gigabytes(static_cast<double>(limit));
  const std::string most = gigabytes(std::ceil(needs.most() / 1e7) * 1e7);
  if (needs.graph >= needs.most()) {
    throw ResourceError(
        message("not_enough_memory", "memory_limit",
                "{memory_limit}: found {}; allowed: {} or more, which the graph of {} rows with {} "
                "neighbours each may take; or cluster a sample of the rows, and let a model of it "
                "predict the others",
                found, most, size.rows, size.neighbors));
  }
  if (needs.region >= needs.most()) {
    throw ResourceError(
        message("not_enough_memory", "memory_limit",
                "{memory_limit}: found {}; allowed: {} or more, which the search for {} neighbours "
                "of each of {} rows at once may take",
                found, most, size.neighbors, size.region_rows));
  }
  throw ResourceError(message("not_enough_memory", "memory_limit",
                              "{memory_limit}: found {}; allowed: {} or more, which samples of the "
                              "rows may take, of {} bytes each",
                              found, most, size.row_bytes));
}

// What was freed goes back to the system, so that it does not count any more.
void give_back() { (void)malloc_trim(0); }

// ---- The run ----

class RunFromFile {
 public:
  RunFromFile(const std::string& path, const ReadOptions& read, Options options, std::size_t limit,
              const Control& control)
      : path_(path), read_(read), options_(std::move(options)), limit_(limit), control_(control) {
    size_.threads = ThreadTeam(options_.search.threads).threads();
  }

  FileRun run() {
    const Clock::time_point start = Clock::now();
    check_supported(options_);
    look_at_header();
    const FileFacts facts = facts_of_file(path_, options_, limit_, control_);
    require_regions(facts.similarity);
    options_.similarity = facts.similarity;
    nodes_ = nodes_of_file(path_, facts, limit_, size_.threads, control_);
    if (nodes_.count < 2) {
      refuse("bad_input", "memory_limit",
             "{memory_limit}: found a file of equal rows; allowed: 2 different rows or more");
    }
    choose_geometry();
    Input input = input_of_nodes(facts.notes);
    if (control_.checkpoint != nullptr) {
      begin_checkpoint(*control_.checkpoint, input, node_options());
    }
    search_neighbors();
    give_back();
    const double seconds = seconds_since(start);
    FileRun out;
    out.result = shiftcut::run(input, node_options(), control_);
    out.result.seconds.similarity += seconds;
    out.result.seconds.total += seconds;
    input = {};
    to_rows(out.result);
    out.input.values = DenseArray::fetched({}, nodes_.rows, size_.columns);
    out.input.name = ByteSource::name_of(path_);
    out.input.notes = facts.notes;
    out.input.checked = true;
    return out;
  }

 private:
  void look_at_header() {
    require_npy(path_, read_, control_);
    ByteSource source = ByteSource::open(path_, control_);
    const NpyHeader header = read_npy_header(source);
    if (header.rows > kMostObjects) {
      refuse("bad_input", "", "{}: found {} rows; allowed: up to {}", source.name(), header.rows,
             kMostObjects);
    }
    if (options_.search.clusters && *options_.search.clusters > header.rows) {
      refuse("out_of_range", "clusters",
             "{clusters}: found {}; allowed: 1 to {}, the number of objects",
             *options_.search.clusters, header.rows);
    }
    size_.rows = header.rows;
    size_.columns = header.columns;
    size_.row_bytes = npy_row_bytes(header);
    size_.neighbors =
        std::min(neighbors_for(options_.similarity.neighbors, header.rows), header.rows - 1);
    size_.regions =
        region_count(header.rows, header.columns, Metric::cosine, options_.similarity.region_rows);
    // Regions overlap (regions_for()); how far is known once they are found.
    size_.region_rows = size_.regions > 1 ? header.rows / size_.regions : header.rows;
    const SimilarityOptions& how = options_.similarity;
    size_.ranks_rows = how.scale == Scale::automatic &&
                       (how.metric == Metric::automatic || how.metric == Metric::euclidean);
    process_ = resident_memory();
    require_limit(memory_needs(size_, limit_, process_), size_, limit_);
  }

  void choose_geometry() {
    SimilarityOptions& how = options_.similarity;
    const bool chooses = how.scale == Scale::automatic && how.metric == Metric::euclidean;
    geometry_.metric = how.metric;
    geometry_.scaling = {std::vector<double>(size_.columns, 0.0),
                         std::vector<double>(size_.columns, 1.0)};
    if (how.scale == Scale::none || (how.scale == Scale::automatic && !chooses)) {
      scale_reason_ =
          how.scale == Scale::automatic
              ? fmt::format("{} distances are those of the rows as they are", word_of(how.metric))
              : "";
      how.scale = Scale::none;
      return;
    }
    std::vector<PartMoments> plain;
    std::vector<PartMoments> weighted;
    const std::size_t parts = moment_parts(nodes_.count);
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t first = nodes_.count * part / parts;
      const std::size_t last = nodes_.count * (part + 1) / parts;
      const DenseArray rows = nodes_.read(first, last);
      plain.push_back(moments_of_part(rows, {}));
      if (nodes_.repeat) {
        weighted.push_back(moments_of_part(rows, nodes_.weights(first, last)));
      }
    }
    if (chooses) {
      const ScaleReason chosen =
          choose_block_scale(nodes_.sample(scale_sample(nodes_.count)), plain, how, size_.threads);
      how.scale = chosen.scale;
      scale_reason_ = chosen.reason;
      give_back();
    }
    if (how.scale != Scale::none) {
      geometry_.scaling = scaling_of_parts(nodes_.repeat ? weighted : plain, how.scale);
    }
  }

  void search_neighbors() {
    RegionSearch search;
    search.geometry = geometry_;
    search.regions = region_count(nodes_.count, size_.columns, geometry_.metric,
                                  options_.similarity.region_rows);
    search.neighbors =
        std::min(neighbors_for(options_.similarity.neighbors, nodes_.count, nodes_.repeat),
                 nodes_.count - 1);
    search.limit = limit_;
    search.threads = size_.threads;
    search.check = [this](std::size_t largest) {
      size_.region_rows = largest;
      require_limit(memory_needs(size_, limit_, process_), size_, limit_);
    };
    lists_ = search_regions(nodes_, search, control_);
  }

  Input input_of_nodes(const std::vector<Message>& notes) {
    Input input;
    input.values = nodes_.fetched_sample(nodes_.count);
    input.name = ByteSource::name_of(path_);
    input.notes = notes;
    input.checked = true;
    input.weights = nodes_.weights(0, nodes_.count);
    input.neighbors = std::make_shared<const KnownNeighbors>(
        KnownNeighbors{[this] { return lists_.load(); }, geometry_.scaling.offset,
                       geometry_.scaling.factor, nodes_.fingerprint});
    return input;
  }

  [[nodiscard]] Options node_options() const {
    Options options = options_;
    if (options.search.clusters) {
      options.search.clusters = std::min(*options.search.clusters, nodes_.count);
    }
    return options;
  }

  // Numbers of nodes become numbers of rows.
  void to_rows(Result& result) const {
    std::vector<std::size_t> contested;
    if (result.agreement) {
      contested = result.agreement->contested;
    }
    RowLabels rows = labels_of_rows(nodes_, result.labels, contested);
    if (result.agreement) {
      result.agreement->contested = std::move(rows.first_rows);
    }
    result.labels = std::move(rows.labels);
    result.objects = nodes_.rows;
    result.clusters_asked = options_.search.clusters;
    result.scale_reason = scale_reason_;
    result.path_labels = nullptr;
    std::ranges::fill(result.sizes, std::size_t{0});
    for (const std::int32_t label : result.labels) {
      ++result.sizes[static_cast<std::size_t>(label)];
    }
  }

  const std::string& path_;
  const ReadOptions& read_;
  Options options_;
  std::size_t limit_;
  const Control& control_;
  FileSize size_;
  std::size_t process_ = 0;  // bytes resident before the work
  NodeRows nodes_;
  RowGeometry geometry_;
  std::string scale_reason_;
  ListFile lists_;
};

}  // namespace

FileRun run_file(const std::string& path, const ReadOptions& read, const Options& options,
                 std::size_t memory, const Control& control) {
  return RunFromFile(path, read, options, memory, control).run();
}

}  // namespace shiftcut
