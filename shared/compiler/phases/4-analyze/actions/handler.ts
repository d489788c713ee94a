/**
 * Reads the behaviour of an action: `execute`, `handler`, or a transition that needs neither. Checks it for SQL written by hand
 * (definitions 5).
 */
import { nearest } from "../../../../lib/nearest.ts";
import type { HandlerModel } from "../../../../model/mod.ts";
import { read, readField, type Token, wrongType } from "../read/mod.ts";
import { candidatesFor, joinedPath } from "../../3-evaluate/module_paths.ts";
import type { ActionScope } from "./action_scope.ts";
import { reachable } from "./reachable.ts";

export function readHandler(scope: ActionScope): HandlerModel | null {
  const { fields, found, analysis } = scope;
  const { report } = analysis;
  const [execute, handler] = ["execute", "handler"].map((key) => fields.entries.get(key));
  if (execute && handler) {
    report.add("ACTION_BEHAVIOUR_TWICE", handler.keyPlace, { action: found.name });
  }
  // Any expression that makes a function is accepted, because the function runs only in the generated API.
  if (execute) {
    return readField(fields, "execute", (value, at) => {
      const isCode = value.kind === "function" || value.kind === "thunk" ||
        value.kind === "unreadable" || value.kind === "call";
      return isCode ? { kind: "inline" } : wrongType(value, "a function", at);
    }) ?? null;
  }
  if (handler) {
    const word = read(fields, "handler");
    return word ? handlerModule(word, scope) : null;
  }
  if (!fields.entries.has("transition")) {
    report.add("ACTION_BEHAVIOUR_MISSING", found.place, { action: found.name });
  }
  return null;
}

/**
 * Resolves the handler's path like an import from the action's file. If no file is there, resolves it from the feature folder
 * (definitions 1).
 */
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
  // A file that could not be parsed has a report already.
  if (exports) analysis.report.add("HANDLER_EXPORT", word.place, { file: module });
  return null;
}

/** Returns the files in which the code of an action begins. */
export function codeRoots({ found }: ActionScope, handler: HandlerModel): readonly string[] {
  return [found.source.module, ...(handler.kind === "module" ? [handler.module] : [])];
}

/** Reports SQL written by hand in an action or in a file that it imports (contract 4.4 rule 3, definitions 5, 7). */
export function checkRawSql(
  scope: ActionScope,
  { handler, allowRawSql }: {
    readonly handler: HandlerModel | null;
    readonly allowRawSql: boolean;
  },
): void {
  const { definitions, found, analysis } = scope;
  const roots = [found.source.module, ...(handler?.kind === "module" ? [handler.module] : [])];
  // The compiler reads tables as declarations: their SQL never runs as a statement.
  const declarations = new Set(definitions.tables.map((table) => table.file));
  for (const file of reachable(roots, definitions)) {
    if (declarations.has(file.file)) continue;
    for (const { construct, place, member } of file.rawSql) {
      const isAnothers = file.file === found.source.module && member !== null &&
        member !== found.source.member;
      if (isAnothers) continue;
      if (construct === "`rawDb`") analysis.report.add("RAW_DB", place, { action: found.name });
      else if (!allowRawSql) {
        analysis.report.add("RAW_SQL", place, { construct, action: found.name });
      }
    }
  }
}
