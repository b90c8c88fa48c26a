//===- Checks.cpp - Asserts and prints of a kernel that runs --------------===//
//
// Records come in the order in which lanes got room for them. They are put in
// the order of workgroups (the last coordinate fastest), and in a workgroup by
// the number of the check, which all waves count alike.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Checks.h"

#include "fly/Support/ElementType.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <map>

using namespace fly;
using namespace fly::contract;
using llvm::ArrayRef;
using llvm::StringRef;

using Extents = std::optional<std::vector<int64_t>>;

std::string contract::printNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::string contract::printNumber(int64_t value) {
  return std::to_string(value);
}

/// `(1, 2)` or `[1, 2]`.
static std::string printList(char open, ArrayRef<int64_t> numbers, char close) {
  std::string text(1, open);
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  os << close;
  return text;
}

/// `[[1, 2], [3, 4]]`: dimension `dim` on, from element `first` on.
static void printElements(llvm::raw_ostream &os, ArrayRef<int64_t> extents,
                          ArrayRef<std::string> numbers) {
  if (extents.empty()) {
    os << numbers.front();
    return;
  }
  os << '[';
  size_t inner = extents.front() ? numbers.size() / extents.front() : 0;
  for (int64_t i = 0; i < extents.front(); ++i) {
    if (i)
      os << ", ";
    printElements(os, extents.drop_front(), numbers.slice(i * inner, inner));
  }
  os << ']';
}

std::string contract::printValue(const Extents &extents,
                                 ArrayRef<std::string> numbers) {
  if (!extents)
    return numbers.front();
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(*extents, os, "x");
  os << ' ';
  printElements(os, *extents, numbers);
  return text;
}

std::string contract::printLine(StringRef text, ArrayRef<int64_t> workgroup,
                                ArrayRef<std::string> values) {
  std::string line = "workgroup " + printList('(', workgroup, ')') + ": ";
  for (const std::string &value : values) {
    auto [before, after] = text.split("{}");
    line += before.str() + value;
    text = after;
  }
  return line + text.str();
}

/// The coordinates of element `number`.
static std::vector<int64_t> coordinatesOf(ArrayRef<int64_t> extents,
                                          int64_t number) {
  std::vector<int64_t> at(extents.size());
  for (size_t d = extents.size(); d-- > 0; number /= extents[d])
    at[d] = number % extents[d];
  return at;
}

std::string contract::printFailure(StringRef text, ArrayRef<int64_t> workgroup,
                                   const Extents &extents, int64_t element,
                                   ArrayRef<std::string> compared,
                                   uint64_t count) {
  std::string message = "assertion failed: \"" + text.str() +
                        "\" at workgroup " + printList('(', workgroup, ')');
  if (extents)
    message +=
        ", element " + printList('[', coordinatesOf(*extents, element), ']');
  if (!compared.empty())
    message += ": values " + llvm::join(compared, ", ");
  if (extents)
    message += " (" + std::to_string(count) + " of " +
               std::to_string(llvm::product_of(*extents)) +
               " elements are false)";
  return message;
}

namespace {
/// Where a check ran: workgroup and number in it.
using Place = std::pair<std::array<int32_t, 3>, uint32_t>;

/// What one run of a check wrote: the numbers of each value by element.
struct Run {
  uint32_t site = 0;
  std::vector<std::map<uint32_t, uint64_t>> numbers;
};
} // namespace

static std::string printBits(ElementType type, uint64_t bits) {
  return type.isFloat() ? printNumber(type.decode(bits))
                        : printNumber(type.wrap(int64_t(bits)));
}

static uint64_t countElements(const CheckedValue &value) {
  return value.extents ? llvm::product_of(*value.extents) : 1;
}

/// The records by place; an error where one means nothing.
static llvm::Expected<std::map<Place, Run>>
collectRuns(ArrayRef<CheckSite> sites, ArrayRef<uint32_t> words) {
  std::map<Place, Run> runs;
  for (; words.size() >= channel::recordWords;
       words = words.drop_front(channel::recordWords)) {
    uint32_t site = words[channel::Site], value = words[channel::Value];
    uint32_t element = words[channel::Element];
    auto hasElement = [&] {
      if (site >= sites.size())
        return false;
      ArrayRef<CheckedValue> values = sites[site].values;
      // A line without values is one record.
      return values.empty() ? value == 0 && element == 0
                            : value < values.size() &&
                                  element < countElements(values[value]);
    };
    if (!hasElement())
      return llvm::createStringError(
          "the channel of checks holds a record of site %u, value %u, element "
          "%u, which the kernel does not have: something else wrote there",
          site, value, element);
    Place place;
    for (unsigned d = 0; d < 3; ++d)
      place.first[d] = int32_t(words[channel::Workgroup + d]);
    place.second = words[channel::Event];
    Run &run = runs[place];
    run.site = site;
    run.numbers.resize(sites[site].values.size());
    if (!run.numbers.empty())
      run.numbers[value][element] =
          words[channel::Low] | uint64_t(words[channel::High]) << 32;
  }
  return runs;
}

/// The text of each number of a value; an error for types without a name.
static llvm::Expected<std::vector<std::string>>
printNumbers(const CheckedValue &value,
             const std::map<uint32_t, uint64_t> &numbers) {
  auto type = ElementType::parse(value.type);
  if (!type)
    return type.takeError();
  // Of records that found no room.
  std::vector<std::string> texts(countElements(value), "?");
  for (auto [element, bits] : numbers)
    texts[element] = printBits(*type, bits);
  return texts;
}

static llvm::Expected<std::string>
printRun(const CheckSite &site, const Run &run, ArrayRef<int64_t> workgroup) {
  // Of a failed assert the first element that is false.
  uint32_t first = run.numbers.empty() || run.numbers.front().empty()
                       ? 0
                       : run.numbers.front().begin()->first;
  std::vector<std::string> values;
  for (auto [value, numbers] : llvm::zip(site.values, run.numbers)) {
    auto texts = printNumbers(value, numbers);
    if (!texts)
      return texts.takeError();
    values.push_back(site.isAssert ? (*texts)[value.extents ? first : 0]
                                   : printValue(value.extents, *texts));
  }
  if (!site.isAssert)
    return printLine(site.text, workgroup, values);
  return site.location + ": error: " +
         printFailure(site.text, workgroup, site.values.front().extents, first,
                      ArrayRef(values).drop_front(),
                      run.numbers.front().size());
}

llvm::Expected<CheckReport> contract::readChannel(ArrayRef<CheckSite> sites,
                                                  ArrayRef<uint32_t> words) {
  CheckReport report;
  if (words.size() < channel::headerWords)
    return report;
  uint64_t room = (words.size() - channel::headerWords) / channel::recordWords;
  uint64_t asked = words[0], held = std::min(asked, room);
  report.lost = asked - held;
  auto runs = collectRuns(
      sites, words.slice(channel::headerWords, held * channel::recordWords));
  if (!runs)
    return runs.takeError();
  for (const auto &[place, run] : *runs) {
    const CheckSite &site = sites[run.site];
    std::vector<int64_t> workgroup(
        place.first.begin(),
        place.first.begin() + std::min<uint32_t>(site.workgroupRank, 3));
    auto text = printRun(site, run, workgroup);
    if (!text)
      return text.takeError();
    if (site.isAssert) {
      report.failure = *text;
      break;
    }
    report.lines.push_back(*text);
  }
  return report;
}
