/** Values that the service writes into a row (contract 2.2): time, author, scope, revision, new ids. */
import { init } from "@paralleldrive/cuid2";
import { customRandom, urlAlphabet } from "nanoid";
import { rulesOf, scopeOf, storageOf, stored } from "../../column_types/mod.ts";
import { uuid } from "../../lib/ids.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ColumnModel, MadeValue, TableModel } from "../../model/mod.ts";
import type { NewId } from "../context.ts";
import type { Randomness, SqlValue } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { findColumn } from "./catalog.ts";
import type { ColumnValues, Firewall, Stamps } from "./types.ts";

/** One assignment of an update: SQL with at most one bound value. */
export interface Assignment {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

/** Returns the values of all columns of a new row except its id. */
export function newRowValue(
  column: ColumnModel,
  { values, stamps, firewall }: {
    readonly values: ColumnValues;
    readonly stamps: Stamps;
    readonly firewall: Firewall;
  },
): SqlValue {
  const scope = scopeOf(column.type);
  if (scope !== null) {
    // A row without its scope would belong to everybody, so it is never written.
    const { principal, organizationId } = firewall;
    const value = {
      organization: organizationId,
      owner: principal.userId,
      team: principal.teamId,
    }[scope];
    if (value === null) throw new Error(`The request has no ${scope} to stamp a new row with`);
    return value;
  }
  if (column.manager === "revision") return 1;
  if (column.manager === "system") {
    switch (column.name) {
      case "createdAt":
        return stamps.now;
      case "createdBy":
        return stamps.userId;
      case "modifiedAt":
        return column.nullable ? null : stamps.now;
      case "modifiedBy":
        return column.nullable ? null : stamps.userId;
      default:
        return null;
    }
  }
  // An explicit null is a value. Only an omitted column takes its default.
  const value = values.get(column.name);
  if (value !== undefined || column.default === null) return value ?? null;
  switch (column.default.kind) {
    case "literal":
      return stored(column, column.default.value);
    case "now":
      return stamps.now;
    case "made":
      return madeValue(column, column.default.value, stamps);
  }
}

/**
 * Returns values that follow from the request. `completeRows` draws random texts and numbers, so that none is drawn twice; a
 * row that is only judged has none yet.
 */
function madeValue(column: ColumnModel, { kind }: MadeValue, stamps: Stamps): SqlValue {
  switch (kind) {
    case "now":
      return rulesOf(column.type).isInstant ? stamps.now : stamps.now.slice(0, DAY_LENGTH);
    case "userId":
      if (stamps.userId === null && !column.nullable) refuse("ACCESS_OWNERSHIP_REQUIRED");
      return stamps.userId;
    case "random":
    case "sequence":
      throw new Error(`The value of column '${column.name}' is made before its row is inserted`);
  }
}

const DAY_LENGTH = "YYYY-MM-DD".length;

/** Returns the assignments that accompany every change of a row. */
export function modificationOf(firewall: Firewall, stamps: Stamps): readonly Assignment[] {
  const { table } = firewall;
  return [
    ...assigned(findColumn(table, "modifiedAt"), stamps.now),
    ...assigned(findColumn(table, "modifiedBy"), stamps.userId),
    ...incrementedRevision(table),
  ];
}

/** Assignments of a soft deletion (contract 3.1). */
export function deletionOf(firewall: Firewall, stamps: Stamps): readonly Assignment[] {
  const { table } = firewall;
  return [
    ...assigned(findColumn(table, "deletedAt"), stamps.now),
    ...assigned(findColumn(table, "deletedBy"), stamps.userId),
    ...modificationOf(firewall, stamps),
  ];
}

export function assigned(column: ColumnModel | null, value: SqlValue): readonly Assignment[] {
  if (!column) return [];
  const place = storageOf(column.type).write("?");
  return [{ sql: `${sqlIdentifier(column.sqlName)} = ${place}`, args: [value] }];
}

/** Nothing where the table counts no revisions. */
export function incrementedRevision(table: TableModel): readonly Assignment[] {
  const column = table.revision === null ? null : findColumn(table, table.revision);
  if (!column) return [];
  const name = sqlIdentifier(column.sqlName);
  return [{ sql: `${name} = ${name} + 1`, args: [] }];
}

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Ids of new rows by strategy (contract 4.1 rule 5), made by well-kept libraries from the host's randomness. */
export function createNewId(random: Randomness): NewId {
  const bytes = (length: number) => random.bytes(length);
  const nanoid = customRandom(urlAlphabet, 21, bytes);
  const short = customRandom(ALPHANUMERIC, 6, bytes);
  const cuid = init({
    random: () => {
      // 53 random bits as a number in [0, 1).
      const view = new DataView(random.bytes(8).slice().buffer);
      return Number(view.getBigUint64(0) >> 11n) / 2 ** 53;
    },
    fingerprint: random.bytes(16).toHex(),
    length: 24,
  });
  return ({ idStrategy, idPrefix, name }: TableModel) => {
    switch (idStrategy) {
      case "serial":
        return null;
      case "uuid":
        return uuid(random.bytes(16));
      case "prefixed":
        return `${idPrefix}_${random.bytes(16).toHex()}`;
      case "cuid":
        return cuid();
      case "nanoid":
        return nanoid();
      case "short":
        return short();
      case false:
        throw new Error(`Ids of "${name}" come with the request`);
    }
  };
}
