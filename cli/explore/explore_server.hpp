// Serves an Explorer to a browser on this machine, and to nobody else.
//
// Only 127.0.0.1 is listened on. Every address begins with a random token; the Host is this
// server's, and so is the Origin where there is one, which keeps other pages of the browser out
// (also those whose name leads here). Requests are bounded in size. No part of an address ever
// reaches the file system: the pages are compiled in.
//
// On cpp-httplib: it is in Debian, needs no build step of its own, and serves a few windows well.
// Boost.Beast would be the alternative: a far larger dependency, and no router.
#pragma once

#include <memory>
#include <string>

#include "shiftcut/control.hpp"
#include "shiftcut/explore.hpp"

class ExploreServer {
 public:
  /// Begins to listen. `port` 0: any free one. Throws std::runtime_error where it can't.
  ExploreServer(shiftcut::Explorer& explorer, int port);
  ~ExploreServer();
  ExploreServer(const ExploreServer&) = delete;
  ExploreServer& operator=(const ExploreServer&) = delete;
  ExploreServer(ExploreServer&&) = delete;
  ExploreServer& operator=(ExploreServer&&) = delete;

  /// With the token: to be given to one person.
  [[nodiscard]] std::string address() const;

  /// Serves until asked to stop.
  void run(const shiftcut::Control& control);

 private:
  class Routes;
  std::unique_ptr<Routes> routes_;
};
