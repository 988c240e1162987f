// Files of pairs and of groups: which lines are data, which headers and comments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/temp_file.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Input objects(std::vector<std::string> ids) {
  Input input;
  input.values = DenseArray::own(std::vector<double>(4), 4, 1);
  input.ids = std::move(ids);
  return input;
}

PairFile pairs_in(const std::string& text, const Input& input) {
  const TempFile file(".txt", text);
  return read_pairs(file.path(), input);
}

std::vector<std::string> pairs(const PairFile& file) {
  std::vector<std::string> all;
  for (const PairFile::Line& line : file.lines) {
    all.push_back(line.a + "|" + line.b);
  }
  return all;
}

TEST(ReadPairs, a_first_line_a_b_is_a_pair_where_objects_are_called_so) {
  const PairFile file = pairs_in("a b\nc d\n", objects({"a", "b", "c", "d"}));
  EXPECT_THAT(pairs(file), ElementsAre("a|b", "c|d"));
  EXPECT_THAT(render(file.notes), IsEmpty());
}

TEST(ReadPairs, a_first_line_a_b_is_a_header_where_they_are_no_objects_and_that_is_noted) {
  for (const Input& input : {objects({}), objects({"a", "0", "1", "2"})}) {
    const PairFile file = pairs_in("a,b\n0,1\n", input);
    EXPECT_THAT(pairs(file), ElementsAre("0|1"));
    EXPECT_THAT(render(file.notes),
                ElementsAre(HasSubstr("line 1 ('a,b') was treated as a header")));
  }
}

TEST(ReadPairs, a_header_with_a_weight_can_not_be_a_pair) {
  const PairFile file = pairs_in("a,b,weight\na,b,2\n", objects({"a", "b", "c", "d"}));
  EXPECT_THAT(pairs(file), ElementsAre("a|b"));
  EXPECT_EQ(file.lines[0].weight, 2);
  EXPECT_THAT(render(file.notes), IsEmpty());
}

TEST(ReadPairs, a_line_that_begins_with_an_id_is_no_comment) {
  const Input input = objects({"#1", "#2", "b", "c d"});
  const PairFile file = pairs_in("#1 #2\n# a note on #1\n#1,c d\n", input);
  EXPECT_THAT(pairs(file), ElementsAre("#1|#2", "#1|c d"));
  EXPECT_THAT(render(file.notes),
              ElementsAre(HasSubstr("line 2 ('# a note on #1') was skipped as a comment")));
}

TEST(ReadPairs, comments_are_counted_in_one_note) {
  const PairFile file = pairs_in("# one\n0 1\n#0 2\n", objects({}));
  EXPECT_THAT(pairs(file), ElementsAre("0|1"));
  EXPECT_THAT(
      render(file.notes),
      ElementsAre(HasSubstr("2 lines were skipped as comments, the first is line 1 ('# one')")));
}

TEST(ReadPairs, quoted_cells_follow_the_rules_of_csv) {
  const Input input = objects({"say \"x\"", "b, c", "d", "#e"});
  const PairFile file = pairs_in(
      "\"say \"\"x\"\"\",\"b, c\"\n\"b, c\"\td\t2\n\"b, c\" d\nd\t\"#e\"\n\"#e\" \"b, c\"\n",
      input);
  EXPECT_THAT(pairs(file), ElementsAre("say \"x\"|b, c", "b, c|d", "b, c|d", "d|#e", "#e|b, c"));
  EXPECT_THAT(message_of([&] { pairs_in("\"d,b\n", input); }), HasSubstr("line 1: found '\"d,b'"));
  EXPECT_THAT(message_of([&] { pairs_in("\"d\"x,b\n", input); }),
              HasSubstr("quotes do not enclose"));
}

TEST(ReadPairs, a_last_line_with_fewer_cells_and_no_line_end_is_noted) {
  EXPECT_THAT(render(pairs_in("0 1 2\n1 2", objects({})).notes),
              ElementsAre(HasSubstr("line 2, its last, which ends in '1 2'")));
  EXPECT_THAT(render(pairs_in("0 1 2\n1 2\n", objects({})).notes), IsEmpty());
  EXPECT_THAT(render(pairs_in("0 1\n1 2", objects({})).notes), IsEmpty());
}

TEST(ReadGroups, a_header_is_noted_and_is_data_where_an_object_is_called_id) {
  const TempFile file(".csv", "id,batch\n0,x\n1,y\n2,x\n3,\n");
  const GroupFile groups = read_groups(file.path(), objects({}));
  EXPECT_THAT(groups.groups, ElementsAre(0, 1, 0, -1));
  EXPECT_THAT(render(groups.notes),
              ElementsAre(HasSubstr("line 1 ('id', 'batch') was treated as a header")));
  const TempFile other(".csv", "id,x\na,y\nb,x\nc,x\n");
  const GroupFile data = read_groups(other.path(), objects({"id", "a", "b", "c"}));
  EXPECT_THAT(data.groups, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(render(data.notes), IsEmpty());
}

TEST(ReadGroups, ids_in_messages_are_harmless) {
  const TempFile file(".csv", "a,x\na,y\n");
  EXPECT_THAT(message_of([&] { read_groups(file.path(), objects({"a", "\x1b[31m", "b", "c"})); }),
              HasSubstr("found 'a' again"));
  const TempFile missing(".csv", "a,x\nb,y\nc,z\n");
  EXPECT_THAT(
      message_of([&] { read_groups(missing.path(), objects({"a", "\x1b[31m", "b", "c"})); }),
      HasSubstr("found no line for '\\x1b[31m'"));
}

}  // namespace
}  // namespace shiftcut
