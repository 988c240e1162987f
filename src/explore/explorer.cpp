// Which request asks for what.
#include <charconv>
#include <functional>
#include <stdexcept>

#include "explore/session.hpp"
#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using ReplyJson = nlohmann::json;

constexpr const char* kJsonType = "application/json";
constexpr const char* kScriptType = "text/javascript; charset=utf-8";
constexpr const char* kStyleType = "text/css; charset=utf-8";
constexpr const char* kBytesType = "application/octet-stream";
constexpr const char* kCsvType = "text/csv; charset=utf-8";
constexpr const char* kHtmlType = "text/html; charset=utf-8";

std::string text_of(const ReplyJson& json) {
  return json.dump(-1, ' ', false, ReplyJson::error_handler_t::replace);
}

ExploreReply failed(int status, const std::string& error) {
  return {status, kJsonType, text_of({{"error", error}}), ""};
}

std::size_t number_of(const ExploreRequest& request, const std::string& name) {
  const auto found = request.parameters.find(name);
  const std::string text = found == request.parameters.end() ? "" : found->second;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(name + ": found none; allowed: a whole number");
  }
  return value;
}

ReplyJson body_of(const ExploreRequest& request) {
  ReplyJson body = ReplyJson::parse(request.body, nullptr, false);
  if (!body.is_object()) {
    throw std::invalid_argument("found a body that is not a JSON object");
  }
  return body;
}

}  // namespace

Explorer::Explorer(const Input& input, const Options& options, Feedback& feedback,
                   const Records& records, Layout layout, ExploreOptions how, Control control)
    : session_(std::make_unique<Session>(input, options, feedback, records, std::move(layout),
                                         std::move(how), std::move(control))) {}
Explorer::~Explorer() = default;

ExploreReply Explorer::reply(const ExploreRequest& request) {
  using Reply = ExploreReply;
  const auto shown_as = [](const char* type, std::string_view value) {
    return Reply{200, type, std::string(value), ""};
  };
  const auto json = [&](const ReplyJson& value) { return shown_as(kJsonType, text_of(value)); };
  const auto file = [](const char* type, std::string value, const char* name) {
    return Reply{200, type, std::move(value), name};
  };
  Session& session = *session_;
  const std::map<std::string, std::function<Reply()>, std::less<>> gets = {
      {"", [&] { return shown_as(kHtmlType, explore_page().html); }},
      {"explore.js", [&] { return shown_as(kScriptType, explore_page().script); }},
      {"explore.css", [&] { return shown_as(kStyleType, explore_page().style); }},
      {"api/state", [&] { return json(session.state()); }},
      {"api/places", [&] { return shown_as(kBytesType, session.places()); }},
      {"api/labels",
       [&] {
         const bool has_point = request.parameters.contains("point");
         return shown_as(
             kBytesType,
             session.labels(has_point ? std::optional(number_of(request, "point")) : std::nullopt));
       }},
      {"api/question", [&] { return json(session.question()); }},
      {"api/explain", [&] { return json(session.explain(number_of(request, "object"))); }},
      {"api/search",
       [&] {
         const auto text = request.parameters.find("text");
         return json(session.search(text == request.parameters.end() ? "" : text->second));
       }},
      {"api/sections", [&] { return shown_as(kJsonType, session.sections()); }},
      {"labels.csv", [&] { return file(kCsvType, session.labels_csv(), "labels.csv"); }},
      {"answers.csv", [&] { return file(kCsvType, session.answers_csv(), "answers.csv"); }},
      {"clusters.model", [&] { return file(kBytesType, session.model(), "clusters.model"); }},
      {"report.html", [&] { return file(kHtmlType, session.report(), "report.html"); }},
  };
  const std::map<std::string, std::function<Reply()>, std::less<>> posts = {
      {"api/rows", [&] { return json(session.rows(body_of(request))); }},
      {"api/answer", [&] { return json(session.answer(body_of(request))); }},
      {"api/merge", [&] { return json(session.merge(body_of(request))); }},
      {"api/move", [&] { return json(session.move(body_of(request))); }},
      {"api/split", [&] { return json(session.split(body_of(request))); }},
      {"api/pin", [&] { return json(session.pin(body_of(request))); }},
      {"api/undo", [&] { return json(session.undo(body_of(request))); }},
  };
  const auto& all = request.is_post ? posts : gets;
  const auto found = all.find(request.path);
  if (found == all.end()) {
    return failed(404, "there is nothing of this name");
  }
  const std::lock_guard lock(session.mutex());
  try {
    return found->second();
  } catch (const OutOfDate& error) {
    return failed(409, error.what());
  } catch (const Interrupted&) {
    return failed(503, "the program was interrupted");
  } catch (const std::invalid_argument& error) {
    return failed(400, session.message_of(error));
  } catch (const std::exception& error) {
    return failed(500, session.message_of(error));
  }
}

}  // namespace shiftcut
