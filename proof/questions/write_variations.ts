/**
 * Writes of single records whose answers are not predicted: what they echo, refuse and replay, and several of them as one
 * changeset (contract 4.1, 7.2, definitions 7 "changeset").
 */
import { HEADERS } from "../../shared/contract/mod.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import { changesetPath } from "../../shared/surface/mod.ts";
import type { RowId } from "../rows/mod.ts";
import { conflictingBody, faultyBodies, harmless, newBody, type RouteWriting } from "./bodies.ts";
import { ask, type Cast, castOf, hiddenIn, isLetIn } from "./planning.ts";
import { type Channel, type Corpus, headerOf, type Question } from "./question.ts";

export function* writeVariations(
  verb: "create" | "update" | "upsert" | "delete",
  writing: RouteWriting,
): Corpus {
  const cast = castOf(writing.table, writing);
  if (verb === "create") return yield* creations(writing);
  if (verb === "update") return yield* updates(writing, cast);
  if (verb === "upsert") return yield* upserts(writing, cast);
  yield* deletions(writing, cast);
}

/** Yields the question once, again with the same key, and with the same key for a different request. */
export function* replayed(question: Question, key: string, different?: JsonValue): Corpus {
  const headers = { ...question.headers, [HEADERS.idempotencyKey]: key };
  yield { ...question, headers };
  yield { ...question, headers, channel: "replay" };
  const { body: _, ...bodiless } = question;
  const other = different === undefined ? bodiless : { ...question, body: different };
  yield { ...other, headers, channel: "replay" };
}

function* creations(writing: RouteWriting): Corpus {
  const { route, resource } = writing;
  const create = (body: JsonValue, channel: Channel = "create") =>
    ask(channel, route, { body }, writing);
  const body = () => newBody("create", writing);
  yield create(body());
  if (!isLetIn(route, writing)) return;
  yield* replayed(create(body()), `create-${resource.name}`, body());
  for (const faulty of faultyBodies(body(), writing)) yield create(faulty, "refusal");
  const conflict = conflictingBody("create", writing);
  if (conflict !== null) yield create(conflict, "conflict");
}

function* updates(writing: RouteWriting, cast: Cast): Corpus {
  const { route, resource } = writing;
  const { own, others: [one, two, three], foreign, deleted, missing } = cast;
  const update = (id: RowId, body: JsonValue, channel: Channel = "update") =>
    ask(channel, route, { id, body }, writing);
  const body = newBody("update", writing);
  const safe = harmless(body, writing);
  for (const id of [own, one, foreign, deleted, missing]) yield update(id, safe);
  if (!isLetIn(route, writing)) return;
  yield* replayed(update(two, safe), `update-${resource.name}`, { nobodyKnowsThis: 1 });
  for (const [name, value] of Object.entries(body)) yield update(three, { [name]: value });
  for (const faulty of faultyBodies(safe, writing)) yield update(two, faulty, "refusal");
  const conflict = conflictingBody("update", writing);
  if (conflict !== null) yield update(two, conflict, "conflict");
  // Once with the tag that the caller received, and once with an invalid one.
  const tag = headerOf(
    yield { ...ask("etag", route, { id: one }, writing), method: "GET" },
    HEADERS.etag,
  );
  for (const sent of [tag ?? '"1"', '"999"', 'W/"x"']) {
    yield { ...update(one, safe, "etag"), headers: { [HEADERS.ifMatch]: sent } };
  }
}

function* upserts(writing: RouteWriting, { own, others: [one], foreign }: Cast): Corpus {
  const { route, resource, table } = writing;
  const put = (id: RowId, body: JsonValue, channel: Channel = "upsert") =>
    ask(channel, route, { id, body }, writing);
  const body = () => newBody("upsert", writing);
  yield put(writing.newId(table), body());
  if (!isLetIn(route, writing)) return;
  const next = writing.newId(table);
  yield* replayed(put(next, body()), `upsert-${resource.name}`, { nobodyKnowsThis: 1 });
  for (const id of [own, one, foreign]) yield put(id, body());
  for (const faulty of faultyBodies(body(), writing)) yield put(one, faulty, "refusal");
  const conflict = conflictingBody("upsert", writing);
  if (conflict !== null) yield put(writing.newId(table), conflict, "conflict");
}

function* deletions(writing: RouteWriting, cast: Cast): Corpus {
  const { route, resource } = writing;
  const { others: [, , three], foreign, deleted, missing } = cast;
  const remove = (id: RowId) => ask("delete", route, { id }, writing);
  for (const id of [foreign, deleted, missing]) yield remove(id);
  if (!isLetIn(route, writing)) return yield remove(three);
  yield* replayed(remove(three), `delete-${resource.name}`);
}

/** Yields updates as one changeset: its answer, and how a later update uses the result of an earlier one. */
export function* changesets(writing: RouteWriting): Corpus {
  const { model, resource, table } = writing;
  if (!model.changeset || !isLetIn(writing.route, writing)) return;
  const body = harmless(newBody("update", writing), writing);
  const texts = Object.keys(body).filter((name) => typeof body[name] === "string");
  const [text] = texts;
  if (text === undefined) return;
  const { own, others: [one, two], missing } = castOf(table, writing);
  const update = (id: RowId, data: JsonValue, as: string) => ({
    op: "update",
    resource: resource.name,
    id,
    data,
    as,
  });
  const send = (operations: JsonValue): Question => ({
    channel: "changeset",
    method: "POST",
    path: changesetPath(model),
    body: { operations },
  });
  const safe = { [text]: body[text] ?? null };
  const first = update(one, safe, "row1");
  yield send([first, update(own, safe, "row0")]);
  yield send([first, update(missing, safe, "row99")]);
  // A value that the caller may not see is written where they may see it.
  for (const { column } of hiddenIn(table.name, writing)) {
    for (const target of texts) {
      const taken = { [target]: { $ref: `row1.${column.name}` } };
      yield {
        ...send([first, update(two, taken, "row2")]),
        column: `${table.name}.${column.name}`,
      };
    }
  }
}
