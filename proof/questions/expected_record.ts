/**
 * Computes a record as one caller must see it: projection, masks and labels, from the definitions (contract 2.4, definitions
 * 4.4).
 */
import { ACCOUNTS_TABLE, type JsonValue, type LabelModel } from "../../shared/model/mod.ts";
import type { Principal, ProjectModel } from "../../shared/model/mod.ts";
import type { ResourceModel, TableModel } from "../../shared/model/mod.ts";
import { tableNamed, tableOf, totalsOf } from "../../shared/surface/mod.ts";
import { admits, hidingPredicates, isShown, mayAdmit } from "../../shared/oracle/judge.ts";
import { maskRecord } from "../../shared/contract/mod.ts";
import { computedValues, type SeedRow, type SeedValues, type StandingRows } from "../rows/mod.ts";

export type ExpectedField =
  | { readonly kind: "value"; readonly value: JsonValue }
  /** Masked value whose form the definitions leave open: any value but the plain one. */
  | { readonly kind: "masked"; readonly plain: JsonValue }
  /** Value that the service creates during the request. */
  | { readonly kind: "any" };

export type ExpectedRecord = ReadonlyMap<string, ExpectedField>;

/** Viewpoint of an expectation: a caller, and all seeded rows. */
export interface Looking {
  readonly model: ProjectModel;
  /** Caller, in the organization that scopes the request. */
  readonly caller: Principal;
  readonly rows: readonly SeedRow[];
  /** Rows that relations of rules may lead to. */
  readonly standing: StandingRows;
}

export const ANY: ExpectedField = { kind: "any" };

/** Returns the expected record. `columns` are those of the resource, with the labels of the foreign keys among them. */
export function expectedRecord(
  resource: ResourceModel,
  values: SeedValues,
  columns: readonly string[],
  looking: Looking,
): ExpectedRecord {
  const table = tableOf(resource, looking.model);
  const whole = computedValues(values, table);
  const totals = totalsOf(table);
  const record = new Map(columns.map((name): [string, ExpectedField] => {
    // Rows that other questions create are counted too.
    if (totals.includes(name)) return [name, ANY];
    return [name, expectedField(name, { resource, table, values: whole }, looking)];
  }));
  for (const label of resource.labels.filter(({ column }) => columns.includes(column))) {
    record.set(label.field, expectedLabel(label, { resource, table, values }, looking));
  }
  return record;
}

/** Returns the record after a change: columns that the service stamps may have any value. */
export function changed(record: ExpectedRecord, table: TableModel): ExpectedRecord {
  const stamped = ["modifiedAt", "modifiedBy", table.revision];
  return new Map([...record].map(([name, field]) => [name, stamped.includes(name) ? ANY : field]));
}

interface RecordOf {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  readonly values: SeedValues;
}

function expectedField(
  name: string,
  { resource, table, values }: RecordOf,
  { caller, standing: { world } }: Looking,
): ExpectedField {
  const value = values[name] ?? null;
  const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
  if (!mask || value === null || isShown(mask, caller, { row: values, table }, world)) {
    return { kind: "value", value };
  }
  const { form, shown } = maskRecord(mask.type).sample;
  return form.test(String(value))
    ? { kind: "value", value: shown }
    : { kind: "masked", plain: value };
}

/**
 * Returns the label of a key; null if the caller may not read the target, or may not see what the key refers to (definitions
 * 7).
 */
function expectedLabel(
  { column, table: targetName, display }: LabelModel,
  { resource, table, values }: RecordOf,
  looking: Looking,
): ExpectedField {
  const { model, caller, rows, standing: { world } } = looking;
  const nothing: ExpectedField = { kind: "value", value: null };
  const isHidden = caller.credential === "none" || caller.credential === "scope";
  // Some callers of a run have accounts; others exist only in their tokens.
  if (targetName === ACCOUNTS_TABLE.name) return isHidden ? nothing : ANY;
  const target = tableNamed(targetName, model);
  const targetResource = model.resources.find((one) => one.table === targetName);
  const keyMask = Object.hasOwn(resource.masks, column) ? resource.masks[column] : undefined;
  if (keyMask && !isShown(keyMask, caller, { row: values, table }, world)) return nothing;
  const row = rows.find((one) => one.table.name === targetName && one.id === values[column]);
  if (!row || !targetResource?.read || !mayRead(targetResource, row, looking)) return nothing;
  return expectedField(
    display,
    { resource: targetResource, table: target, values: row.values },
    looking,
  );
}

/** True when a read of the resource shows the row. */
export function mayRead(
  { read }: ResourceModel,
  row: SeedRow,
  { caller, standing: { world } }: Looking,
): boolean {
  return read !== null && mayAdmit(read.access, caller) &&
    hidingPredicates(row.table, caller, row.values, world).length === 0 &&
    admits(read.access, caller, row.values, world);
}
