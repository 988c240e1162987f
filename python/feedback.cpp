// shiftcut._core.Feedback: shiftcut::Feedback with its data, and answers as numbers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "messages.hpp"
#include "methods/methods.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;
using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;
using AnswerIn = std::tuple<std::uint32_t, std::uint32_t, int>;  // 1 same, 0 different, -1 unsure

shiftcut::Answer answer_from(const AnswerIn& given) {
  using Says = shiftcut::Answer::Says;
  const auto& [a, b, says] = given;
  return {a, b, says > 0 ? Says::same : says == 0 ? Says::different : Says::unsure};
}

class PythonFeedback {
 public:
  PythonFeedback(nb::object values, const std::string& shape, const OptionsIn& given,
                 const std::string& strategy, bool learn, bool checked, const nb::object& progress)
      : values_(std::move(values)) {
    input_.values = values_from(values_);
    input_.shape = enum_from<shiftcut::Shape>("shape", shape);
    input_.weights = row_weights_from(given);
    input_.name = "X";
    input_.checked = checked;
    options_ = options_from(given);
    shiftcut::FeedbackOptions how;
    how.strategy = enum_from<shiftcut::Strategy>("strategy", strategy);
    how.learn = learn;
    watched(
        [&](const shiftcut::Control& control) {
          feedback_ = std::make_unique<shiftcut::Feedback>(input_, options_, how, control);
        },
        progress);
  }

  std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> next_pairs(std::size_t count) {
    std::vector<shiftcut::Question> questions;
    watched([&](const shiftcut::Control&) { questions = feedback_->next_pairs(count); },
            nb::none());
    std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> out;
    for (const shiftcut::Question& question : questions) {
      out.emplace_back(question.a, question.b, question.chance);
    }
    return out;
  }

  std::size_t answer(const std::vector<AnswerIn>& given) {
    std::vector<shiftcut::Answer> answers;
    for (const AnswerIn& one : given) {
      answers.push_back(answer_from(one));
    }
    return changed(
        [&](const shiftcut::Control& control) { return feedback_->answer(answers, control); });
  }

  std::size_t undo() {
    return changed([&](const shiftcut::Control& control) { return feedback_->undo(control); });
  }

  std::size_t refit() {
    return changed([&](const shiftcut::Control& control) { return feedback_->refit(control); });
  }

  [[nodiscard]] Array<std::int32_t, 1> labels() const {
    std::vector<std::int32_t> labels = feedback_->labels();
    const std::size_t n = labels.size();
    return as_array(std::move(labels), n);
  }

  [[nodiscard]] std::string result() const {
    shiftcut::Result result = feedback_->result();
    result.labels.clear();
    return shiftcut::to_json(result, parameter_name);
  }

  void explore(std::string_view title, std::string_view command, std::vector<std::string> names,
               std::vector<std::string> columns, nb::object save, const std::string& steps,
               nb::object save_steps) {
    input_.ids = std::move(names);
    input_.column_names = std::move(columns);
    save_ = std::move(save);
    save_steps_ = std::move(save_steps);
    shiftcut::Layout places;
    watched(
        [&](const shiftcut::Control& control) {
          places = shiftcut::layout(input_, options_, feedback_->result(),
                                    feedback_->neighbors().get(), control);
        },
        nb::none());
    records_ = std::make_unique<shiftcut::Records>(input_);
    explorer_ = std::make_unique<shiftcut::Explorer>(
        input_, options_, *feedback_, *records_, std::move(places),
        shiftcut::ExploreOptions{
            std::string(title), std::string(command), parameter_name,
            [this](std::span<const shiftcut::Answer> answers) { pass_on(answers); },
            [this](const std::string& text) { pass_on_steps(text); }, steps, nullptr},
        shiftcut::Control{});
  }

  // From any thread.
  std::tuple<int, std::string, nb::bytes, std::string> ask(
      bool is_post, std::string_view path, const std::map<std::string, std::string>& parameters,
      const nb::bytes& body) {
    shiftcut::ExploreRequest request{
        is_post, std::string(path), parameters, {body.c_str(), body.size()}};
    shiftcut::ExploreReply reply;
    {
      const nb::gil_scoped_release released;
      reply = explorer_->reply(request);
    }
    return {reply.status, reply.type, nb::bytes(reply.body.data(), reply.body.size()), reply.file};
  }

 private:
  // What Python raises becomes an error that a reply tells.
  void pass_on(std::span<const shiftcut::Answer> answers) const {
    using Says = shiftcut::Answer::Says;
    const nb::gil_scoped_acquire acquired;
    nb::list list;
    for (const shiftcut::Answer& answer : answers) {
      const int says = answer.says == Says::same ? 1 : answer.says == Says::different ? 0 : -1;
      list.append(nb::make_tuple(answer.a, answer.b, says));
    }
    call(save_, list);
  }

  void pass_on_steps(const std::string& text) const {
    const nb::gil_scoped_acquire acquired;
    call(save_steps_, nb::str(text.c_str()));
  }

  static void call(const nb::object& function, const nb::object& argument) {
    try {
      function(argument);
    } catch (nb::python_error& error) {
      throw std::runtime_error(error.what());
    }
  }

  template <class Work>
  std::size_t changed(const Work& work) {
    std::size_t count = 0;
    watched([&](const shiftcut::Control& control) { count = work(control); }, nb::none());
    return count;
  }

  nb::object values_;  // that the input looks at
  shiftcut::Input input_;
  shiftcut::Options options_;
  std::unique_ptr<shiftcut::Feedback> feedback_;
  nb::object save_;
  nb::object save_steps_;
  std::unique_ptr<shiftcut::Records> records_;
  std::unique_ptr<shiftcut::Explorer> explorer_;
};

}  // namespace

void bind_feedback(nb::module_& module) {
  nb::class_<PythonFeedback>(module, "Feedback", "Groups that follow answers about pairs.")
      .def(nb::init<nb::object, const std::string&, const OptionsIn&, const std::string&, bool,
                    bool, const nb::object&>(),
           "values"_a, "shape"_a, "options"_a, "strategy"_a, "learn"_a, nb::kw_only(), "checked"_a,
           "progress"_a = nb::none())
      .def("next_pairs", &PythonFeedback::next_pairs, "count"_a,
           "Pairs to ask about, and how likely each is together.")
      .def("answer", &PythonFeedback::answer, "answers"_a,
           "Takes answers in (1 same, 0 different, -1 unsure): how many objects changed cluster.")
      .def("undo", &PythonFeedback::undo, "Takes the last answer back.")
      .def("refit", &PythonFeedback::refit, "Learns from all answers.")
      .def("explore", &PythonFeedback::explore, nb::kw_only(), "title"_a, "command"_a, "names"_a,
           "columns"_a, "save"_a, "steps"_a, "save_steps"_a,
           "Get ready for requests; `save` is called with all answers, `save_steps` with a text.")
      .def("ask", &PythonFeedback::ask, "is_post"_a, "path"_a, "parameters"_a, "body"_a,
           "A reply of the explorer: status, type, body, and the name of a file.")
      .def("labels", &PythonFeedback::labels, "Of the objects.")
      .def("result", &PythonFeedback::result, "The rest as JSON.");
}

}  // namespace shiftcut_python
