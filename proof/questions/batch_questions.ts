/** Batches: what they echo of each record, in success and in failure (contract 2.6, 4.1 rule 6). */
import type { Operation } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import type { Corpus, Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { MISSING } from "./get_questions.ts";
import { isLetIn, pathWith, type Scene } from "./scene.ts";
import { type Body, conflictingBody, fullBody, harmlessBody } from "./corpus_bodies.ts";
import { NEW_ROWS, replayed } from "./write_variations.ts";

export function* batchQuestions(scene: Scene, operation: Operation): Corpus {
  const { resource, access, method, path, kind, batch } = operation;
  const table = tableOf(resource, scene.model);
  const ask = (body: unknown): Question => ({
    channel: "batch",
    method,
    path: pathWith(scene, path, { table }),
    body,
  });
  const [first, ...others] = bodiesOf(scene, operation);
  if (first === undefined || batch === null) return;
  yield ask(first);
  if (!isLetIn(scene, access)) return;
  for (const body of others) yield ask(body);
  if (batch.allowFailFast) yield ask({ ...first, options: { failFast: true } });
  yield* replayed(ask(first), `${kind}-${resource.name}`, {});
}

type BatchBody = Readonly<Record<string, unknown>>;

/** Records that succeed, beside those that are refused, foreign, missing or taken. */
function bodiesOf(scene: Scene, { kind, resource }: Operation): readonly BatchBody[] {
  const table = tableOf(resource, scene.model);
  const key = table.primaryKey;
  const id = (at: number) => ({ [key]: rowId(table, at) });
  const [one = 1, two = 2] = ROWS.others;
  const fresh = kind === "batchUpsert" ? NEW_ROWS.batchUpsert : NEW_ROWS.batch;
  switch (kind) {
    case "batchCreate": {
      const body = (at: number) => fullBody("create", resource, { scene, at });
      const taken = conflictingBody("create", resource, { scene, at: fresh + 3 });
      return [
        { records: [body(fresh), body(fresh + 1)] },
        { records: [body(fresh + 2), { nobodyKnowsThis: 1 }, {}] },
        ...(taken === null ? [] : [{ records: [taken] }]),
      ];
    }
    case "batchUpdate": {
      const body = single(
        harmlessBody("update", resource, { scene, at: fresh + 4 }),
        scene,
        resource,
      );
      const taken = conflictingBody("update", resource, { scene, at: fresh + 5 });
      return [
        { records: [{ ...id(one), ...body }, { ...id(ROWS.own), ...body }] },
        {
          records: [ROWS.foreign, ROWS.deleted, MISSING, two].map((at) => ({ ...id(at), ...body })),
        },
        { records: [{ ...id(two), nobodyKnowsThis: 1 }, { ...id(one), createdAt: "now" }] },
        ...(taken === null ? [] : [{ records: [{ ...id(two), ...taken }] }]),
      ];
    }
    case "batchUpsert": {
      const body = (at: number) => fullBody("upsert", resource, { scene, at });
      return [
        { records: [fresh, one].map((at) => ({ ...id(at), ...body(fresh + at) })) },
        { records: [{ ...id(ROWS.foreign), ...body(fresh + 8) }, { ...id(two) }] },
      ];
    }
    case "batchDelete":
      return [
        { ids: [two, ROWS.foreign, MISSING].map((at) => rowId(table, at)) },
        { ids: [ROWS.deleted].map((at) => rowId(table, at)) },
      ];
    default:
      return [];
  }
}

/** One field that several rows may have alike. */
function single(body: Body, { model }: Scene, resource: Operation["resource"]): Body {
  const unique = tableOf(resource, model).indexes.filter((index) => index.unique)
    .flatMap(({ columns }) => columns);
  const [entry] = Object.entries(body).filter(([name]) => !unique.includes(name));
  return entry === undefined ? {} : Object.fromEntries([entry]);
}
