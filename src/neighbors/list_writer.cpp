#include "neighbors/list_writer.hpp"

#include <algorithm>
#include <span>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

// One object's list, filled distance by distance.
class OneList {
 public:
  OneList(NeighborLists& lists, ObjectId object) : lists_(lists), object_(object) {}

  [[nodiscard]] bool full() const { return count_ == lists_.k; }

  void push(ObjectId other, double squared) {
    lists_.ids[object_ * lists_.k + count_] = other;
    lists_.squared[object_ * lists_.k + count_] = squared;
    ++count_;
  }

  /// Offers the members of a group: no more of them than fit, those next after the object first.
  void offer(std::span<const ObjectId> members, std::vector<ObjectId>& pool) const {
    const auto after = std::upper_bound(members.begin(), members.end(), object_);
    const auto start = static_cast<std::size_t>(after - members.begin());
    const std::size_t own =
        start > 0 && members[start - 1] == object_ ? std::size_t{1} : std::size_t{0};
    const std::size_t count = std::min(lists_.k - count_, members.size() - own);
    for (std::size_t m = 0; m < count; ++m) {
      pool.push_back(members[(start + m) % members.size()]);
    }
  }

  /// Takes as many as fit of a pool at one distance.
  void take(std::vector<ObjectId>& pool, double squared) {
    const std::size_t count = std::min(pool.size(), lists_.k - count_);
    std::partial_sort(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(count), pool.end(),
                      [&](ObjectId a, ObjectId b) {
                        return steps_from(object_, a, lists_.n) < steps_from(object_, b, lists_.n);
                      });
    for (std::size_t p = 0; p < count; ++p) {
      push(pool[p], squared);
    }
    pool.clear();
  }

 private:
  NeighborLists& lists_;
  ObjectId object_;
  std::size_t count_ = 0;
};

}  // namespace

void ListWriter::measure(std::size_t group, std::vector<NearGroup>& others) const {
  const std::size_t d = rows_.length();
  std::vector<double> row(2 * d);
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
  std::vector<ObjectId> pool;
  const std::span<const ObjectId> members = groups_.of(group);
  for (const ObjectId object : members) {
    OneList list(lists_, object);
    list.offer(members, pool);
    double distance = 0;
    for (std::size_t next = 0;;) {
      while (next < others.size() && others[next].squared == distance) {
        list.offer(groups_.of(others[next++].group), pool);
      }
      list.take(pool, distance);
      if (list.full() || next == others.size()) {
        break;
      }
      distance = others[next].squared;
    }
  }
}

}  // namespace shiftcut
