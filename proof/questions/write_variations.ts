/** Writes of single records, with what they echo, refuse and answer again (contract 4.1, 7.2). */
import { HEADERS } from "../../shared/contract/headers.ts";
import type { Operation } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import { type Channel, type Corpus, headerOf, type Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { MISSING } from "./get_questions.ts";
import { hiddenIn, isLetIn, pathWith, type Scene } from "./scene.ts";
import {
  type Body,
  conflictingBody,
  faultyBodies,
  fullBody,
  harmlessBody,
} from "./corpus_bodies.ts";

/** Numbers of rows that the corpus makes: none is seeded. */
export const NEW_ROWS = { single: 20, upsert: 30, batch: 40, batchUpsert: 50 } as const;

type Write = (at: number | null, body: unknown, more?: Partial<Question>) => Question;

export function* writeQuestions(scene: Scene, operation: Operation): Corpus {
  switch (operation.kind) {
    case "create":
      return yield* createQuestions(scene, operation, writing(scene, operation, "create"));
    case "update":
      return yield* updateQuestions(scene, operation, writing(scene, operation, "update"));
    case "upsert":
      return yield* upsertQuestions(scene, operation, writing(scene, operation, "upsert"));
    case "delete":
      return yield* deleteQuestions(scene, operation, writing(scene, operation, "delete"));
    default:
      return;
  }
}

function writing(scene: Scene, { resource, method, path }: Operation, channel: Channel): Write {
  const table = tableOf(resource, scene.model);
  return (at, body, more = {}) => ({
    channel,
    method,
    path: pathWith(scene, at === null ? path : path.replace(":id", String(rowId(table, at))), {
      table,
    }),
    ...(body === undefined ? {} : { body }),
    ...more,
  });
}

/** Once, again with the same key, and with the same key for something else. */
export function* replayed(question: Question, key: string, different: unknown): Corpus {
  const headers = { ...question.headers, [HEADERS.idempotencyKey]: key };
  yield { ...question, headers };
  yield { ...question, headers, channel: "replay" };
  yield { ...question, headers, body: different, channel: "replay" };
}

function* createQuestions(scene: Scene, { resource, access }: Operation, write: Write): Corpus {
  const hidden = hiddenIn(scene, tableOf(resource, scene.model));
  const body = (at: number) => fullBody("create", resource, { scene, at });
  const first = NEW_ROWS.single;
  yield write(null, body(first));
  if (!isLetIn(scene, access)) return;
  yield* replayed(write(null, body(first + 1)), `create-${resource.name}`, body(first + 2));
  for (const faulty of faultyBodies(body(first + 3), hidden)) {
    yield write(null, faulty, { channel: "refusal" });
  }
  const conflict = conflictingBody("create", resource, { scene, at: first + 4 });
  if (conflict !== null) yield write(null, conflict, { channel: "conflict" });
}

function* updateQuestions(scene: Scene, operation: Operation, write: Write): Corpus {
  const { resource, access } = operation;
  const table = tableOf(resource, scene.model);
  const hidden = hiddenIn(scene, table);
  const [one = 1, two = 2, three = 3] = ROWS.others;
  const body = fullBody("update", resource, { scene, at: NEW_ROWS.single + 5 });
  const harmless = harmlessBody("update", resource, { scene, at: NEW_ROWS.single + 5 });
  for (const at of [ROWS.own, one, ROWS.foreign, ROWS.deleted, MISSING]) {
    yield write(at, harmless);
  }
  if (!isLetIn(scene, access)) return;
  yield* replayed(write(two, harmless), `update-${resource.name}`, { nobodyKnowsThis: 1 });
  for (const [name, value] of Object.entries(body)) yield write(three, { [name]: value });
  for (const faulty of faultyBodies(harmless, hidden)) {
    yield write(two, faulty, { channel: "refusal" });
  }
  const conflict = conflictingBody("update", resource, { scene, at: NEW_ROWS.single + 6 });
  if (conflict !== null) yield write(two, conflict, { channel: "conflict" });
  yield* conditional(harmless, { scene, operation, write });
}

/** With the tag that the caller was told, and with one that is none. */
function* conditional(
  body: Body,
  { scene, operation, write }: {
    readonly scene: Scene;
    readonly operation: Operation;
    readonly write: Write;
  },
): Corpus {
  const [at = 1] = ROWS.others;
  const table = tableOf(operation.resource, scene.model);
  const path = pathWith(scene, operation.path.replace(":id", String(rowId(table, at))), { table });
  const tag = headerOf(yield { channel: "etag", method: "GET", path }, HEADERS.etag);
  for (const sent of [tag ?? '"1"', '"999"', 'W/"x"']) {
    yield write(at, body, { channel: "etag", headers: { [HEADERS.ifMatch]: sent } });
  }
}

function* upsertQuestions(scene: Scene, { resource, access }: Operation, write: Write): Corpus {
  const table = tableOf(resource, scene.model);
  const body = (at: number) => fullBody("upsert", resource, { scene, at });
  const [one = 1] = ROWS.others;
  yield write(NEW_ROWS.upsert, body(NEW_ROWS.upsert));
  if (!isLetIn(scene, access)) return;
  const next = NEW_ROWS.upsert + 1;
  yield* replayed(write(next, body(next)), `upsert-${resource.name}`, { nobodyKnowsThis: 1 });
  for (const at of [ROWS.own, one, ROWS.foreign]) yield write(at, body(next + 1 + at));
  for (const faulty of faultyBodies(body(one), hiddenIn(scene, table))) {
    yield write(one, faulty, { channel: "refusal" });
  }
  const conflict = conflictingBody("upsert", resource, { scene, at: next + 9 });
  if (conflict !== null) yield write(next + 9, conflict, { channel: "conflict" });
}

function* deleteQuestions(scene: Scene, { resource, access }: Operation, write: Write): Corpus {
  const [, , three = 3] = ROWS.others;
  for (const at of [ROWS.foreign, ROWS.deleted, MISSING]) yield write(at, undefined);
  if (!isLetIn(scene, access)) return yield write(three, undefined);
  yield* replayed(write(three, undefined), `delete-${resource.name}`, undefined);
}
