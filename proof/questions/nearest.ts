/**
 * Probes of pages with the records nearest to a vector (contract 4.3): they contain only rows that the list itself would show.
 */
import { DISTANCE_MEMBER } from "../../shared/contract/mod.ts";
import { mayAdmit } from "../../shared/oracle/judge.ts";
import { type VectorColumn, vectorColumnOf } from "../../shared/surface/mod.ts";
import type { SeedRow } from "../rows/mod.ts";
import { ANY } from "./expected_record.ts";
import type { Reading } from "./reading.ts";
import type * as plan from "./planning.ts";
import { type Expectation, type ExpectedPage, refused } from "./question.ts";
import { mayQuery } from "./wheres.ts";

/** Returns the expected records with their distances. No caller from whom a vector is masked can compare it. */
export function nearest(
  visible: readonly SeedRow[],
  reading: Reading,
  page: (rows: readonly SeedRow[], of: Reading) => ExpectedPage,
): readonly (readonly [plan.Query, Expectation])[] {
  const { operation, table, world: { caller } } = reading;
  const { kind, resource: { masks, read } } = operation;
  const vector = kind === "list" ? vectorColumnOf(table) : null;
  if (vector === null) return [];
  const { name } = vector.column;
  const query = { limit: "100", ...nearQuery(vector) };
  const mask = Object.hasOwn(masks, name) ? masks[name] : undefined;
  if (mask !== undefined && !mayQuery(mask, reading)) {
    return [[query, refused("VALIDATION_INVALID_INPUT")]];
  }
  // A caller who has only the default view cannot search by a vector that the view does not show.
  if (operation.view !== null && read !== null && !mayAdmit(read.access, caller)) {
    return [[query, refused("ACCESS_ROLE_REQUIRED")]];
  }
  const placed = visible.filter(({ values }) => (values[name] ?? null) !== null);
  const { records, ...rest } = page(placed, reading);
  const measured = [...records].map(([id, record]) =>
    [id, new Map([...record, [DISTANCE_MEMBER, ANY]])] as const
  );
  return [[query, { ...rest, records: new Map(measured) }]];
}

/** Returns a valid value of the parameter. */
export function nearQuery({ type: { dimensions } }: VectorColumn): plan.Query {
  return { near: JSON.stringify(Array.from({ length: dimensions }, (_, at) => at + 1)) };
}
