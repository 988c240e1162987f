#include <memory>

#include "commands.hpp"
#include "output/output_file.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct PredictArguments {
  std::string model;
  ReadArguments read;
  std::string labels_file = "-";
  std::string strength_file;
  std::string json_file;
  bool noise = false;
  std::string threads = "0";
  bool quiet = false;
};

int run_predict(const PredictArguments& arguments) {
  const auto threads = number<int>("--threads", arguments.threads, "1 to 1024, or 0 for all");
  const shiftcut::ReadOptions options = arguments.read.options();
  const bool is_other_alone = (arguments.json_file == "-" || arguments.strength_file == "-") &&
                              arguments.labels_file == "-";
  const OutputFile labels("--labels", is_other_alone ? "" : arguments.labels_file);
  const OutputFile json("--json", arguments.json_file);
  const OutputFile strength("--strength", arguments.strength_file);
  for (const OutputFile* output : {&labels, &json, &strength}) {
    output->require_other_than("MODEL", arguments.model);
    output->require_other_than("NEW", arguments.read.path);
  }
  labels.require_other_than(json);
  strength.require_other_than(labels);
  strength.require_other_than(json);
  catch_interrupts();

  shiftcut::Input input;
  shiftcut::Result result;
  shiftcut::Prediction prediction;
  std::shared_ptr<const shiftcut::Model> model;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    model = std::make_shared<const shiftcut::Model>(shiftcut::read_model(arguments.model, control));
    input = shiftcut::read_new_rows(arguments.read.path, options, *model, control);
    const shiftcut::Predictor predictor(model, threads, control);
    prediction = predictor.judge(input.values, threads, control);
  }
  if (arguments.noise) {
    shiftcut::leave_out_outliers(prediction);
  }
  result.labels = prediction.labels;
  show("note", render(input.notes, option_name));
  if (labels.is_given()) {
    labels.write(shiftcut::labels_csv(result, input));
  }
  if (strength.is_given()) {
    strength.write(shiftcut::strength_csv(prediction.labels, prediction.strengths, input));
  }
  if (json.is_given()) {
    json.write(shiftcut::prediction_json(prediction, *model, input, option_name));
  }
  return 0;
}

}  // namespace

void add_predict_command(CommandLine& program) {
  auto arguments = std::make_shared<PredictArguments>();
  Command& command =
      program.add_command("predict", "Assign the rows of NEW to the clusters of a saved model");
  PredictArguments& a = *arguments;
  command.add_required("MODEL", a.model, "The file that cluster --model wrote");
  command.add_required("NEW", a.read.path,
                       "New rows with the columns of the training data, or their similarities to "
                       "the training objects; - for standard input");
  command.add_option("--format", a.read.format, "Of NEW; by its name's ending if not given");
  command.add_flag("--no-header", a.read.no_header,
                   "The table's first line holds values, not names");
  command.add_option("--delimiter", a.read.delimiter,
                     "Between the cells of a table: , ; | tab or another (by the first lines)");
  command.add_option("--labels", a.labels_file,
                     "Write id,label lines to this file; - for standard output (-)");
  command.add_option("--strength", a.strength_file,
                     "Write id,label,strength,outlier_score lines to this file");
  command.add_flag("--noise", a.noise, "Label outliers -1: rows with an outlier score above 0.5");
  command.add_option(
      "--json", a.json_file,
      "Write the labels to this file; - for standard output, with nothing else printed there");
  command.add_option("--threads", a.threads, "0: all cores; never changes the result (0)");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([arguments] { return run_predict(*arguments); });
}
