//===- ReportPage.cpp - A report as one HTML file -------------------------===//
//
// Walks the JSON of a report. What it is decides how it looks: members that
// are numbers and text are facts, an array of objects is a table with a column
// for each of their members, an object of objects one with a row for each.
//
//===----------------------------------------------------------------------===//
#include "fly/Reports/Page/ReportPage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

#include "PageValues.h"
#include "PageWords.h"

using namespace fly;
using namespace fly::reports;
using llvm::formatv;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {
class PageWriter {
public:
  PageWriter(llvm::raw_ostream &os, const ReportPage &page)
      : os(os), page(page) {}

  void write() {
    os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
       << "<title>" << toHtml(page.title + ": " + page.subtitle)
       << "</title>\n<style>\n"
       << getPageStyle() << "</style>\n</head>\n<body>\n<div id=\"report\">\n"
       << "<h1>" << toHtml(page.title) << "</h1>\n<p class=\"faint\">"
       << toHtml(page.subtitle) << "</p>\n";
    if (!page.picture.empty())
      os << "<section id=\"picture\"><div class=\"wide\">"
         << spellHidden(page.picture, /*keepLines=*/true)
         << "</div></section>\n";
    root();
    os << "<section id=\"text\"><details><summary>As text</summary>\n<pre>"
       << toHtml(page.text, /*keepLines=*/true)
       << "</pre></details></section>\n</div>\n</body>\n</html>\n";
  }

private:
  void root() {
    if (const Array *array = page.report.getAsArray())
      return parts(*array);
    const Object *object = page.report.getAsObject();
    if (!object)
      return;
    section("", [&] { facts(*object); });
    for (StringRef key : keysOf(*object)) {
      const Value &value = *object->get(key);
      const Array *array = value.getAsArray();
      if (isFlat(value) || isFact(value))
        continue;
      if (array && key == "kernels" && llvm::any_of(*array, isPart))
        parts(*array);
      else
        section(toWords(key), [&] { nested(key, value, 3); });
    }
  }

  /// Whether \p value holds more than a row of a table can show.
  static bool isPart(const Value &value) {
    const Object *object = value.getAsObject();
    return object && llvm::any_of(*object, [](const auto &member) {
             return !isFlat(member.second);
           });
  }

  void parts(const Array &array) {
    for (const Value &value : array)
      if (const Object *object = value.getAsObject()) {
        std::string title;
        for (StringRef key : {"name", "kernel", "chip"})
          if (auto text = object->getString(key); text && !text->empty())
            title += (title.empty() ? "" : ", ") + text->str();
        section(title, [&] { content(*object, 3); });
      }
  }

  void section(StringRef title, llvm::function_ref<void()> body) {
    os << "<section>";
    if (!title.empty())
      os << "<h2>" << toHtml(title) << "</h2>\n";
    body();
    os << "</section>\n";
  }

  /// An object: its facts, then what has a heading of its own.
  void content(const Object &object, unsigned level) {
    facts(object);
    for (StringRef key : keysOf(object)) {
      const Value &value = *object.get(key);
      if (isFlat(value) || isFact(value))
        continue;
      os << formatv("<h{0}>{1}</h{0}>\n", level, toHtml(toWords(key)));
      nested(key, value, level + 1);
    }
  }

  void nested(StringRef key, const Value &value, unsigned level) {
    if (const Array *array = value.getAsArray()) {
      if (getShow(key) == Show::Blocks) {
        for (const Value &each : *array)
          if (const Object *object = each.getAsObject())
            content(*object, level);
        return;
      }
      std::vector<PageRow> rows;
      for (const Value &each : *array)
        if (const Object *object = each.getAsObject())
          rows.push_back({"", object});
      return table(rows);
    }
    const Object &object = *value.getAsObject();
    if (object.empty() || !llvm::all_of(object, [](const auto &member) {
          return member.second.getAsObject() != nullptr;
        }))
      return content(object, level);
    std::vector<PageRow> rows;
    for (StringRef name : keysOf(object))
      rows.push_back({name, object.getObject(name)});
    table(rows);
  }

  void facts(const Object &object) {
    bool isFirst = true;
    for (StringRef key : keysOf(object)) {
      const Value &value = *object.get(key);
      if (!isFlat(value) && !isFact(value))
        continue;
      os << (isFirst ? "<div class=\"wide\"><table class=\"facts\"><tbody>\n"
                     : "")
         << "<tr><th scope=\"row\">" << toHtml(toWords(key)) << "</th><td>";
      isFirst = false;
      cell(key, value);
      os << "</td></tr>\n";
    }
    if (!isFirst)
      os << "</tbody></table></div>\n";
  }

  /// A row for each object; the names, where there are some, come first.
  void table(llvm::ArrayRef<PageRow> rows) {
    std::vector<Column> columns = columnsOf(rows);
    bool isNamed = !rows.empty() && !rows.front().first.empty();
    os << "<div class=\"wide\"><table><thead><tr>"
       << (isNamed ? "<th scope=\"col\">name</th>" : "");
    for (const Column &column : columns)
      os << formatv("<th scope=\"col\"{0}>{1}</th>",
                    column.isNumber ? " class=\"number\"" : "",
                    toHtml(column.title()));
    os << "</tr></thead><tbody>\n";
    for (const auto &[name, row] : rows) {
      os << "<tr>";
      if (isNamed)
        os << "<th scope=\"row\"><code>" << toHtml(name) << "</code></th>";
      for (const Column &column : columns)
        tableCell(column, column.find(*row));
      os << "</tr>\n";
    }
    os << "</tbody></table></div>\n";
  }

  void tableCell(const Column &column, const Value *value) {
    bool hasBar =
        value && isNumber(*value) && getShow(column.shownKey()) == Show::Share;
    if (hasBar)
      os << formatv("<td class=\"number bar\" style=\"--part: {0:f4}\"><span>",
                    std::clamp(*value->getAsNumber(), 0.0, 1.0));
    else
      os << (column.isNumber ? "<td class=\"number\">" : "<td>");
    if (value)
      cell(column.shownKey(), *value);
    os << (hasBar ? "</span></td>" : "</td>");
  }

  /// One value, of any kind.
  void cell(StringRef key, const Value &value) {
    Show show = getShow(key);
    switch (value.kind()) {
    case Value::Null:
      os << "<span class=\"faint\">"
         << (show == Show::Verdict ? "not told" : "–") << "</span>";
      return;
    case Value::Boolean:
      flag(show, *value.getAsBoolean());
      return;
    case Value::Number:
      os << "<data value=\"" << value << "\">" << numberText(value, show)
         << "</data>";
      return;
    case Value::String:
      text(show, *value.getAsString());
      return;
    case Value::Array:
      list(key, value);
      return;
    case Value::Object:
      if (isFact(value))
        fact(key, *value.getAsObject());
      else
        content(*value.getAsObject(), 4);
    }
  }

  void flag(Show show, bool value) {
    if (show == Show::Verdict)
      os << (value ? "<span class=\"good\">holds</span>"
                   : "<span class=\"bad\">FAILS</span>");
    else
      os << (value ? "yes" : "no");
  }

  void text(Show show, StringRef value) {
    if (show == Show::Code)
      os << "<code>" << toHtml(value) << "</code>";
    else if (show == Show::Change && (value == "worse" || value == "better"))
      os << formatv("<span class=\"{0}\">{1}</span>",
                    value == "worse" ? "bad" : "good", value);
    else
      os << toHtml(value);
  }

  void list(StringRef key, const Value &value) {
    const Array &array = *value.getAsArray();
    if (array.empty()) {
      os << "<span class=\"faint\">none</span>";
    } else if (llvm::all_of(array, isNumber)) {
      llvm::interleave(
          array, [&](const Value &each) { cell(key, each); },
          [&] { os << ", "; });
    } else if (llvm::all_of(array, isFlat)) {
      os << "<ul>";
      for (const Value &each : array) {
        os << "<li>";
        cell(key, each);
        os << "</li>";
      }
      os << "</ul>";
    } else {
      nested(key, value, 4);
    }
  }

  /// A number, and what is known of it.
  void fact(StringRef key, const Object &object) {
    cell(key, *object.get("value"));
    os << " <span class=\"faint\">";
    llvm::ListSeparator separator("; ");
    for (StringRef each : keysOf(object))
      if (each != "value") {
        os << separator;
        cell(each, *object.get(each));
      }
    os << "</span>";
  }

  llvm::raw_ostream &os;
  const ReportPage &page;
};
} // namespace

void fly::reports::writePage(llvm::raw_ostream &os, const ReportPage &page) {
  PageWriter(os, page).write();
}
