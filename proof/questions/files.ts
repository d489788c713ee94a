/** Files of records (contract 4.7): each answers as its row does, and a masked one alike with a file and without. */
import { HEADERS } from "../../shared/contract/mod.ts";
import { isShown } from "../../shared/oracle/judge.ts";
import type { TableModel } from "../../shared/model/mod.ts";
import type { FileOperation, PresignedMethod } from "../../shared/surface/mod.ts";
import { fileRefusalOf } from "../../shared/surface/mod.ts";
import type { SeedRow } from "../rows/mod.ts";
import * as plan from "./planning.ts";
import { type Corpus, type Expectation, refused } from "./question.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";

interface FileAsking extends plan.Planning {
  readonly route: RuledRoute;
  readonly operation: FileOperation;
  /** What an address is asked for; null: none is. */
  readonly presigned: PresignedMethod | null;
  readonly table: TableModel;
}

/** Every row and one that is not there. No seeded row has a file: what is asked after the row's own layers says so. */
export function fileAnswers(asking: FileAsking): readonly plan.Attempt[] {
  const { route, operation: { method, column }, table } = asking;
  const missing = plan.explainRow(route, null, asking);
  const body = presignBodyOf(asking);
  const requestOf = (id: SeedRow["id"]) => ({
    method,
    path: plan.addressOf(route, { id }, asking),
    ...(body === null ? {} : { body }),
  });
  return [
    {
      purpose: `ask for "${column.name}" of a row that is not there`,
      request: requestOf(plan.missingId(table, asking)),
      expected: missing.refusal === null ? { kind: "admitted" } : refused(missing.refusal),
      because: plan.becauseOf(missing, route),
    },
    ...plan.keptRows(table, asking).map((row): plan.Attempt => {
      const explanation = plan.explainRow(route, row.values, asking);
      return {
        purpose: `ask for "${column.name}" of the row "${row.variant}"`,
        request: requestOf(row.id),
        expected: explanation.refusal === null
          ? ownAnswer(row, asking)
          : refused(explanation.refusal),
        because: plan.becauseOf(explanation, route),
      };
    }),
  ];
}

/** Null: the file's own route is asked. */
function presignBodyOf({ presigned, operation: { column: { type } } }: FileAsking) {
  const { types, maxItems } = type;
  if (presigned !== "PUT") {
    const id = maxItems === undefined ? {} : { id: "conformance" };
    return presigned && { method: presigned, ...id };
  }
  const [media = "application/octet-stream"] = types ?? [];
  return { method: presigned, size: 1, type: media.replace("*", "example") };
}

/** The answer of a row that lets the caller in. */
function ownAnswer(row: SeedRow, asking: FileAsking): Expectation {
  const { operation, table, presigned } = asking;
  const { act, resource, column } = operation;
  if (act === "readFile" || presigned === "GET") {
    const mask = Object.hasOwn(resource.masks, column.name)
      ? resource.masks[column.name]
      : undefined;
    const caller = plan.actingCaller(asking);
    const { world } = asking.standing;
    const isHidden = mask && !isShown(mask, caller, { row: row.values, table }, world);
    return refused(isHidden ? "FIELD_MASKED" : "FILE_NOT_FOUND");
  }
  const refusal = fileRefusalOf(operation, table, true);
  if (refusal !== null) return refused(refusal);
  if (presigned === "PUT") return { kind: "admitted" };
  // Without a body there is no type either.
  return act === "removeFile"
    ? { kind: "body", status: 200, body: { success: true } }
    : refused("UNSUPPORTED_MEDIA_TYPE");
}

/** The same of rows of which another database has twins, whole, in part, and by the tag of what may be there. */
export function* fileVariations(asking: FileAsking): Corpus {
  const { route, operation, table, presigned, ...planning } = asking;
  if (operation.act !== "readFile" && presigned !== "GET") return;
  const { own, others, foreign, deleted, missing } = plan.castOf(table, planning);
  for (const id of [own, ...others, foreign, deleted, missing]) {
    if (presigned !== null) {
      yield { ...plan.ask("file", route, { id }, planning), body: presignBodyOf(asking) };
      continue;
    }
    yield plan.ask("file", route, { id }, planning);
    yield { ...plan.ask("file", route, { id }, planning), method: "HEAD" };
    yield { ...plan.ask("file", route, { id }, planning), headers: { range: "bytes=0-0" } };
    const held = { [HEADERS.ifNoneMatch]: "*" };
    yield { ...plan.ask("file", route, { id }, planning), headers: held };
  }
}
