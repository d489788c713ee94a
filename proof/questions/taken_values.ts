/** Records with a value that only one of the databases has: what a unique column cannot keep to itself (contract 7.1). */
import { operationsOf } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import { writableColumns } from "../../shared/surface/writable.ts";
import { nameOf } from "../rows/hidden_columns.ts";
import { isUnique } from "../rows/plain_values.ts";
import type { Question } from "./question.ts";
import { ROWS, twinsAt } from "../rows/twin_rows.ts";
import { hiddenIn, isLetIn, pathWith, type Scene } from "./scene.ts";
import { fullBody } from "./corpus_bodies.ts";

interface TakenValue {
  readonly question: Question;
  /** `<table>.<column>`. */
  readonly column: string;
}

/** Numbers of rows that nothing else makes. */
const NEW_ROW = 60;

export function takenValues(scene: Scene): readonly TakenValue[] {
  const { model } = scene;
  return operationsOf(model).flatMap((operation) => {
    const { kind, resource, path, method, access } = operation;
    if (kind !== "create" || !isLetIn(scene, access)) return [];
    const table = tableOf(resource, model);
    const writable = writableColumns("create", resource, table).map(({ name }) => name);
    return hiddenIn(scene, table)
      .filter(({ column }) => isUnique(column, table) && writable.includes(column.name))
      .flatMap((one, at): readonly TakenValue[] => {
        const [taken] = twinsAt(one, ROWS.untouched, model) ?? [];
        if (taken === undefined) return [];
        const body = {
          ...fullBody("create", resource, { scene, at: NEW_ROW + at }),
          [one.column.name]: taken,
        };
        const question: Question = {
          channel: "conflict",
          method,
          path: pathWith(scene, path, { table }),
          body,
        };
        return [{ question, column: nameOf(one) }];
      });
  });
}
