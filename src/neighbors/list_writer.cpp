#include "neighbors/list_writer.hpp"

#include <algorithm>
#include <span>

#include "core/kernels/kernels.hpp"

namespace shiftcut {

namespace {

// The list of one object, filled distance by distance.
class OneList {
 public:
  OneList(NeighborLists& lists, ObjectId object) : lists_(lists), object_(object) {}

  [[nodiscard]] bool full() const { return picked_.size() == lists_.k; }

  /// Offers members `from` to `to` of a group, counted from the first one after the object.
  void offer(std::span<const ObjectId> members, std::size_t from, std::size_t to) {
    const auto after = std::upper_bound(members.begin(), members.end(), object_);
    const auto start = static_cast<std::size_t>(after - members.begin());
    const bool is_own = start > 0 && members[start - 1] == object_;
    const std::size_t end = std::min({to, from + lists_.k, members.size() - (is_own ? 1 : 0)});
    for (std::size_t m = from; m < end; ++m) {
      pool_.push_back(members[(start + m) % members.size()]);
    }
  }

  /// Adds those offered, which are all at the same distance, as far as they fit.
  void take(double squared) {
    const std::size_t count = std::min(pool_.size(), lists_.k - picked_.size());
    std::partial_sort(pool_.begin(), pool_.begin() + static_cast<std::ptrdiff_t>(count),
                      pool_.end(), [&](ObjectId a, ObjectId b) { return steps(a) < steps(b); });
    for (std::size_t p = 0; p < count; ++p) {
      picked_.push_back({squared, pool_[p]});
    }
    pool_.clear();
  }

  void write() {
    std::sort(picked_.begin(), picked_.end(), [&](const Pick& a, const Pick& b) {
      return a.squared != b.squared ? a.squared < b.squared : steps(a.other) < steps(b.other);
    });
    for (std::size_t p = 0; p < picked_.size(); ++p) {
      lists_.ids[object_ * lists_.k + p] = picked_[p].other;
      lists_.squared[object_ * lists_.k + p] = picked_[p].squared;
    }
  }

 private:
  struct Pick {
    double squared;
    ObjectId other;
  };

  [[nodiscard]] ObjectId steps(ObjectId other) const {
    return steps_from(object_, other, lists_.n);
  }

  NeighborLists& lists_;
  ObjectId object_;
  std::vector<ObjectId> pool_;
  std::vector<Pick> picked_;
};

}  // namespace

void ListWriter::measure(std::size_t group, std::vector<NearGroup>& others) const {
  const std::size_t d = rows_.length();
  std::vector<double> row(2 * d);
  for (const NearGroup& other : others) {
    rows_.prefetch(groups_.first(other.group));
  }
  rows_.row(groups_.first(group), row.data());
  for (NearGroup& other : others) {
    rows_.row(groups_.first(other.group), row.data() + d);
    other.squared = squared_distance(row.data(), row.data() + d, d);
  }
}

void ListWriter::write(std::size_t group, std::vector<NearGroup>& others) const {
  std::sort(others.begin(), others.end(), [](const NearGroup& a, const NearGroup& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.group < b.group;
  });
  const std::span<const ObjectId> members = groups_.of(group);
  const auto offer_all = [&](OneList& list, std::size_t from, std::size_t to) {
    list.offer(members, from, to);
    double distance = 0;
    for (std::size_t next = 0;;) {
      while (next < others.size() && others[next].squared == distance) {
        list.offer(groups_.of(others[next++].group), from, to);
      }
      list.take(distance);
      if (list.full() || next == others.size()) {
        break;
      }
      distance = others[next].squared;
    }
  };
  const std::size_t copies = most_copies(lists_.k);
  for (const ObjectId object : members) {
    OneList list(lists_, object);
    offer_all(list, 0, copies);
    if (!list.full()) {
      offer_all(list, copies, lists_.n);
    }
    list.write();
  }
}

}  // namespace shiftcut
