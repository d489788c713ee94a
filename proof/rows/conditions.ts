/**
 * Chooses values of columns. A column that decides about a row gets values on both sides of every condition; any other column
 * gets a unique value where its type allows that (definitions 3, 4.1, 4.2, 4.4, contract 3.2).
 */
import { scopeOf, valuesOf } from "../../shared/column_types/mod.ts";
import { maskRecord } from "../../shared/contract/mod.ts";
import type { ColumnModel, Condition, JsonValue, ProjectModel } from "../../shared/model/mod.ts";
import { columnPredicates, type ResourceModel, type TableModel } from "../../shared/model/mod.ts";
import { columnsAsked, firewallColumns } from "../../shared/surface/mod.ts";
import { conditionsIn } from "../../shared/oracle/judge.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import { type Followed, ownConditions, predicatesOn } from "./followed.ts";
import type { World } from "./world.ts";

/** Conditions of all rules on a table's rows. */
export interface Questions {
  readonly table: TableModel;
  /** Conditions of each rule that has any, including rules of other tables whose relations lead here. */
  readonly rules: readonly (readonly Condition[])[];
  /** Conditions of which not all must be met: parts of a rule by `anyOf`, `or` and `not`. */
  readonly branches: readonly Condition[];
  /** Columns that decide without a condition: owners of masks, fields of transitions. */
  readonly columns: readonly string[];
}

export function questionsOf(
  table: TableModel,
  model: ProjectModel,
  routes: readonly RuledRoute[],
  followed: readonly Followed[],
): Questions {
  const predicates = predicatesOn(table, model);
  const led = followed.filter(({ asked }) => asked.relation.table === table.name)
    .map(({ asked }) => asked);
  const leading = followed.filter(({ from }) => from === table.name).map(({ asked }) => asked);
  const resource = model.resources.find((one) => one.table === table.name);
  const transitions = model.actions.flatMap(({ table: name, transition }) =>
    name === table.name && transition ? [transition] : []
  );
  const ownerShows = Object.values(resource?.masks ?? {}).some(({ showOwner }) => showOwner);
  return {
    table,
    rules: [
      ...routes.filter((route) => route.table?.name === table.name)
        .map(({ access }) => conditionsIn(access)),
      ...transitions.map(({ guard }) => guard),
      ...distinct([...predicates, ...led.map(({ of }) => of)].map(ownConditions)),
    ].filter((conditions) => conditions.length > 0),
    branches: predicates.flatMap(ownConditions),
    columns: [
      ...predicates.flatMap(columnsAsked),
      ...led.map(({ relation }) => relation.related),
      ...leading.map(({ relation }) => relation.own),
      ...transitions.map(({ field }) => field),
      ...(ownerShows ? [table.ownerColumn] : []),
    ],
  };
}

function distinct(lists: readonly (readonly Condition[])[]): readonly (readonly Condition[])[] {
  return [...new Map(lists.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns the columns on which some rule depends, without repeats. */
export function decidingColumns({ table, rules, columns }: Questions): readonly ColumnModel[] {
  const names = new Set([
    ...firewallColumns(table.firewall),
    ...rules.flatMap((conditions) => conditions.map(({ column }) => column)),
    ...columns,
  ]);
  // A seed cannot choose values that the database computes.
  return table.columns.filter(({ name, manager }) => names.has(name) && manager !== "computed");
}

/** Returns values of one column on both sides of every condition on it. */
export function candidatesFor(
  column: ColumnModel,
  questions: Questions,
  world: World,
  now: number,
): readonly JsonValue[] {
  const { table, rules } = questions;
  const values = valuesOf(column, table);
  const asked = [...columnPredicates(table.firewall), ...rules.flat()].filter((one) =>
    one.column === column.name
  );
  const named = asked.flatMap(({ operand }) => {
    const { home, foreign, caller } = world;
    switch (operand.kind) {
      case "literal":
        return [operand.value];
      case "literals":
        return operand.values;
      case "contextList":
        return [...caller.roles.slice(0, 2), "conformance"];
      case "context":
        return {
          userId: [home.userId, foreign.userId],
          activeOrgId: [home.organizationId, foreign.organizationId],
          activeTeamId: [home.teamId, foreign.teamId],
        }[operand.key];
    }
  });
  const own = [
    ...scopeValues(column, world),
    ...named,
    ...named.flatMap(values.neighbours),
    ...(values.choices ?? []),
    ...(column.manager === "system" && column.name === "deletedAt"
      ? [timeText(now - DELETED_BEFORE_MS)]
      : []),
    ...(column.nullable ? [null] : []),
  ];
  const texts = new Set<string>();
  return own.filter((value) => {
    const text = JSON.stringify(value);
    const fits = value === null ? column.nullable : values.mismatch(value) === null;
    const isNew = !texts.has(text) && fits;
    texts.add(text);
    return isNew;
  });
}

/**
 * Returns own and foreign ids for columns of a scope or an author: these decide by their meaning, even if no firewall names
 * them.
 */
function scopeValues(
  { name, type }: ColumnModel,
  { home, foreign }: World,
): readonly JsonValue[] {
  const scope = scopeOf(type);
  if (scope === "organization") return [home.organizationId, foreign.organizationId];
  if (scope === "team") return [home.teamId, foreign.teamId];
  if (scope === "owner" || name.endsWith("By")) return [home.userId, foreign.userId];
  return [];
}

/** Time by which seeds were deleted before any request deletes a row: rows deleted at the same time are restored together. */
const DELETED_BEFORE_MS = 1000;

/** Masks of the table; null if it has no routes. */
type Masked = Pick<ResourceModel, "masks"> | null;

/** Text that every searchable column contains. */
export const SEARCH_TERM = "conformance";

export function columnValue(column: ColumnModel, subject: {
  readonly table: TableModel;
  readonly resource: Masked;
  /** Number that no other row has. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}): JsonValue {
  const { table, resource, number, now } = subject;
  const values = valuesOf(column, table);
  if (values.choices !== null) {
    return (column.default?.kind === "literal" ? column.default.value : null) ??
      values.choices[0] ?? null;
  }
  const mask = resource !== null && Object.hasOwn(resource.masks, column.name)
    ? resource.masks[column.name]
    : undefined;
  const text = (mask ? maskRecord(mask.type).sample.plain(number) : null) ??
    `${SEARCH_TERM} ${column.name} ${number}`;
  return values.sample({ text, number, now });
}

export function timeText(now: number): string {
  return new Date(now).toISOString();
}
