// Delimiters, decimal commas, line ends and names of columns, found out from the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"

namespace shiftcut {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Input table_of(const std::string& text, const ReadOptions& options = {}, char delimiter = ',') {
  ByteSource source = ByteSource::memory(text, "table", 5);
  return read_table(source, options, delimiter);
}

std::vector<double> numbers_of(const Input& input) {
  const auto& dense = std::get<DenseArray>(input.values);
  return {dense.f64(), dense.f64() + dense.rows() * dense.columns()};
}

TEST(TableForm, semicolons_and_decimal_commas_are_found_and_noted) {
  const Input input = table_of("x;y\n1,5;2\n-,25;3e1\n");
  EXPECT_THAT(input.column_names, ElementsAre("x", "y"));
  EXPECT_THAT(numbers_of(input), ElementsAre(1.5, 2, -0.25, 30));
  EXPECT_THAT(render(input.notes), ElementsAre(HasSubstr("separated by semicolons, not by commas"),
                                               HasSubstr("decimal comma")));
}

TEST(TableForm, quoted_decimal_commas_are_numbers_too) {
  EXPECT_THAT(numbers_of(table_of("x;y\n\"1,5\";\"2\"\n\"2,25\";\"3\"\n")),
              ElementsAre(1.5, 2, 2.25, 3));
}

TEST(TableForm, rows_of_decimal_commas_without_a_header_are_not_split_at_them) {
  ReadOptions options;
  options.header = false;
  EXPECT_THAT(numbers_of(table_of("1,5;2,5\n3,5;4,5\n", options)), ElementsAre(1.5, 2.5, 3.5, 4.5));
}

TEST(TableForm, tabs_and_bars_are_found) {
  EXPECT_THAT(numbers_of(table_of("x\ty\n1.5\t2\n3\t4\n")), ElementsAre(1.5, 2, 3, 4));
  EXPECT_THAT(numbers_of(table_of("x|y\n1.5|2\n3|4\n")), ElementsAre(1.5, 2, 3, 4));
}

TEST(TableForm, a_table_with_commas_stays_one) {
  const Input input = table_of("x,y\n1,a;b\n2,c;d\n1,a;b\n");
  EXPECT_THAT(input.column_names, ElementsAre("x", "y=a;b", "y=c;d"));
  EXPECT_THAT(render(input.notes), IsEmpty());
}

TEST(TableForm, a_given_delimiter_is_taken) {
  ReadOptions options;
  options.delimiter = ':';
  EXPECT_THAT(numbers_of(table_of("x:y\n1:2\n", options)), ElementsAre(1, 2));
  options.delimiter = ',';
  EXPECT_THAT(table_of("x;y\n1;2\n1;2\n", options).column_names, ElementsAre("x;y=1;2"));
  options.delimiter = '"';
  EXPECT_THAT(message_of([&] { table_of("x\n1\n", options); }), HasSubstr("delimiter"));
}

TEST(TableForm, commas_that_may_separate_thousands_are_no_numbers_and_that_is_noted) {
  const Input input = table_of("x;y\n1,500;a\n2,250;b\n");
  EXPECT_EQ(input.column_names.size(), 4U);
  EXPECT_THAT(render(input.notes), Contains(HasSubstr("'1,500' was read as text")));
}

TEST(TableForm, commas_beside_decimal_points_are_no_numbers_and_that_is_noted) {
  const Input input = table_of("x;y\n1,5;1.5\n2,5;2.5\n");
  EXPECT_EQ(input.column_names.size(), 3U);
  EXPECT_THAT(render(input.notes),
              Contains(HasSubstr("while others, such as '2.5', have a decimal point")));
}

TEST(TableForm, lines_may_end_in_cr_alone) {
  const Input input = table_of("x,y\r1,2\r3,4\r");
  EXPECT_THAT(numbers_of(input), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(render(input.notes), IsEmpty());
}

TEST(TableForm, a_byte_order_mark_is_no_part_of_the_first_name) {
  EXPECT_THAT(table_of("\xEF\xBB\xBFx;y\n1;2\n").column_names, ElementsAre("x", "y"));
}

TEST(TableForm, columns_without_a_name_or_with_the_name_of_another_are_noted) {
  const Input input = table_of(",x,x\n0.5,1,2\n1,3,4\n");
  EXPECT_THAT(input.column_names, ElementsAre("c0", "x", "x"));
  EXPECT_THAT(render(input.notes),
              ElementsAre(HasSubstr("column 1 has no name and is called 'c0'"),
                          HasSubstr("columns 2 and 3 have the same name, 'x'")));
}

TEST(TableForm, a_column_that_counts_the_rows_is_noted) {
  const auto table = [](int rows, int skip) {
    std::string text = "x,id\n";
    for (int row = 0; row < rows; ++row) {
      text += std::to_string(row % 3) + "," + std::to_string(7 + row + (row > 5 ? skip : 0)) + "\n";
    }
    return text;
  };
  EXPECT_THAT(render(read(table(12, 0)).notes),
              ElementsAre(HasSubstr("column 'id' counts the rows, from 7")));
  EXPECT_THAT(render(read(table(12, 1)).notes), ElementsAre());
  EXPECT_THAT(render(read(table(9, 0)).notes), ElementsAre());
}

TEST(TableForm, a_first_column_without_a_name_that_numbers_the_rows_is_left_out) {
  for (const std::string rows : {"0,5,7\n1,6,8\n2,6,7\n", "12,5,7\n4,6,8\n9,6,7\n"}) {
    const Input input = table_of(",x,y\n" + rows);
    EXPECT_THAT(input.column_names, ElementsAre("x", "y"));
    EXPECT_EQ(numbers_of(input).size(), 6U);
    EXPECT_THAT(render(input.notes),
                ElementsAre(HasSubstr("column 1 has no name and numbers the rows")));
  }
  EXPECT_THAT(table_of("id,x\n0,5\n1,6\n").column_names, ElementsAre("id", "x"));
  EXPECT_THAT(table_of(",x\n1,5\n1,6\n").column_names, ElementsAre("c0", "x"));  // twice the same
  EXPECT_THAT(table_of(",x\n0,a\n1,b\n2,a\n").column_names, ElementsAre("x=a", "x=b"));
}

TEST(TableForm, amounts_and_dates_written_as_text_are_noted) {
  const auto notes_on = [](const std::vector<std::string>& texts) {
    std::string table = "x\ty\n";
    for (const std::string& text : texts) {
      table += "1\t" + text + "\n2\t" + text + "\n";
    }
    return render(table_of(table, {}, '\t').notes);
  };
  EXPECT_THAT(notes_on({"$1,200", "$900"}),
              ElementsAre(HasSubstr("holds amounts such as '$1,200'")));
  EXPECT_THAT(notes_on({"15 %", "7 %"}), ElementsAre(HasSubstr("amounts")));
  EXPECT_THAT(notes_on({"€ 3.50", "(€ 4)"}), ElementsAre(HasSubstr("amounts")));
  EXPECT_THAT(notes_on({"2020-01-31", "2021-2-1 10:00"}), ElementsAre(HasSubstr("holds dates")));
  EXPECT_THAT(notes_on({"31/12/2020", "1/2/2021"}), ElementsAre(HasSubstr("holds dates")));
  for (const std::vector<std::string>& texts :
       std::vector<std::vector<std::string>>{{"10-20", "20-30"},
                                             {"1a", "2b"},
                                             {"$5", "free"},
                                             {"1-2-3", "4-5-6"},
                                             {"a.b.2020", "-"}}) {
    EXPECT_THAT(notes_on(texts), IsEmpty());
  }
  ReadOptions options;
  options.categorical = {"code"};
  EXPECT_THAT(render(table_of("code,x\n8,1\n9,2\n", options).notes), IsEmpty());
}

TEST(TableForm, dates_that_all_differ_are_refused_as_dates) {
  std::string table = "x,when\n";
  for (int day = 1; day <= 60; ++day) {
    table += fmt::format("{},2020-{:02}-{:02}\n", day, 1 + day / 28, 1 + day % 28);
  }
  EXPECT_THAT(message_of([&] { (void)table_of(table); }), HasSubstr("dates such as '2020-01-02'"));
}

TEST(TableForm, columns_numbered_from_0_are_names) {
  const Input input = table_of("0,1,2\n5,7,1\n6,8,1\n");
  EXPECT_THAT(input.column_names, ElementsAre("0", "1", "2"));
  EXPECT_EQ(input.objects(), 2U);
  EXPECT_THAT(render(input.notes), ElementsAre(HasSubstr("was treated as names")));
  EXPECT_THAT(table_of(",0,1\n0,7,1\n1,8,1\n").column_names, ElementsAre("0", "1"));
  EXPECT_THROW((void)table_of("1,2,3\n5,7,1\n"), InvalidArgument);
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(table_of("0,1,2\n5,7,1\n6,8,1\n", options).objects(), 3U);
}

TEST(TableForm, a_first_line_with_numbers_among_its_names_is_noted) {
  const Input input = table_of("5.1,3.5,setosa\n4.9,3,virginica\n5,4,setosa\n");
  EXPECT_EQ(input.objects(), 2U);
  EXPECT_THAT(render(input.notes), ElementsAre(HasSubstr("is called '5.1': if it is a row, pass "
                                                         "header=false")));
  EXPECT_THAT(render(table_of("2020,name\nx,a\ny,b\n").notes), IsEmpty());
}

TEST(TableForm, a_large_table_whose_last_row_has_no_line_end_is_noted) {
  std::string text = "x,y\n";
  for (int i = 0; i < 1000; ++i) {
    text += "12,34\n";
  }
  EXPECT_THAT(render(table_of(text).notes), IsEmpty());
  EXPECT_THAT(
      render(table_of(text + "12,3").notes),
      ElementsAre(HasSubstr("line 1002, its last, which ends in '12,3', may be truncated")));
  EXPECT_THAT(render(table_of("x,y\n12,3").notes), IsEmpty());
}

}  // namespace
}  // namespace shiftcut
