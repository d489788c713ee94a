/** Behaviour of an action: `execute`, `handler`, or a transition that needs neither (definitions 5). */
import type { HandlerModel } from "../../../../model/action.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { readField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type Reader, type Token, wrongType } from "../read/reader.ts";
import type { ActionScope } from "./action_scope.ts";
import { candidatesFor, joinedPath } from "../read/module_paths.ts";

export function readHandler(scope: ActionScope): HandlerModel | null {
  const { fields, found, analysis } = scope;
  const { report } = analysis;
  const [execute, handler] = ["execute", "handler"].map((key) => fields.entries.get(key));
  if (execute && handler) {
    report.add("ACTION_BEHAVIOUR_TWICE", handler.keyPlace, { action: found.name });
  }
  if (execute) return readField(fields, "execute", readExecute) ?? null;
  if (handler) {
    const word = read(fields, "handler");
    return word ? handlerModule(word, scope) : null;
  }
  if (!fields.entries.has("transition")) {
    report.add("ACTION_BEHAVIOUR_MISSING", found.place, { action: found.name });
  }
  return null;
}

/** Any function, however it is made: it only ever runs in the generated API. */
const readExecute: Reader<HandlerModel> = (value, at) => {
  const isCode = value.kind === "function" || value.kind === "thunk" ||
    value.kind === "unreadable" || value.kind === "call";
  return isCode ? { kind: "inline" } : wrongType(value, "a function", at);
};

/** Like an import from the file that says it; when nothing is there, from the feature folder (definitions 1). */
function handlerModule(
  word: Token,
  { found, definitions, analysis }: ActionScope,
): HandlerModel | null {
  const folder = `quickback/features/${found.feature}/`;
  const bases = [found.source.module, folder];
  const paths = bases.flatMap((base) => {
    const path = joinedPath(base, word.text);
    return path === null ? [] : candidatesFor(path);
  });
  const module = paths.find((path) => definitions.code.has(path) || definitions.unparsed.has(path));
  if (module === undefined) {
    const known = [...definitions.code.keys()].filter((path) => path.startsWith(folder));
    const suggestion = nearest(paths[1] ?? word.text, known);
    analysis.report.add("HANDLER_MISSING", word.place, {
      handler: word.text,
      nearest: suggestion === null ? null : `./${suggestion.slice(folder.length)}`,
    });
    return null;
  }
  const exports = definitions.code.get(module)?.exports;
  const name = exports?.has("execute") ? "execute" : exports?.has("default") ? "default" : null;
  if (name !== null) return { kind: "module", module, export: name };
  // A file that could not be parsed was reported for that.
  if (exports) analysis.report.add("HANDLER_EXPORT", word.place, { file: module });
  return null;
}
