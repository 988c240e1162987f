// What the library tells its user: a code, a parameter and facts, spelt for no front end. The
// command line shows `--shift-strength` where Python shows `shift_strength`.
#pragma once

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace shiftcut {

/// An error, a warning or a note. In `text`, {} stands for the next fact, {shift_strength} for the
/// name of a parameter and {similarity=rbf} for a parameter with a value. Facts are shown as they
/// are, so what a file holds is never taken for a parameter.
struct Message {
  std::string code;       // snake_case, as docs/errors.md lists them
  std::string parameter;  // that the message is about; empty: none
  std::string text;
  std::vector<std::string> facts;
};

/// How a front end writes a parameter; `value` is empty where only the name is meant.
using Naming = std::string (*)(std::string_view parameter, std::string_view value);

/// shift_strength, similarity=rbf.
std::string plain_name(std::string_view parameter, std::string_view value);

/// The message as a front end shows it.
std::string render(const Message& message, Naming naming = plain_name);
std::vector<std::string> render(const std::vector<Message>& messages, Naming naming = plain_name);

/// The message after "what: ", such as the name of a file.
Message after(std::string_view what, Message message);

/// What all exceptions of the library that carry a message have in common.
class Explained {
 public:
  [[nodiscard]] const Message& message() const noexcept { return *message_; }

 protected:
  explicit Explained(Message message)
      : message_(std::make_shared<const Message>(std::move(message))) {}
  ~Explained() = default;
  Explained(const Explained&) = default;
  Explained& operator=(const Explained&) = default;

 private:
  std::shared_ptr<const Message> message_;  // shared: copies of exceptions may not throw
};

/// Data or options that make no sense. what() is the message under plain names.
class InvalidArgument : public std::invalid_argument, public Explained {
 public:
  explicit InvalidArgument(Message message)
      : std::invalid_argument(render(message)), Explained(std::move(message)) {}
};

/// What the system does not give: memory, or a file.
class ResourceError : public std::runtime_error, public Explained {
 public:
  explicit ResourceError(Message message)
      : std::runtime_error(render(message)), Explained(std::move(message)) {}
};

/// The message of an exception that carries one, else its what().
std::string render(const std::exception& error, Naming naming);

}  // namespace shiftcut
