#include "explore/teaching.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numeric>

#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;
using Says = Answer::Says;
using Objects = std::vector<std::uint32_t>;

Objects members_of(const Labels& labels, std::int32_t cluster) {
  Objects members;
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == cluster) {
      members.push_back(i);
    }
  }
  return members;
}

// 0, step, 2 step ... modulo n, each once: any first part of them is spread over all.
Objects spread(const Objects& objects) {
  const std::size_t n = objects.size();
  auto step = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(n)));
  while (std::gcd(step, n) > 1 && step > 1) {
    --step;
  }
  Objects out;
  for (std::size_t i = 0; i < n; ++i) {
    out.push_back(objects[i * step % n]);
  }
  return out;
}

// Those nearest to the mean place on the map first.
Objects typical_first(Objects members, const Layout& layout) {
  Place mean;
  for (const std::uint32_t i : members) {
    mean.x += layout[i].x / static_cast<double>(members.size());
    mean.y += layout[i].y / static_cast<double>(members.size());
  }
  std::ranges::stable_sort(members, {}, [&](std::uint32_t i) {
    const double x = layout[i].x - mean.x;
    const double y = layout[i].y - mean.y;
    return x * x + y * y;
  });
  return members;
}

std::int32_t most_common(const Labels& labels, const Objects& objects) {
  std::map<std::int32_t, std::size_t> counts;
  for (const std::uint32_t i : objects) {
    ++counts[labels[i]];
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? -1 : most->first;
}

double share_in(const Labels& labels, const Objects& objects, std::int32_t cluster) {
  const auto there =
      std::ranges::count_if(objects, [&](std::uint32_t i) { return labels[i] == cluster; });
  return static_cast<double>(there) / static_cast<double>(std::max<std::size_t>(objects.size(), 1));
}

class MergeLesson : public Lesson {
 public:
  MergeLesson(const Objects& larger, const Objects& smaller)
      : larger_(spread(larger)), smaller_(spread(smaller)) {}

  [[nodiscard]] bool is_learned(const Labels& labels) const override {
    const std::int32_t cluster = most_common(labels, larger_);
    return share_in(labels, larger_, cluster) > kNearlyAll &&
           share_in(labels, smaller_, cluster) > kNearlyAll;
  }

  [[nodiscard]] std::vector<Answer> next(const Labels& labels) override {
    (void)labels;
    const auto wanted =
        static_cast<std::size_t>(std::ceil(part_ * static_cast<double>(smaller_.size())));
    part_ *= 2;
    std::vector<Answer> answers;
    for (; linked_ < std::min({wanted, smaller_.size(), kMostLinks}); ++linked_) {
      answers.push_back({larger_[linked_ % larger_.size()], smaller_[linked_], Says::same});
    }
    return answers;
  }

 private:
  static constexpr double kNearlyAll = 0.9;

  Objects larger_;
  Objects smaller_;
  double part_ = kFirstPartMerged;
  std::size_t linked_ = 0;
};

class MoveLesson : public Lesson {
 public:
  MoveLesson(Objects objects, Objects members, std::size_t first, std::size_t most)
      : objects_(std::move(objects)), members_(std::move(members)), wanted_(first), most_(most) {
    std::erase_if(members_, [&](std::uint32_t member) {
      return std::ranges::find(objects_, member) != objects_.end();
    });
  }

  [[nodiscard]] bool is_learned(const Labels& labels) const override {
    return share_in(labels, objects_, most_common(labels, members_)) == 1;
  }

  [[nodiscard]] std::vector<Answer> next(const Labels& labels) override {
    (void)labels;
    const std::size_t first = linked_;
    std::vector<Answer> answers;
    for (; linked_ < std::min({wanted_, members_.size(), most_}); ++linked_) {
      answers.push_back({objects_.front(), members_[linked_], Says::same});
    }
    for (std::size_t i = 1; first == 0 && i < objects_.size() && !answers.empty(); ++i) {
      answers.push_back({objects_.front(), objects_[i], Says::same});
    }
    wanted_ *= kMoreMembers;
    return answers;
  }

 private:
  Objects objects_;
  Objects members_;
  std::size_t wanted_;
  std::size_t most_;
  std::size_t linked_ = 0;
};

class SplitLesson : public Lesson {
 public:
  SplitLesson(const Labels& labels, Objects selection, bool has_room)
      : before_(labels), selection_(std::move(selection)), is_selected_(labels.size(), false) {
    for (const std::uint32_t i : selection_) {
      is_selected_[i] = true;
    }
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
      if (!is_selected_[i]) {
        ++rest_[labels[i]];
      }
    }
    if (!has_room) {
      std::map<std::int32_t, std::size_t> own;
      for (const std::uint32_t i : selection_) {
        if (const auto found = rest_.find(labels[i]); found != rest_.end()) {
          own.insert(*found);
        }
      }
      rest_ = std::move(own);
    }
  }

  [[nodiscard]] bool is_learned(const Labels& labels) const override {
    const std::int32_t cluster = labels[selection_.front()];
    return share_in(labels, selection_, cluster) == 1 && mingled(labels, cluster).empty();
  }

  [[nodiscard]] std::vector<Answer> next(const Labels& labels) override {
    const std::uint32_t first = selection_.front();
    std::vector<Answer> answers;
    if (round_++ == 0) {
      for (std::size_t i = 1; i < selection_.size(); ++i) {
        answers.push_back({first, selection_[i], Says::same});
      }
    }
    for (const std::int32_t other : mingled(labels, labels[first])) {
      Objects members;
      for (std::uint32_t i = 0; i < labels.size(); ++i) {
        if (!is_selected_[i] && before_[i] == other && labels[i] == labels[first]) {
          members.push_back(i);
        }
      }
      members = spread(members);
      members.resize(std::min({wanted_, members.size(), kMostLinks}));
      for (const std::uint32_t i : members) {
        answers.push_back({first, i, Says::different});
      }
    }
    wanted_ *= kMoreMembers;
    return wanted_ > kMostLinks ? std::vector<Answer>() : answers;
  }

 private:
  // Clusters of before of which more than half of what was not selected is in the cluster.
  [[nodiscard]] std::vector<std::int32_t> mingled(const Labels& labels,
                                                  std::int32_t cluster) const {
    std::map<std::int32_t, std::size_t> there;
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
      if (!is_selected_[i] && labels[i] == cluster && rest_.contains(before_[i])) {
        ++there[before_[i]];
      }
    }
    std::vector<std::int32_t> mingled;
    for (const auto& [other, count] : there) {
      if (2 * count > rest_.at(other)) {
        mingled.push_back(other);
      }
    }
    return mingled;
  }

  Labels before_;
  Objects selection_;
  std::vector<bool> is_selected_;
  std::map<std::int32_t, std::size_t> rest_;  // objects of each cluster that were not selected
  std::size_t wanted_ = kFirstMembers;
  int round_ = 0;
};

}  // namespace

std::unique_ptr<Lesson> merge(const Labels& labels, std::int32_t a, std::int32_t b) {
  Objects larger = members_of(labels, a);
  Objects smaller = members_of(labels, b);
  if (larger.size() < smaller.size()) {
    std::swap(larger, smaller);
  }
  return std::make_unique<MergeLesson>(std::move(larger), std::move(smaller));
}

std::unique_ptr<Lesson> move_to(const Labels& labels, const Layout& layout, Objects objects,
                                std::int32_t cluster) {
  return std::make_unique<MoveLesson>(std::move(objects),
                                      typical_first(members_of(labels, cluster), layout),
                                      kFirstMembers, kMostLinks);
}

std::unique_ptr<Lesson> pin(const Labels& labels, const Layout& layout, std::uint32_t object) {
  return std::make_unique<MoveLesson>(
      Objects{object}, typical_first(members_of(labels, labels[object]), layout), kPins, kPins);
}

std::unique_ptr<Lesson> split(const Labels& labels, Objects selection, bool has_room) {
  return std::make_unique<SplitLesson>(labels, std::move(selection), has_room);
}

}  // namespace shiftcut
