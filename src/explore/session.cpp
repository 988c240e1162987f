#include "explore/session.hpp"

#include <utility>

#include <fmt/core.h>

#include "explore/requests.hpp"
#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

Explorer::Session::Session(const Input& input, const Options& options, Feedback& feedback,
                           const Records& records, Layout layout, ExploreOptions how,
                           Control control)
    : input_(input),
      options_(options),
      feedback_(feedback),
      records_(records),
      layout_(std::move(layout)),
      how_(std::move(how)),
      control_(std::move(control)),
      steps_(how_.steps, feedback.answers()) {}

void Explorer::Session::require_version(const Json& body) const {
  if (version_in(body) != version_) {
    throw OutOfDate();
  }
}

std::string Explorer::Session::name(std::size_t object) const {
  return input_.ids.empty() ? fmt::format("row {}", object)
                            : shown(input_.ids[object], explore_tuning::kMostText);
}

Options Explorer::Session::options_now() const {
  Options options = options_;
  for (const Answer& answer : feedback_.answers()) {
    if (answer.says != Answer::Says::unsure) {
      auto& pairs =
          answer.says == Answer::Says::same ? options.links.must_link : options.links.cannot_link;
      pairs.push_back({answer.a, answer.b});
    }
  }
  return options;
}

std::vector<std::int32_t> Explorer::Session::kept_numbers() const {
  const Result& result = feedback_.result();
  std::vector<std::int32_t> kept(result.sizes.size(), -1);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    kept[static_cast<std::size_t>(result.labels[i])] = feedback_.labels()[i];
  }
  return kept;
}

std::string Explorer::Session::labels_csv() {
  return shiftcut::labels_csv(feedback_.result(), input_);
}

std::string Explorer::Session::answers_csv() {
  return shiftcut::answers_csv(feedback_.answers(), input_);
}

std::string Explorer::Session::model() {
  return model_bytes(make_model(input_, options_now(), feedback_.result(),
                                {feedback_.neighbors(), how_.encoding}, control_));
}

PageOptions Explorer::Session::about_page() const {
  PageOptions page;
  page.title = how_.title;
  page.command = how_.command;
  page.places = &layout_;
  page.naming = how_.naming;
  return page;
}

std::string Explorer::Session::report() {
  return page_html(input_, options_now(), feedback_.result(), about_page(),
                   feedback_.neighbors().get(), control_);
}

std::string Explorer::Session::sections() {
  if (!sections_ || sections_->first != version_) {
    sections_ = {version_,
                 fmt::format(R"({{"version":{},"numbers":{},"data":{}}})", version_,
                             Json(kept_numbers()).dump(),
                             page_json(input_, options_now(), feedback_.result(), about_page(),
                                       feedback_.neighbors().get(), control_))};
  }
  return sections_->second;
}

}  // namespace shiftcut
