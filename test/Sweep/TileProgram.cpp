//===- TileProgram.cpp - Random programs on tiles -------------------------===//
//
// A program grows op by op from the tiles that it has so far, of rank 2 and 1.
// Ops are those whose results are exact or have a bound that the reference
// knows: no products of floats, no divisions. Uses of one tile in several ways
// are what makes layouts disagree, so every op takes any tile of its shape.
//
//===----------------------------------------------------------------------===//
#include "TileProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>
#include <vector>

using namespace fly::sweep;
using llvm::formatv;

namespace {
/// A tile of the program.
struct Tile {
  std::string name;
  llvm::SmallVector<int64_t, 2> shape;
};

class Program {
public:
  explicit Program(uint64_t seed) : random(seed) {}
  std::string make();

private:
  /// A number below `bound`.
  uint64_t below(uint64_t bound) { return random() % bound; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T>
  const T &pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }

  void chooseExtents();
  void add(std::string line) { lines.push_back(std::move(line)); }
  std::string next() { return "%v" + std::to_string(number++); }
  std::string type(llvm::ArrayRef<int64_t> shape) const {
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + ">";
  }
  std::vector<Tile> &poolOf(const Tile &tile) {
    return tile.shape.size() == 2 ? matrices : vectors;
  }
  Tile anyTile() {
    return vectors.empty() || chance(60) ? pick(matrices) : pick(vectors);
  }
  Tile sibling(const Tile &tile);
  void define(std::string op, llvm::SmallVector<int64_t, 2> shape);

  void load();
  void elementwise();
  void select();
  void transpose();
  void reduce();
  void scan();
  void scanPairs();
  void broadcast();
  std::string part(const Tile &tile, llvm::SmallVector<int64_t, 2> &sizes);
  void cut();
  void insert();
  void join();
  void reshape();
  void lanes();
  void grow(unsigned ops);
  void loop();
  void store(const Tile &tile);
  std::string combiner() const;

  std::mt19937_64 random;
  std::string element, chip;
  bool isFloat = false;
  int64_t waves[2] = {1, 1}, mostElements = 0;
  std::vector<int64_t> extents;
  std::vector<Tile> matrices, vectors;
  std::vector<std::string> arguments, views, lines;
  unsigned number = 0, stores = 0;
};
} // namespace

void Program::chooseExtents() {
  static const std::vector<int64_t> even = {1, 2, 4, 8, 16, 32, 64, 128};
  for (unsigned i = 0; i < 3; ++i)
    extents.push_back(chance(60) ? pick(even) : 1 + int64_t(below(100)));
  while (extents[0] * extents[1] > mostElements)
    extents[below(2)] = 8;
}

/// A tile of the same shape, maybe the same.
Tile Program::sibling(const Tile &tile) {
  std::vector<Tile> alike;
  for (const Tile &other : poolOf(tile))
    if (other.shape == tile.shape)
      alike.push_back(other);
  return pick(alike);
}

void Program::define(std::string op, llvm::SmallVector<int64_t, 2> shape) {
  Tile tile = {next(), std::move(shape)};
  add(tile.name + " = " + op);
  poolOf(tile).push_back(tile);
}

void Program::load() {
  if (chance(70))
    return define(formatv("fly.load %x[0, 0] : !X -> {0}",
                          type({extents[0], extents[1]})),
                  {extents[0], extents[1]});
  int64_t extent = pick(extents);
  define(formatv("fly.load %w[0] : !W -> {0}", type({extent})), {extent});
}

void Program::elementwise() {
  static const std::vector<std::string> ofFloats = {"addf", "subf", "maximumf",
                                                    "minnumf"};
  static const std::vector<std::string> ofIntegers = {"addi", "subi", "muli",
                                                      "xori", "andi", "maxsi"};
  Tile a = anyTile(), b = sibling(a);
  define(formatv("arith.{0} {1}, {2} : {3}",
                 pick(isFloat ? ofFloats : ofIntegers), a.name, b.name,
                 type(a.shape)),
         a.shape);
}

/// A truth value that goes wherever its tile goes.
void Program::select() {
  Tile a = pick(matrices), b = sibling(a);
  std::string mask = next(), turned = next(), other = next();
  std::string shape = type(a.shape), bits = shape;
  bits.replace(bits.rfind('x') + 1, element.size(), "i1");
  add(formatv("{0} = arith.{1}, {2}, {3} : {4}", mask,
              isFloat ? "cmpf ogt" : "cmpi sgt", a.name, b.name, shape));
  if (a.shape[0] == a.shape[1] && chance(70)) {
    add(formatv("{0} = fly.transpose {1} [1, 0] : {2} -> {2}", turned, mask,
                bits));
    mask = turned;
  }
  define(formatv("arith.select {0}, {1}, {2} : {3}, {4}", mask, a.name, b.name,
                 bits, shape),
         a.shape);
}

void Program::transpose() {
  Tile a = pick(matrices);
  define(formatv("fly.transpose {0} [1, 0] : {1} -> {2}", a.name, type(a.shape),
                 type({a.shape[1], a.shape[0]})),
         {a.shape[1], a.shape[0]});
}

std::string Program::combiner() const {
  return formatv(" combine(%a: {0}, %b: {0}) {{\n      %q = arith.{1} %a, %b : "
                 "{0}\n      fly.yield %q : {0}\n    }",
                 element, isFloat ? "maximumf" : "addi");
}

static const std::vector<std::string> floatKinds = {"add", "max", "min",
                                                    "max_nan", "min_nan"};
static const std::vector<std::string> integerKinds = {
    "add", "mul", "max", "min", "umax", "umin", "and", "or", "xor"};

void Program::reduce() {
  Tile a = pick(matrices);
  unsigned dim = below(2);
  bool written = chance(30);
  define(formatv("fly.reduce {0} {1} along {2} : {3} -> {4}{5}",
                 written ? std::string()
                         : pick(isFloat ? floatKinds : integerKinds),
                 a.name, dim, type(a.shape), type({a.shape[1 - dim]}),
                 written ? combiner() : std::string()),
         {a.shape[1 - dim]});
}

void Program::scan() {
  Tile a = anyTile();
  bool written = chance(25);
  std::string words = chance(50) ? " reverse" : "";
  if (!written && chance(50))
    words = " exclusive" + words;
  define(formatv("fly.scan {0} {1} along {2}{3} : {4} -> {4}{5}",
                 written ? std::string()
                         : pick(isFloat ? floatKinds : integerKinds),
                 a.name, below(a.shape.size()), words, type(a.shape),
                 written ? combiner() : std::string()),
         a.shape);
}

/// Composition of x -> a x + b, which does not commute.
void Program::scanPairs() {
  if (isFloat)
    return scan();
  Tile a = anyTile(), b = sibling(a);
  std::string first = next(), shape = type(a.shape);
  Tile result = {next(), a.shape};
  add(formatv("{0}, {1} = fly.scan {2}, {3} along {4}{5} : {6}, {6} -> ({6}, "
              "{6}) combine(%a: {7}, %b: {7}, %c: {7}, %d: {7}) {{\n"
              "      %ac = arith.muli %a, %c : {7}\n"
              "      %bc = arith.muli %b, %c : {7}\n"
              "      %e = arith.addi %bc, %d : {7}\n"
              "      fly.yield %ac, %e : {7}, {7}\n    }",
              first, result.name, a.name, b.name, below(a.shape.size()),
              chance(50) ? " reverse" : "", shape, element));
  poolOf(result).push_back(result);
}

void Program::broadcast() {
  if (vectors.empty())
    return reduce();
  Tile a = pick(vectors);
  unsigned dim = below(2);
  llvm::SmallVector<int64_t, 2> shape = {a.shape[0], a.shape[0]};
  shape[dim] = pick(extents);
  if (shape[0] * shape[1] > mostElements)
    return;
  define(formatv("fly.broadcast {0} along {1} : {2} -> {3}", a.name, dim,
                 type(a.shape), type(shape)),
         shape);
}

/// Offsets, extents and strides of a random part of a tile, as text; the
/// extents also in `sizes`.
std::string Program::part(const Tile &tile,
                          llvm::SmallVector<int64_t, 2> &sizes) {
  std::string offsets, extents, strides;
  for (int64_t extent : tile.shape) {
    int64_t stride = chance(80) ? 1 : 1 + int64_t(below(3));
    // Halves and quarters, or anything.
    int64_t size = extent % 4 == 0 && chance(60) ? extent / (chance(50) ? 2 : 4)
                                                 : 1 + int64_t(below(extent));
    while ((size - 1) * stride >= extent)
      stride = 1;
    int64_t room = extent - (size - 1) * stride;
    int64_t offset = chance(50) && extent % size == 0 && stride == 1
                         ? int64_t(below(extent / size)) * size
                         : int64_t(below(room));
    const char *comma = offsets.empty() ? "" : ", ";
    offsets += comma + std::to_string(offset);
    extents += comma + std::to_string(size);
    strides += comma + std::to_string(stride);
    sizes.push_back(size);
  }
  return formatv("[{0}] [{1}] [{2}]", offsets, extents, strides);
}

void Program::cut() {
  Tile a = anyTile();
  llvm::SmallVector<int64_t, 2> sizes;
  std::string at = part(a, sizes);
  // A row or column as a tile of rank 1.
  llvm::SmallVector<int64_t, 2> shape = sizes;
  if (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1) && chance(50))
    shape.erase(shape.begin() + (shape[0] != 1));
  define(formatv("tensor.extract_slice {0}{1} : {2} to {3}", a.name, at,
                 type(a.shape), type(shape)),
         shape);
}

void Program::insert() {
  Tile whole = anyTile();
  llvm::SmallVector<int64_t, 2> sizes;
  std::string at = part(whole, sizes), piece = next();
  std::string corner = whole.shape.size() == 2 ? "0, 0" : "0";
  std::string ones = whole.shape.size() == 2 ? "1, 1" : "1";
  std::string extents = llvm::join(
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }),
      ", ");
  add(formatv("{0} = tensor.extract_slice {1}[{2}] [{3}] [{4}] : {5} to {6}",
              piece, sibling(whole).name, corner, extents, ones,
              type(whole.shape), type(sizes)));
  define(formatv("tensor.insert_slice {0} into {1}{2} : {3} into {4}", piece,
                 whole.name, at, type(sizes), type(whole.shape)),
         whole.shape);
}

/// Two tiles that differ in one extent, or a tile and itself.
void Program::join() {
  Tile a = anyTile(), b = a;
  unsigned dim = below(a.shape.size());
  std::vector<Tile> fitting;
  for (const Tile &other : poolOf(a))
    if (a.shape.size() == 1 || other.shape[1 - dim] == a.shape[1 - dim])
      fitting.push_back(other);
  b = pick(fitting);
  llvm::SmallVector<int64_t, 2> shape = a.shape;
  shape[dim] += b.shape[dim];
  if (shape[0] * (shape.size() == 2 ? shape[1] : 1) > mostElements)
    return;
  define(formatv("tensor.concat dim({0}) {1}, {2} : ({3}, {4}) -> {5}", dim,
                 a.name, b.name, type(a.shape), type(b.shape), type(shape)),
         shape);
}

void Program::reshape() {
  Tile a = anyTile();
  if (a.shape.size() == 2) {
    int64_t count = a.shape[0] * a.shape[1];
    return define(formatv("tensor.collapse_shape {0} [[0, 1]] : {1} into {2}",
                          a.name, type(a.shape), type({count})),
                  {count});
  }
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= a.shape[0]; ++d)
    if (a.shape[0] % d == 0)
      divisors.push_back(d);
  int64_t rows = pick(divisors), columns = a.shape[0] / rows;
  define(formatv("tensor.expand_shape {0} [[0, 1]] output_shape [{1}, {2}] : "
                 "{3} into {4}",
                 a.name, rows, columns, type(a.shape), type({rows, columns})),
         {rows, columns});
}

/// Two tiles as lanes hold them in some layout: their sum, one vector of it
/// turned round, and the thread's number where no two threads hold an element.
void Program::lanes() {
  Tile a = anyTile(), b = sibling(a);
  bool isMatrix = a.shape.size() == 2;
  int64_t total = 64 * waves[0] * waves[1], columns = a.shape.back();
  int64_t vector = int64_t(1) << below(4);
  while (columns % vector != 0)
    vector /= 2;
  // Any number of threads in a row, now and then.
  int64_t perRow = chance(80) ? int64_t(1) << below(9) : 1 + below(64);
  perRow = std::min(perRow, total);
  int64_t perColumn = 1;
  while (isMatrix && perColumn * perRow * 2 <= total && chance(80))
    perColumn *= 2;
  auto divideCeil = [](int64_t x, int64_t y) { return (x + y - 1) / y; };
  int64_t rounds[2] = {isMatrix ? divideCeil(a.shape[0], perColumn) : 1,
                       divideCeil(columns, perRow * vector)};
  if (rounds[0] * rounds[1] * vector > 32)
    return;
  std::string threads = isMatrix ? formatv("{0}, {1}", perColumn, perRow).str()
                                 : std::to_string(perRow);
  std::string at =
      isMatrix ? formatv("{0}, {1}", below(rounds[0]), below(rounds[1])).str()
               : std::to_string(below(rounds[1]));
  std::string outer = isMatrix ? formatv("{0}x{1}", rounds[0], rounds[1]).str()
                               : std::to_string(rounds[1]);
  std::string one = formatv("vector<{0}x{1}>", vector, element);
  std::string all = formatv("vector<{0}x{1}x{2}>", outer, vector, element);
  std::string shape = type(a.shape);
  std::string text = formatv(
      "fly.lanes in #fly.blocked<threads = [{0}], vector = {1}> (%p = {2}, %q "
      "= {3}) : ({4}, {4}) -> {4} {{\n      %s0 = arith.{5} %p, %q : {6}\n",
      threads, vector, a.name, b.name, shape, isFloat ? "addf" : "addi", all);
  std::string turned;
  for (int64_t i = 0; i < vector; ++i) {
    text += formatv("      %e{0} = vector.extract %s0[{1}, {0}] : {2} from "
                    "{3}\n",
                    i, at, element, all);
    turned = formatv("%e{0}{1}{2}", i, turned.empty() ? "" : ", ", turned);
  }
  text += formatv("      %f = vector.from_elements {0} : {1}\n      %r0 = "
                  "vector.insert %f, %s0[{2}] : {1} into {3}\n",
                  turned, one, at, all);
  bool isNumbered = element == "i32" && perRow * perColumn == total;
  if (isNumbered)
    text += formatv(
        "      %lane = fly.lane\n      %wave = fly.wave\n      %c64 = "
        "arith.constant 64 : index\n      %w64 = arith.muli %wave, %c64 : "
        "index\n      %thread = arith.addi %w64, %lane : index\n      %n = "
        "arith.index_cast %thread : index to i32\n      %ns = "
        "vector.broadcast %n : i32 to {0}\n      %r1 = arith.addi %r0, %ns : "
        "{0}\n",
        all);
  text += formatv("      fly.yield %r{0} : {1}\n    }", int(isNumbered), all);
  define(std::move(text), a.shape);
}

void Program::grow(unsigned ops) {
  using Step = void (Program::*)();
  static const std::vector<Step> steps = {
      &Program::load,      &Program::elementwise, &Program::elementwise,
      &Program::select,    &Program::transpose,   &Program::transpose,
      &Program::reduce,    &Program::reduce,      &Program::scan,
      &Program::scanPairs, &Program::broadcast,   &Program::broadcast,
      &Program::cut,       &Program::cut,         &Program::insert,
      &Program::join,      &Program::join,        &Program::reshape,
      &Program::reshape,   &Program::lanes,       &Program::lanes};
  while (ops--)
    (this->*pick(steps))();
}

/// A loop that carries a tile; what its body makes is gone behind it.
void Program::loop() {
  Tile carried = pick(matrices), result = {next(), carried.shape};
  std::string shape = type(carried.shape);
  add(formatv("{0} = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = {1}) -> "
              "({2}) : i32 {{",
              result.name, carried.name, shape));
  auto before = std::pair(matrices, vectors);
  matrices.push_back({"%s", carried.shape});
  grow(2 + below(4));
  Tile last = sibling(carried);
  std::string sum = next();
  add(formatv("{0} = arith.{1} %s, {2} : {3}", sum, isFloat ? "addf" : "addi",
              last.name, shape));
  add(formatv("scf.yield {0} : {1}", sum, shape));
  add("}");
  std::tie(matrices, vectors) = before;
  matrices.push_back(result);
  store(result);
}

/// Views may be smaller than the tile.
void Program::store(const Tile &tile) {
  std::string name = "y" + std::to_string(stores++), shape, at, corner;
  for (int64_t extent : tile.shape) {
    int64_t held = std::max<int64_t>(1, extent - below(2) * below(4));
    shape += std::to_string(held) + "x";
    at += (at.empty() ? "" : ", ") + std::to_string(held);
    corner += corner.empty() ? "0" : ", 0";
  }
  std::string view = "!fly.view<" + shape + element + ">";
  arguments.push_back(formatv("%{0}_: !fly.ptr<{1}>", name, element));
  views.push_back(formatv("%{0} = fly.view %{0}_[{1}] : {2}", name, at, view));
  add(formatv("fly.store {0}, %{1}[{2}] : {3}, {4}", tile.name, name, corner,
              type(tile.shape), view));
}

std::string Program::make() {
  static const std::vector<std::string> elements = {
      "i32", "i32", "f32", "f32", "i8", "i16", "bf16", "f16", "i64", "f64"};
  static const std::vector<std::pair<int64_t, int64_t>> grids = {
      {4, 1}, {2, 2}, {1, 4}, {1, 1}, {1, 2}, {2, 1}, {2, 4}, {8, 1}};
  element = pick(elements);
  isFloat = element.find('f') != std::string::npos;
  chip = chance(50) ? "gfx942" : "gfx950";
  std::tie(waves[0], waves[1]) = pick(grids);
  // A few dozen elements a lane, so that what is alive fits its registers.
  mostElements = 64 * waves[0] * waves[1] * 16;
  chooseExtents();
  int64_t rows = std::max<int64_t>(1, extents[0] - int64_t(below(4))),
          columns = std::max<int64_t>(1, extents[1] - int64_t(below(4)));
  arguments = {formatv("%x_: !fly.ptr<{0}>", element),
               formatv("%w_: !fly.ptr<{0}>", element)};
  views = {formatv("%x = fly.view %x_[{0}, {1}] : !X", rows, columns),
           formatv("%w = fly.view %w_[{0}] : !W", columns)};
  define(
      formatv("fly.load %x[0, 0] : !X -> {0}", type({extents[0], extents[1]})),
      {extents[0], extents[1]});
  grow(1 + below(5));
  if (chance(30)) {
    loop();
    grow(below(3));
  }
  store(matrices.back());
  if (!vectors.empty())
    store(vectors.back());
  if (chance(50))
    store(pick(matrices));

  std::string text = formatv(
      "!X = !fly.view<{0}x{1}x{2}>\n!W = !fly.view<{1}x{2}>\ngpu.module @m "
      "[#rocdl.target<chip = \"{3}\">] {{\n  gpu.func @k({4}) kernel "
      "attributes "
      "{{fly.schedule = #fly.schedule<waves = [{5}, {6}]>} {{\n",
      rows, columns, element, chip, llvm::join(arguments, ", "), waves[0],
      waves[1]);
  text += "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n"
          "    %c3 = arith.constant 3 : i32\n";
  for (const std::string &line : llvm::concat<std::string>(views, lines))
    text += "    " + line + "\n";
  return text + "    gpu.return\n  }\n}\n";
}

std::string fly::sweep::makeTileProgram(uint64_t seed) {
  return Program(seed).make();
}
