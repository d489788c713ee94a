/**
 * Probes of files of records (contract 4.7): each file is answered as its row is, and a masked one answers the same with a file
 * and without.
 */
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
  /** Method for which a presigned address is requested; null: none is. */
  readonly presigned: PresignedMethod | null;
  readonly table: TableModel;
}

/**
 * Returns probes of every row and of a missing one. No seeded row has a file, so a request that passes the row's own layers is
 * answered with that.
 */
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

/** Returns the body of a presign request; null: the file's own route is called. */
function presignBodyOf({ presigned, operation: { column: { type } } }: FileAsking) {
  const { types, maxItems } = type;
  if (presigned !== "PUT") {
    const id = maxItems === undefined ? {} : { id: "conformance" };
    return presigned && { method: presigned, ...id };
  }
  const [media = "application/octet-stream"] = types ?? [];
  return { method: presigned, size: 1, type: media.replace("*", "example") };
}

/** Returns the expected answer of a row to which the caller has access. */
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
  // Without a body there is no content type either.
  return act === "removeFile"
    ? { kind: "body", status: 200, body: { success: true } }
    : refused("UNSUPPORTED_MEDIA_TYPE");
}

/**
 * Yields questions about rows that differ in the other database: the whole file, a part of it, and conditional on a possible
 * tag.
 */
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
