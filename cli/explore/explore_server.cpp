#include "explore/explore_server.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <httplib.h>

#include "explore/page.hpp"
#include "parse.hpp"

namespace {

using httplib::Request;
using httplib::Response;
using Json = ExploreSession::Json;

constexpr std::size_t kMostBody = 64 * 1024;
constexpr std::size_t kThreads = 16;  // a window keeps up to six connections
constexpr const char* kHtmlType = "text/html; charset=utf-8";
constexpr const char* kJsonType = "application/json";
constexpr const char* kCsvType = "text/csv; charset=utf-8";

// 128 bits in hexadecimal digits.
std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("no random numbers for the address");
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += fmt::format("{:02x}", byte);
  }
  return token;
}

// In a time that says nothing of where they differ.
bool equal(std::string_view a, std::string_view b) {
  unsigned differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return differs == 0;
}

void fail(Response& response, int status, const std::string& error) {
  response.status = status;
  response.set_content(
      Json({{"error", error}}).dump(-1, ' ', false, Json::error_handler_t::replace), kJsonType);
}

void reply(Response& response, const Json& json) {
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace), kJsonType);
}

std::size_t number_of(const Request& request, const std::string& name) {
  const std::string text = request.get_param_value(name);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(name + ": found none; allowed: a whole number");
  }
  return value;
}

Json body_of(const Request& request) {
  Json body = Json::parse(request.body, nullptr, false);
  if (!body.is_object()) {
    throw std::invalid_argument("found a body that is not a JSON object");
  }
  return body;
}

template <class Work>
std::thread start_thread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw std::runtime_error(fmt::format("can't start a thread: {}", error.what()));
  }
}

// Threads that take connections. Where fewer can be started, those do; httplib's own would end the
// program.
class Workers : public httplib::TaskQueue {
 public:
  Workers() {
    try {
      while (threads_.size() < kThreads) {
        threads_.push_back(start_thread([this] { work(); }));
      }
    } catch (const std::runtime_error&) {
      if (threads_.empty()) {
        throw;
      }
    }
  }

  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push(std::move(task));
    }
    has_changed_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    has_changed_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      has_changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) {
        return;
      }
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable has_changed_;
  std::queue<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

class ExploreServer::Routes {
 public:
  Routes(ExploreSession& session, int port) : session_(session), token_(random_token()) {
    server_.new_task_queue = [] { return new Workers; };
    server_.set_payload_max_length(kMostBody);
    server_.set_keep_alive_timeout(2);
    server_.set_keep_alive_max_count(1000);
    server_.set_default_headers({
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    });
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      return admits(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                       : httplib::Server::HandlerResponse::Handled;
    });
    add_pages();
    add_questions();
    add_changes();
    const bool is_any = port == 0;
    port_ = is_any ? server_.bind_to_any_port("127.0.0.1") : port;
    if (port_ <= 0 || (!is_any && !server_.bind_to_port("127.0.0.1", port))) {
      throw std::runtime_error(
          fmt::format("--port: {} can't be listened on; allowed: a free port, or 0 for any", port));
    }
    host_ = fmt::format("127.0.0.1:{}", port_);
  }

  [[nodiscard]] std::string address() const { return fmt::format("http://{}/{}/", host_, token_); }

  void run(const shiftcut::Control& control) {
    std::atomic<bool> has_ended{false};
    std::exception_ptr error;
    std::thread listener = start_thread([&] {
      try {
        server_.listen_after_bind();
      } catch (...) {
        error = std::current_exception();
      }
      has_ended = true;
    });
    const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
    while (!control.stop_requested() && !has_ended) {
      wait();
    }
    for (; !has_ended; wait()) {
      server_.stop();  // does nothing before the server has begun
    }
    listener.join();
    if (error) {
      std::rethrow_exception(error);
    }
  }

 private:
  // Whether a request is one of this server's own pages. Says so before its body is read.
  bool admits(const Request& request, Response& response) const {
    const std::string_view path = request.path;
    const std::size_t end = path.find('/', 1);
    const bool has_token =
        path.size() > 1 && end != std::string_view::npos && equal(path.substr(1, end - 1), token_);
    const std::string host = request.get_header_value("Host");
    const std::string origin = request.get_header_value("Origin");
    const bool is_here = request.get_header_value_count("Host") == 1 &&
                         (host == host_ || host == fmt::format("localhost:{}", port_));
    // Browsers name the origin with every POST.
    const bool needs_origin = request.has_header("Origin") || request.method == "POST";
    if (!has_token || !is_here || (needs_origin && origin != "http://" + host)) {
      fail(response, 403, "not allowed: open the address that the program has printed");
      return false;
    }
    if (request.method == "POST") {
      if (request.get_header_value("Content-Type") != kJsonType) {
        fail(response, 415, "found a body of another type; allowed: application/json");
        return false;
      }
      if (!request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) {
        fail(response, 411, "found no Content-Length");
        return false;
      }
      return true;
    }
    if (request.method != "GET") {
      fail(response, 405, "allowed: GET and POST");
      return false;
    }
    return true;
  }

  // Errors of a request as answers to it.
  template <class Handle>
  static httplib::Server::Handler guarded(const Handle& handle) {
    return [handle](const Request& request, Response& response) {
      try {
        handle(request, response);
      } catch (const OutOfDate& error) {
        fail(response, 409, error.what());
      } catch (const std::invalid_argument& error) {
        fail(response, 400, shiftcut::harmless(shiftcut::render(error, option_name)));
      } catch (const shiftcut::Interrupted&) {
        fail(response, 503, "the program was interrupted");
      } catch (const std::exception& error) {
        fail(response, 500, shiftcut::harmless(shiftcut::render(error, option_name)));
      }
    };
  }

  template <class Handle>
  void get(const std::string& path, const Handle& handle) {
    server_.Get("/" + token_ + path, guarded(handle));
  }

  template <class Handle>
  void post(const std::string& path, const Handle& handle) {
    server_.Post("/" + token_ + path, guarded(handle));
  }

  void add_pages() {
    const auto add = [this](const std::string& path, std::string_view text, const char* type) {
      get(path, [text, type](const Request&, Response& response) {
        response.set_content(text.data(), text.size(), type);
      });
    };
    add("/", explore_page::kHtml, kHtmlType);
    add("/explore\\.js", explore_page::kScript, "text/javascript; charset=utf-8");
    add("/explore\\.css", explore_page::kStyle, "text/css; charset=utf-8");
  }

  void add_questions() {
    get("/api/state",
        [this](const Request&, Response& response) { reply(response, session_.state()); });
    get("/api/question",
        [this](const Request&, Response& response) { reply(response, session_.question()); });
    get("/api/explain", [this](const Request& request, Response& response) {
      reply(response, session_.explain(number_of(request, "object")));
    });
    get("/api/search", [this](const Request& request, Response& response) {
      reply(response, session_.search(request.get_param_value("text")));
    });
    get("/labels\\.csv", [this](const Request&, Response& response) {
      response.set_content(session_.labels_csv(), kCsvType);
      response.set_header("Content-Disposition", "attachment; filename=\"labels.csv\"");
    });
    get("/answers\\.csv", [this](const Request&, Response& response) {
      response.set_content(session_.answers_csv(), kCsvType);
      response.set_header("Content-Disposition", "attachment; filename=\"answers.csv\"");
    });
  }

  void add_changes() {
    post("/api/answer", [this](const Request& request, Response& response) {
      reply(response, session_.answer(body_of(request)));
    });
    post("/api/undo", [this](const Request& request, Response& response) {
      reply(response, session_.undo(body_of(request)));
    });
  }

  ExploreSession& session_;
  std::string token_;
  std::string host_;
  int port_ = 0;
  httplib::Server server_;
};

ExploreServer::ExploreServer(ExploreSession& session, int port)
    : routes_(std::make_unique<Routes>(session, port)) {}
ExploreServer::~ExploreServer() = default;

std::string ExploreServer::address() const { return routes_->address(); }
void ExploreServer::run(const shiftcut::Control& control) { routes_->run(control); }
