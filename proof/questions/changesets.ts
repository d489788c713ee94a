/** Several writes at once: what they answer, and what a later one may take from an earlier one (definitions 7 "changeset"). */
import { changesetPath } from "../../shared/surface/changeset.ts";
import type { Operation } from "../../shared/surface/operations.ts";
import { operationsOf } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import type { Corpus, Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { MISSING } from "./get_questions.ts";
import { hiddenIn, isLetIn, type Scene } from "./scene.ts";
import { harmlessBody } from "./corpus_bodies.ts";
import { NEW_ROWS } from "./write_variations.ts";

export function* changesetQuestions(scene: Scene): Corpus {
  if (!scene.model.changeset) return;
  for (const operation of operationsOf(scene.model)) {
    if (operation.kind !== "update" || !isLetIn(scene, operation.access)) continue;
    yield* updateQuestions(scene, operation);
  }
}

function* updateQuestions(scene: Scene, { resource }: Operation): Corpus {
  const table = tableOf(resource, scene.model);
  const body = harmlessBody("update", resource, { scene, at: NEW_ROWS.single + 8 });
  const texts = Object.keys(body).filter((name) => typeof body[name] === "string");
  const [one = 1, two = 2] = ROWS.others;
  const update = (at: number, data: unknown) => ({
    op: "update",
    resource: resource.name,
    id: rowId(table, at),
    data,
    as: `row${at}`,
  });
  const ask = (operations: readonly unknown[]): Question => ({
    channel: "changeset",
    method: "POST",
    path: changesetPath(scene.model),
    body: { operations },
  });
  const [text] = texts;
  if (text === undefined) return;
  const harmless = { [text]: body[text] };
  yield ask([update(one, harmless), update(ROWS.own, harmless)]);
  yield ask([update(one, harmless), update(MISSING, harmless)]);
  // A value that the caller may not see, written where they may see it.
  for (const { column } of hiddenIn(scene, table)) {
    for (const target of texts) {
      const taken = { $ref: `row${one}.${column.name}` };
      yield {
        ...ask([update(one, harmless), update(two, { [target]: taken })]),
        column: `${table.name}.${column.name}`,
      };
    }
  }
}
