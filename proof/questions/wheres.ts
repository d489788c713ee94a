/** Conditions of a `where` (contract 4.3): those with a predicted answer, and all others that can be asked. */
import { rulesOf } from "../../shared/column_types/mod.ts";
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { JsonValue, MaskRule, ResourceModel } from "../../shared/model/mod.ts";
import { isHeld, mayAdmit } from "../../shared/oracle/judge.ts";
import { parametersOf, type Relation, type WhereScope } from "../../shared/surface/mod.ts";
import type { SeedRow } from "../rows/mod.ts";
import { mayRead } from "./expected_record.ts";
import type { Reading } from "./reading.ts";
import { castOf, hiddenIn, lookingOf, type Planning, rowsOf, secretsOf } from "./planning.ts";

interface Foretold {
  readonly purpose: string;
  readonly where: JsonValue;
  /** Rows that the condition finds among those that the list shows, or the code of its refusal. */
  readonly found: readonly SeedRow[] | RuntimeCode;
}

export function whereScopeOf({ operation, model }: Reading): WhereScope | null {
  const uses = parametersOf(operation, model).map(({ use }) => use);
  return uses.find((use) => use.kind === "where")?.scope ?? null;
}

export function foretoldWheres(
  visible: readonly SeedRow[],
  reading: Reading,
): readonly Foretold[] {
  const scope = whereScopeOf(reading);
  if (scope === null) return [];
  const { table, resource } = scope;
  const ids = rowsOf(table, reading).map(({ id }) => id);
  const masked = [...scope.columns.keys()].filter((name) => isMasked(name, resource, reading));
  return [
    ...(scope.columns.has(table.primaryKey) && ids.length <= 100
      ? [{
        purpose: "ask for every row where it has its id",
        where: { or: [{ [table.primaryKey]: { in: ids } }, { not: {} }] },
        found: visible,
      }]
      : []),
    ...masked.map((name): Foretold => ({
      purpose: `ask where the masked "${name}" is not set`,
      where: { not: { [name]: { notEquals: null } } },
      found: "VALIDATION_INVALID_INPUT",
    })),
    ...[...scope.relations.values()].flatMap((one) => relatedWheres(one, visible, reading)),
  ];
}

/**
 * Returns conditions on other records. They are reads of those records: rows that the caller may not see do not exist for them.
 */
function relatedWheres(
  relation: Relation,
  visible: readonly SeedRow[],
  reading: Reading,
): readonly Foretold[] {
  const { name, direction, column, resource, table } = relation;
  const holder = direction === "parent" ? reading.operation.resource : resource;
  const isParent = direction === "parent";
  const behind = (conditions: JsonValue): JsonValue => ({
    [name]: isParent ? conditions : { some: conditions },
  });
  const ask = (found: Foretold["found"], where: JsonValue): Foretold => ({
    purpose: `ask where there is a "${name}"`,
    where,
    found,
  });
  if (resource.read === null || !mayAdmit(resource.read.access, reading.world.caller)) {
    return [ask("ACCESS_ROLE_REQUIRED", behind({}))];
  }
  if (isMasked(column.name, holder, reading)) return [ask("VALIDATION_INVALID_INPUT", behind({}))];
  const isReadable = (row: SeedRow) => mayRead(resource, row, lookingOf(reading));
  const readable = rowsOf(table, reading).filter(isReadable);
  const hidden = rowsOf(table, reading).filter((row) => !isReadable(row)).map(({ id }) => id);
  const has = ({ id, values }: SeedRow) =>
    readable.some((row) =>
      isParent ? values[column.name] === row.id : row.values[column.name] === id
    );
  const masked = table.columns.filter((one) => isMasked(one.name, resource, reading));
  return [
    ask(visible.filter(has), behind({})),
    ask(
      visible.filter((row) => !has(row)),
      isParent ? { not: behind({}) } : { [name]: { none: {} } },
    ),
    ask([], behind({ [table.primaryKey]: { in: hidden.slice(0, 100) } })),
    ...masked.map((one) => ask("VALIDATION_INVALID_INPUT", behind({ [one.name]: null }))),
  ];
}

function isMasked(name: string, { masks }: ResourceModel, planning: Planning): boolean {
  const mask = Object.hasOwn(masks, name) ? masks[name] : undefined;
  return mask !== undefined && !mayQuery(mask, planning);
}

export function mayQuery({ queryRoles }: MaskRule, { world: { caller } }: Planning): boolean {
  return queryRoles.some((role) => isHeld(role, caller));
}

/** Yields conditions by every column, allowed or not, each with the hidden column as `<table>.<column>`. */
export function* anyWheres(
  reading: Reading,
): Generator<readonly [where: JsonValue, hidden: string | null]> {
  const scope = whereScopeOf(reading);
  if (scope === null) return;
  yield* levelWheres(scope, reading, (conditions) => conditions);
  for (const relation of scope.relations.values()) {
    const { name, direction } = relation;
    const behind = (conditions: JsonValue, quantifier = "some"): JsonValue => ({
      [name]: direction === "parent" ? conditions : { [quantifier]: conditions },
    });
    for (const where of [behind({}), { not: behind({}) }, behind({}, "none")]) yield [where, null];
    yield* levelWheres(scope.scopeOf(relation), reading, behind);
  }
}

function* levelWheres(
  { columns, table }: WhereScope,
  reading: Reading,
  behind: (conditions: JsonValue) => JsonValue,
): Generator<readonly [where: JsonValue, hidden: string | null]> {
  const hidden = hiddenIn(table.name, reading);
  const { others: [first, , third] } = castOf(table, reading);
  for (const { name, type } of columns.values()) {
    const one = hidden.find(({ column }) => column.name === name);
    if (rulesOf(type).isStructured) continue;
    if (one === undefined) {
      const row = rowsOf(table, reading).find(({ id }) => id === first);
      yield [behind({ [name]: row?.values[name] ?? null }), null];
      continue;
    }
    const secrets = [first, third].flatMap((id) => secretsOf(one, id, reading));
    for (const value of [null, ...secrets]) {
      for (const where of [{ [name]: value }, { not: { or: [{ [name]: { in: [value] } }] } }]) {
        yield [behind(where), `${table.name}.${name}`];
      }
    }
  }
}
