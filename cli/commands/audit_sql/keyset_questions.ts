/** Along the pages of every list, forth and back, by every column in both directions: each kind of cursor's statement. */
import { type Corpus, type Question, recordIn } from "../../../proof/leakcheck/mod.ts";
import { PEOPLE } from "../../../proof/leakcheck/mod.ts";
import type { Principal } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { type Operation, operationsOf } from "../../../shared/surface/operations.ts";
import { parametersOf, SCOPE_PARAMETER } from "../../../shared/surface/parameters.ts";

export function* keysetQuestions(model: ProjectModel, caller: Principal): Corpus {
  const lists = operationsOf(model).filter(({ kind }) => kind === "list" || kind === "view");
  for (const operation of lists) {
    const uses = parametersOf(operation, model).map(({ use }) => use);
    const columns = uses.flatMap((use) => use.kind === "sort" ? use.columns : []);
    const isScoped = uses.some(({ kind }) => kind === "scope") && caller.credential === "none";
    const scope: Query = isScoped ? [[SCOPE_PARAMETER, PEOPLE.organization]] : [];
    for (const column of columns) {
      yield* walk(operation, [...scope, ["sort", column]]);
      yield* walk(operation, [...scope, ["sort", `-${column}`]]);
    }
  }
}

type Query = readonly (readonly [string, string])[];

/** Two pages on and one back: a cursor whose column is null is not like one whose column is not. */
function* walk(operation: Operation, query: Query): Corpus {
  let cursor: Query | null = [];
  for (const way of ["next", "next", "prev", "prev"] as const) {
    if (cursor === null) return;
    const heard = yield ask(operation, [...query, ["limit", "1"], ...cursor]);
    cursor = cursorIn(recordIn(heard)["pagination"], way);
  }
}

function ask({ path, kind }: Operation, query: Query): Question {
  const text = new URLSearchParams(query.map(([name, value]) => [name, value]));
  return { channel: kind === "view" ? "view" : "cursor", method: "GET", path: `${path}?${text}` };
}

function cursorIn(pagination: unknown, way: "next" | "prev"): Query | null {
  if (typeof pagination !== "object" || pagination === null) return null;
  const cursors = new Map(Object.entries(pagination));
  const text: unknown = cursors.get(`${way}Cursor`);
  if (typeof text !== "string") return null;
  return [[way === "next" ? "starting_after" : "ending_before", text]];
}
