// What the explorer knows and does, whoever asks: the grouping with its map, its questions, and the
// ways to teach it. A front end passes requests on and replies back: over HTTP, or from a notebook.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/encoding.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/layout.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/records.hpp"

namespace shiftcut {

/// Parts of the page, compiled in; all empty where it was not built.
struct ExplorePage {
  std::string_view html;
  std::string_view script;
  std::string_view style;
  std::string_view widget;  // a module for notebooks
};

ExplorePage explore_page();

/// The paths are those of docs/explore.md, without a leading slash.
struct ExploreRequest {
  bool is_post = false;
  std::string path;
  std::map<std::string, std::string> parameters;
  std::string body;  // JSON
};

struct ExploreReply {
  int status = 200;  // as of HTTP
  std::string type = "application/json";
  std::string body;
  std::string file;  // the name to save it under; empty: it is shown
};

struct ExploreOptions {
  std::string title;    // of a report
  std::string command;  // that gives the same result again, with the answers; for a report
  Naming naming = plain_name;
  /// Puts the answers where they are kept, whole, before a reply says so. May throw
  /// std::runtime_error: the change is then taken back.
  std::function<void(std::span<const Answer>)> save;
  /// Keeps, beside the answers, which of them undo takes back together: called before `save` does.
  /// May be empty, and may throw as `save` may.
  std::function<void(const std::string&)> save_steps;
  std::string steps;                              // that save_steps kept last
  std::shared_ptr<const TableEncoding> encoding;  // of a table, for models; or null
};

/// Requests may come from several threads: they are taken one by one. A change names the version it
/// was made on, so that two windows never change what the other has not seen. Names and cells come
/// from the data: they are made harmless and cut.
class Explorer {
 public:
  /// All but the layout must outlive this.
  Explorer(const Input& input, const Options& options, Feedback& feedback, const Records& records,
           Layout layout, ExploreOptions how, Control control);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  Explorer(Explorer&&) = delete;
  Explorer& operator=(Explorer&&) = delete;

  /// Errors are replies, too: {"error": "..."} with a status of 400 or more.
  ExploreReply reply(const ExploreRequest& request);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace shiftcut
