//===- Session.cpp - The language server in front of upstream's -----------===//
#include "fly/Lsp/Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LSP/Protocol.h"

#include "Completion.h"
#include "Document.h"
#include "Text.h"

using namespace fly::lsp;
namespace json = llvm::json;
using llvm::StringRef;

Upstream::~Upstream() = default;

namespace {
/// An open document with the message that opens it as it stands now.
struct OpenDocument {
  std::unique_ptr<Document> document;
  std::string languageId;
  int64_t version = 0;
  /// Upstream's server ended on this text.
  bool isFatal = false;
};
} // namespace

struct Session::State {
  Upstream &upstream;
  Send send;
  std::string version;
  llvm::StringMap<OpenDocument> documents;
  /// What the editor said to begin with, for a server that is started again.
  std::vector<json::Value> greetings;

  bool handle(json::Value message);
  void openOrChange(StringRef method, const json::Object &params);
  bool revive(const json::Object &message, StringRef method);
  void answer(json::Value answer, const json::Object &request,
              StringRef method);
  OpenDocument *find(const json::Object *params);
  void addDiagnostics(json::Object &notification);
  json::Value addHover(json::Value result, const json::Object &params);
  json::Value addCompletion(json::Value result, const json::Object &params);
};

static json::Object makeError(json::Value id, int code,
                              const llvm::Twine &text) {
  return json::Object{
      {"jsonrpc", "2.0"},
      {"id", std::move(id)},
      {"error", json::Object{{"code", code}, {"message", text.str()}}}};
}

static std::string uriOf(const json::Object *params) {
  const json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  std::optional<StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  return uri ? uri->str() : std::string();
}

OpenDocument *Session::State::find(const json::Object *params) {
  auto it = documents.find(uriOf(params));
  return it == documents.end() ? nullptr : &it->second;
}

/// The place of a request; none where it is malformed.
static std::optional<llvm::lsp::Position>
positionOf(const json::Object &params) {
  const json::Object *position = params.getObject("position");
  if (!position)
    return std::nullopt;
  std::optional<int64_t> line = position->getInteger("line");
  std::optional<int64_t> character = position->getInteger("character");
  if (!line || !character || *line < 0 || *character < 0 || *line > INT32_MAX ||
      *character > INT32_MAX)
    return std::nullopt;
  return llvm::lsp::Position(int(*line), int(*character));
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Session::State::openOrChange(StringRef method,
                                  const json::Object &params) {
  std::string uri = uriOf(&params);
  const json::Object *item = params.getObject("textDocument");
  std::optional<StringRef> text;
  if (method == "textDocument/didOpen") {
    text = item ? item->getString("text") : std::nullopt;
  } else if (const json::Array *changes = params.getArray("contentChanges")) {
    // The whole text each time, as upstream asks for.
    const json::Object *last =
        changes->empty() ? nullptr : changes->back().getAsObject();
    text = last ? last->getString("text") : std::nullopt;
  }
  // The protocol wants UTF-8, which the JSON parser has made sure of.
  if (uri.empty() || !text)
    return;
  OpenDocument &open = documents[uri];
  open.document = std::make_unique<Document>(text->str());
  open.isFatal = false;
  open.version = item->getInteger("version").value_or(open.version + 1);
  if (std::optional<StringRef> language = item->getString("languageId"))
    open.languageId = language->str();
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// Where in `text` the fault of a fly.map's expression is, whose op begins at
/// `offset`: the column that a note gives, counted from the quote.
static std::optional<size_t> placeInMap(StringRef text, size_t offset,
                                        StringRef note) {
  size_t column;
  size_t quote = text.find('"', offset);
  if (!note.consume_front("in \"") || quote == StringRef::npos)
    return std::nullopt;
  note = note.drop_front(note.find("\" at column ")).drop_front(12);
  if (note.take_while(llvm::isDigit).getAsInteger(10, column))
    return std::nullopt;
  size_t end = text.find_first_of("\"\n", quote + 1);
  return std::min(quote + column, std::min(end, text.size()));
}

/// Upstream repeats the op in every error and points at its name; the op is in
/// front of the reader, and the fault of an expression is inside of it.
static void refine(json::Object &diagnostic, StringRef text) {
  json::Array *notes = diagnostic.getArray("relatedInformation");
  json::Object *range = diagnostic.getObject("range");
  llvm::lsp::Range place;
  json::Path::Root root;
  if (!notes || !range ||
      !fromJSON(*diagnostic.get("range"), place, json::Path(root)))
    return;
  json::Array kept;
  for (json::Value &entry : *notes) {
    const json::Object *note = entry.getAsObject();
    StringRef message =
        note ? note->getString("message").value_or("") : StringRef();
    if (auto at = placeInMap(text, toOffset(text, place.start), message)) {
      Word word = wordAt(text, *at);
      size_t end = std::max(*at + 1, word.begin + word.text.size());
      diagnostic["range"] = toJSON(
          llvm::lsp::Range(toPosition(text, *at), toPosition(text, end)));
    }
    if (!message.starts_with("see current operation"))
      kept.push_back(std::move(entry));
  }
  *notes = std::move(kept);
}

void Session::State::addDiagnostics(json::Object &notification) {
  json::Object *params = notification.getObject("params");
  json::Array *list = params ? params->getArray("diagnostics") : nullptr;
  std::optional<StringRef> uri =
      params ? params->getString("uri") : std::nullopt;
  auto it = uri ? documents.find(*uri) : documents.end();
  if (!list || it == documents.end() || it->second.document->isHuge())
    return;
  // Passes run on what the parser and the verifier accept.
  bool hasErrors = false;
  for (json::Value &entry : *list)
    if (json::Object *diagnostic = entry.getAsObject()) {
      refine(*diagnostic, it->second.document->getText());
      hasErrors |= diagnostic->getInteger("severity") == 1;
    }
  if (hasErrors)
    return;
  for (const llvm::lsp::Diagnostic &diagnostic :
       it->second.document->checkSchedules())
    list->push_back(toJSON(diagnostic));
}

json::Value Session::State::addHover(json::Value result,
                                     const json::Object &params) {
  OpenDocument *open = find(&params);
  std::optional<llvm::lsp::Position> position = positionOf(params);
  if (!open || open->isFatal || !position || open->document->isHuge())
    return result;
  std::string ours = lsp::hover(*open->document, *position);
  if (ours.empty())
    return result;
  json::Object *hover = result.getAsObject();
  json::Object *contents = hover ? hover->getObject("contents") : nullptr;
  if (!contents)
    return json::Object{{"contents", json::Object{{"kind", "markdown"},
                                                  {"value", std::move(ours)}}}};
  StringRef theirs = contents->getString("value").value_or("");
  (*contents)["value"] = ours + "\n***\n" + theirs.str();
  return result;
}

json::Value Session::State::addCompletion(json::Value result,
                                          const json::Object &params) {
  OpenDocument *open = find(&params);
  std::optional<llvm::lsp::Position> position = positionOf(params);
  if (!open || !position || open->document->isHuge())
    return result;
  StringRef text = open->document->getText();
  auto list = complete(text, toOffset(text, *position));
  return list ? toJSON(*list) : std::move(result);
}

/// What the editor learns of the server.
static void introduce(json::Object &response, StringRef version) {
  json::Object *result = response.getObject("result");
  if (!result)
    return;
  (*result)["serverInfo"] =
      json::Object{{"name", "fly-lsp-server"}, {"version", version.str()}};
  json::Object *capabilities = result->getObject("capabilities");
  json::Object *completion =
      capabilities ? capabilities->getObject("completionProvider") : nullptr;
  if (json::Array *triggers =
          completion ? completion->getArray("triggerCharacters") : nullptr)
    for (StringRef trigger : {"=", "{"})
      triggers->push_back(trigger);
}

void Session::State::answer(json::Value answer, const json::Object &request,
                            StringRef method) {
  json::Object *object = answer.getAsObject();
  if (!object)
    return;
  const json::Object *params = request.getObject("params");
  const json::Value *id = request.get("id"), *answered = object->get("id");
  if (object->getString("method") == "textDocument/publishDiagnostics") {
    addDiagnostics(*object);
  } else if (id && answered && *id == *answered && object->get("result")) {
    if (method == "initialize")
      introduce(*object, version);
    else if (params && method == "textDocument/hover")
      (*object)["result"] = addHover(std::move((*object)["result"]), *params);
    else if (params && method == "textDocument/completion")
      (*object)["result"] =
          addCompletion(std::move((*object)["result"]), *params);
  }
  send(std::move(answer));
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// After the server has ended on `message`: starts it again with all documents
/// but the one that ended it, and says so. False where it cannot be started.
bool Session::State::revive(const json::Object &message, StringRef method) {
  const json::Object *params = message.getObject("params");
  if (const json::Value *id = message.get("id"))
    send(makeError(*id, -32603,
                   "MLIR's language server ended on this request; it has been "
                   "started again"));
  OpenDocument *culprit = find(params);
  if (culprit) {
    culprit->isFatal = true;
    json::Object range{{"start", json::Object{{"line", 0}, {"character", 0}}},
                       {"end", json::Object{{"line", 0}, {"character", 1}}}};
    json::Object diagnostic{
        {"range", std::move(range)},
        {"severity", 1},
        {"source", "fly"},
        {"message", "MLIR's language server ended on this text; it looks at it "
                    "again after the next change"}};
    send(json::Object{
        {"jsonrpc", "2.0"},
        {"method", "textDocument/publishDiagnostics"},
        {"params",
         json::Object{{"uri", uriOf(params)},
                      {"version", culprit->version},
                      {"diagnostics", json::Array{std::move(diagnostic)}}}}});
  }
  if (!upstream.restart())
    return false;
  std::vector<json::Value> ignored;
  for (const json::Value &greeting : greetings)
    if (!upstream.exchange(greeting, ignored))
      return false;
  for (auto &entry : documents) {
    OpenDocument &open = entry.second;
    if (open.isFatal)
      continue;
    json::Object item{{"uri", entry.first().str()},
                      {"languageId", open.languageId},
                      {"version", open.version},
                      {"text", open.document->getText().str()}};
    json::Object again{
        {"jsonrpc", "2.0"},
        {"method", "textDocument/didOpen"},
        {"params", json::Object{{"textDocument", std::move(item)}}}};
    if (!upstream.exchange(std::move(again), ignored))
      return false;
  }
  return true;
}

bool Session::State::handle(json::Value message) {
  json::Object *object = message.getAsObject();
  if (!object) {
    send(makeError(nullptr, -32600, "a message is an object"));
    return true;
  }
  std::optional<StringRef> name = object->getString("method");
  if (!name) // An answer: upstream's server asks nothing.
    return true;
  std::string method = name->str();
  const json::Object *params = object->getObject("params");
  if (method == "textDocument/didOpen" || method == "textDocument/didChange") {
    if (params)
      openOrChange(method, *params);
  } else if (method == "textDocument/didClose") {
    documents.erase(uriOf(params));
  } else if (method == "initialize" || method == "initialized") {
    greetings.push_back(message);
  } else if (OpenDocument *open = find(params); open && open->isFatal) {
    // The server does not have it.
    if (const json::Value *id = object->get("id"))
      send(json::Object{{"jsonrpc", "2.0"}, {"id", *id}, {"result", nullptr}});
    return true;
  }
  std::vector<json::Value> answers;
  bool isAlive = upstream.exchange(message, answers);
  for (json::Value &entry : answers)
    answer(std::move(entry), *object, method);
  if (method == "exit")
    return false;
  return isAlive || revive(*object, method);
}

Session::Session(Upstream &upstream, Send send, std::string version)
    : state(new State{upstream, std::move(send), std::move(version), {}, {}}) {}
Session::~Session() = default;

bool Session::handle(json::Value message) {
  return state->handle(std::move(message));
}

void Session::refuse(StringRef problem) {
  state->send(makeError(nullptr, -32700, "no JSON: " + problem));
}
