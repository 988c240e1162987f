#include "neighbors/kept_neighbors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace shiftcut {

namespace {

// Ids and distances are parts of their own: neither is copied when it is saved.
constexpr const char* kIds = "-ids";
constexpr const char* kDistances = "-distances";

template <class T>
void save_array(Checkpoint& checkpoint, const std::string& name, const std::vector<T>& values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               values.size() * sizeof(T));
  checkpoint.save(name, {&bytes, 1});
}

// False if it is not there as long as `values`.
template <class T>
bool load_array(Checkpoint& checkpoint, const std::string& name, std::vector<T>& values) {
  const std::string bytes = checkpoint.load(name);
  if (bytes.empty()) {
    return false;
  }
  if (bytes.size() != values.size() * sizeof(T)) {
    checkpoint.reject(name);
    return false;
  }
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return true;
}

std::optional<NeighborLists> load(Checkpoint& checkpoint, const std::string& name, std::size_t n,
                                  std::size_t k) {
  NeighborLists lists(n, k);
  if (!load_array(checkpoint, name + kIds, lists.ids) ||
      !load_array(checkpoint, name + kDistances, lists.squared)) {
    return std::nullopt;
  }
  const bool are_objects =
      std::ranges::all_of(lists.ids, [n](ObjectId id) { return id < n || id == kNoNeighbor; });
  if (!are_objects) {
    checkpoint.reject(name + kIds);
    return std::nullopt;
  }
  return lists;
}

}  // namespace

NeighborLists kept_neighbors(Checkpoint* checkpoint, const std::string& name, std::size_t n,
                             std::size_t k, const std::function<NeighborLists()>& find) {
  if (checkpoint == nullptr || n == 0 || k == 0) {
    return find();
  }
  if (std::optional<NeighborLists> lists = load(*checkpoint, name, n, k)) {
    return std::move(*lists);
  }
  NeighborLists found = find();
  if (found.n == n && found.k == k) {
    save_array(*checkpoint, name + kIds, found.ids);
    save_array(*checkpoint, name + kDistances, found.squared);
  }
  return found;
}

}  // namespace shiftcut
