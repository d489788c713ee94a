/** Single reads: every row by its id, its fields, what it includes, and its entity tag (contract 4.1, 4.3). */
import { HEADERS } from "../../shared/contract/headers.ts";
import type { Operation } from "../../shared/surface/operations.ts";
import { parametersOf } from "../../shared/surface/parameters.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import { type Channel, type Corpus, headerOf, type Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { hiddenIn, isLetIn, pathWith, type Scene } from "./scene.ts";

/** A row that nobody has made. */
export const MISSING = 99;

export function* getQuestions(scene: Scene, operation: Operation): Corpus {
  const table = tableOf(operation.resource, scene.model);
  const [seen = 1] = ROWS.others;
  const ask = (
    at: number,
    query: readonly (readonly [string, string])[] = [],
    more: Partial<Question> & { readonly channel?: Channel } = {},
  ): Question => ({
    channel: "get",
    method: "GET",
    path: pathWith(scene, operation.path.replace(":id", String(rowId(table, at))), {
      table,
      query,
    }),
    ...more,
  });
  const all = [ROWS.own, ...ROWS.others, ROWS.known, ROWS.foreign, ROWS.deleted, MISSING];
  for (const at of all) yield ask(at);
  if (!isLetIn(scene, operation.access)) return;
  for (const at of [ROWS.own, seen]) {
    const tag = headerOf(yield ask(at, [], { channel: "etag" }), HEADERS.etag);
    for (const sent of [tag ?? '"1"', 'W/"0"']) {
      yield ask(at, [], { channel: "etag", headers: { [HEADERS.ifNoneMatch]: sent } });
    }
    yield ask(at, [], { channel: "etag", method: "HEAD" });
  }
  for (const { column } of hiddenIn(scene, table)) {
    yield ask(seen, [["fields", column.name]], {
      channel: "fields",
      column: `${table.name}.${column.name}`,
    });
  }
  for (const { name, use } of parametersOf(operation, scene.model)) {
    if (use.kind === "include") {
      for (const column of use.columns) {
        yield ask(seen, [["include", column]], { channel: "include" });
      }
    }
    if (use.kind === "embeddedFields") {
      const query = [["include", use.column], [name, use.fields.join(",")]] as const;
      yield ask(seen, query, { channel: "include" });
    }
  }
}
