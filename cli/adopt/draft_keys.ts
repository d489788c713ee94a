/** Chooses the unique sets, the indexes and the single key of each drafted table. */
import { rulesOf } from "../../shared/column_types/mod.ts";
import { SYSTEM_FIELDS } from "../../shared/contract/mod.ts";
import { snakeCase } from "../../shared/surface/names.ts";
import type { DraftColumn } from "./draft.ts";
import type { DraftType, ForeignColumn, ForeignTable } from "./foreign_schema.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Returns the column that becomes `id`. Null: the table has none, the key refers to a row of another table, or its values are
 * words to which no row refers, so that the column stays.
 */
export function keyColumnOf(
  { name, key, columns, relations }: ForeignTable,
  tables: readonly ForeignTable[],
): string | null {
  const [only, ...others] = key?.columns ?? [];
  if (only === undefined || others.length > 0) return null;
  const column = columns.find((one) => one.name === only);
  const isReferred = tables.some((table) =>
    table.relations.some((relation) => relation.table === name && relation.columns.length === 1)
  );
  if (column && !isReferred && isNatural(column)) return null;
  return relations.some(({ columns }) => columns.length === 1 && columns[0] === only) ? null : only;
}

/** True for a text key that nothing generates, under a name that is not typical of ids. */
function isNatural({ name, type, fallback }: ForeignColumn): boolean {
  return type.kind === "text" && !/(^|_)(id|uuid|guid|sid|oid|pk)$/.test(snakeCase(name)) &&
    !/id$/i.test(name) && fallback?.value.kind !== "random";
}

interface KeyedColumns {
  readonly columns: readonly DraftColumn[];
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
}

interface Keyed {
  readonly foreign: ForeignTable;
  /** Column that becomes `id`. */
  readonly key: string | null;
  readonly own: readonly DraftColumn[];
  /** Draft's column names by those of the source in lower case. */
  readonly spelled: ReadonlyMap<string, string>;
  readonly ledger: Ledger;
}

/** Returns unique sets and indexes, without repeats, of columns that can be compared. */
export function keyedColumns({ foreign, key, own, spelled, ledger }: Keyed): KeyedColumns {
  const sets = (columns: readonly string[]) => fittingSet(columns, spelled, own);
  const unique = new Map<string, readonly string[]>();
  const composite = foreign.key && key === null ? sets(foreign.key.columns) : null;
  if (composite && composite.length > 0) unique.set(keyOfSet(composite), composite);
  for (const { clause, columns, obstacle } of foreign.unique) {
    const set = sets(columns);
    if (obstacle !== null) ledger.leaveOut(clause, obstacle);
    else if (set === null) ledger.leaveOut(clause, NOT_COMPARED);
    else {
      ledger.carry(clause);
      // An empty set is the key, or one row for each organization.
      if (set.length > 0) unique.set(keyOfSet(set), set);
      else if (!columns.some((name) => spelled.get(name.toLowerCase()) === "id")) {
        ledger.leaveOut(clause, "one row for each organization is no unique set here");
      }
    }
  }
  const indexes = new Map<string, readonly string[]>();
  for (const { clause, columns, obstacle } of foreign.indexes) {
    const set = sets(columns);
    const isPartial = obstacle === "it is under a condition";
    if (set === null) ledger.leaveOut(clause, obstacle ?? NOT_COMPARED);
    else if (obstacle !== null && !isPartial) ledger.leaveOut(clause, obstacle);
    else {
      if (isPartial) ledger.change(clause, "it is over all rows");
      else ledger.carry(clause);
      // Keys, scopes and unique columns have an index already.
      const isMade = set.length === 0 || unique.has(keyOfSet(set)) || isKeyAlone(set, own);
      if (!isMade) indexes.set(set.join(), set);
    }
  }
  const alone = (lists: ReadonlyMap<string, readonly string[]>) =>
    new Set([...lists.values()].filter((set) => set.length === 1).flat());
  const [uniqueAlone, indexedAlone] = [alone(unique), alone(indexes)];
  const together = (lists: ReadonlyMap<string, readonly string[]>) =>
    [...lists.values()].filter((set) => set.length > 1);
  return {
    columns: own.map((column) => ({
      ...column,
      isUnique: uniqueAlone.has(column.name),
      isIndexed: indexedAlone.has(column.name),
    })),
    unique: together(unique),
    indexes: together(indexes),
  };
}

const NOT_COMPARED = "one of its columns is not here, or holds what is not compared";

function keyOfSet(set: readonly string[]): string {
  return [...set].sort().join();
}

function isKeyAlone(set: readonly string[], own: readonly DraftColumn[]): boolean {
  const [only, ...others] = set;
  const kind = own.find(({ name }) => name === only)?.type.kind;
  return others.length === 0 && (kind === "key" || kind === "scope");
}

/**
 * Returns the draft's names without the tenant's, without repeats; null: one column cannot be compared. Empty: the set is the
 * key, or the tenant alone.
 */
function fittingSet(
  columns: readonly string[],
  spelled: ReadonlyMap<string, string>,
  own: readonly DraftColumn[],
): readonly string[] | null {
  const names = columns.map((name) => spelled.get(name.toLowerCase()));
  const isCompared = names.length > 0 && names.every((name) => {
    if (name === undefined) return false;
    const type = own.find((column) => column.name === name)?.type;
    if (type?.kind === "plain" || type?.kind === "computed") return !isStructured(type.of);
    return type !== undefined || SYSTEM_FIELDS.some((field) => field === name);
  });
  if (!isCompared) return null;
  const known = names.filter((name) => name !== undefined);
  // A set that contains the key is unique already.
  return known.includes("id")
    ? []
    : [...new Set(known.filter((name) => name !== "organizationId"))];
}

function isStructured(type: DraftType): boolean {
  return rulesOf(type).isStructured || rulesOf(type).isList;
}
