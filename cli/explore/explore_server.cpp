#include "explore/explore_server.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
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

namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t kMostBody = 512 * 1024;  // a selection
constexpr std::size_t kThreads = 16;           // a window keeps up to six connections
constexpr const char* kJsonType = "application/json";

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
  response.set_content(fmt::format(R"({{"error":"{}"}})", error), kJsonType);
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
  Routes(shiftcut::Explorer& explorer, int port) : explorer_(explorer), token_(random_token()) {
    server_.new_task_queue = [] { return new Workers; };
    server_.set_tcp_nodelay(true);  // else a reply waits for 40 ms
    server_.set_payload_max_length(kMostBody);
    server_.set_keep_alive_timeout(2);
    server_.set_keep_alive_max_count(1000);
    server_.set_default_headers({
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "img-src data:; "
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
    server_.Get(".*", [this](const Request& asked, Response& out) { answer(asked, out); });
    server_.Post(".*", [this](const Request& asked, Response& out) { answer(asked, out); });
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

  void answer(const Request& request, Response& response) const {
    shiftcut::ExploreRequest asked;
    asked.is_post = request.method == "POST";
    asked.path = request.path.substr(token_.size() + 2);
    asked.body = request.body;
    for (const auto& [name, value] : request.params) {
      asked.parameters.emplace(name, value);
    }
    shiftcut::ExploreReply reply = explorer_.reply(asked);
    response.status = reply.status;
    if (!reply.file.empty() && reply.status == 200) {
      response.set_header("Content-Disposition",
                          fmt::format("attachment; filename=\"{}\"", reply.file));
    }
    response.set_content(reply.body, reply.type);
  }

  shiftcut::Explorer& explorer_;
  std::string token_;
  httplib::Server server_;
  std::string host_;
  int port_ = 0;
};

ExploreServer::ExploreServer(shiftcut::Explorer& explorer, int port)
    : routes_(std::make_unique<Routes>(explorer, port)) {}
ExploreServer::~ExploreServer() = default;

std::string ExploreServer::address() const { return routes_->address(); }
void ExploreServer::run(const shiftcut::Control& control) { routes_->run(control); }
