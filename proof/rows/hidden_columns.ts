/** Finds masked columns that a caller may not see, and those that the definitions nevertheless reveal (definitions 4.4). */
import { valuesOf } from "../../shared/column_types/mod.ts";
import { maskRecord } from "../../shared/contract/mod.ts";
import { isHeld, mayAdmit } from "../../shared/oracle/judge.ts";
import type { ColumnModel, JsonValue, MaskRule, Principal } from "../../shared/model/mod.ts";
import type { ProjectModel, ResourceModel, RowPredicate } from "../../shared/model/mod.ts";
import { columnsIn, type TableModel } from "../../shared/model/mod.ts";
import { accessColumns, columnNamed, columnsAsked } from "../../shared/surface/mod.ts";
import { firewallColumns, relationsIn, tableOf } from "../../shared/surface/mod.ts";
import { followedIn } from "./followed.ts";

export interface HiddenColumn {
  readonly table: TableModel;
  readonly resource: ResourceModel;
  readonly column: ColumnModel;
  readonly mask: MaskRule;
  /** True when the caller sees the column in their own rows. */
  readonly seesOwn: boolean;
}

/** Fact about a masked column that the definitions allow a caller to learn (docs/decisions/reads.md). */
export interface Admission {
  /**
   * `rule`: a rule compares the column, or the column is a total over more rows than the caller sees. `lift`: the caller may
   * write a value that lifts the mask. `query`: `query.roles` names the caller. `mask`: no second value has the same masked
   * form. `unique`: a write reveals that a value is taken.
   */
  readonly kind: "rule" | "lift" | "query" | "mask" | "unique";
  /** Column as `<table>.<column>`. */
  readonly column: string;
  /** Table over whose rows the column is a total; absent: the column is no total. */
  readonly over?: string;
}

interface Sight {
  readonly hidden: readonly HiddenColumn[];
  readonly admissions: readonly Admission[];
}

export function sightOf(model: ProjectModel, caller: Principal): Sight {
  const all = model.resources.flatMap((resource) => {
    const table = tableOf(resource, model);
    return Object.entries(resource.masks).map(([name, mask]) => ({
      table,
      resource,
      column: columnNamed(name, table),
      mask,
    }));
  })
    .filter(({ mask }) => !mask.showRoles.some((role) => isHeld(role, caller)))
    .map((one) => ({ ...one, seesOwn: one.mask.showOwner && caller.userId !== null }));
  const told = [...all, ...outsideViews(model, caller)].map((one) => ({
    one,
    kind: admissionOf(one, model, caller),
  }));
  return {
    hidden: told.flatMap(({ one, kind }) => kind === null ? [one] : []),
    admissions: told.flatMap(({ one, kind }) =>
      kind === null ? [] : [{ kind, column: nameOf(one) }]
    ),
  };
}

/**
 * Returns columns of resources that the caller reads only through views, if no view shows, filters or sorts by them: they are
 * as hidden as masked ones (definitions 4.5). A caller who writes records or runs one of their actions sees more, and is
 * excluded.
 */
function outsideViews(model: ProjectModel, caller: Principal): readonly HiddenColumn[] {
  return model.resources.flatMap((resource): readonly HiddenColumn[] => {
    const { read, create, update, delete: remove, upsert } = resource;
    if (read === null || mayAdmit(read.access, caller)) return [];
    const views = read.views.filter(({ access }) => mayAdmit(access, caller));
    const rules = [create, update, remove, upsert].flatMap((write) =>
      write === null ? [] : [write.access, ...(write.batch ? [write.batch.access] : [])]
    );
    const others = model.actions.filter((action) => action.table === resource.table)
      .map(({ access }) => access);
    const doesMore = [...rules, ...others].some((access) => mayAdmit(access, caller));
    if (views.length === 0 || doesMore || isSummedUp(resource, model)) return [];
    const told = new Set(views.flatMap((view) => [
      ...view.fields,
      ...view.filterable ?? [],
      ...view.sortable ?? [],
      ...view.searchable ?? [],
      ...view.defaultSort.map(({ column }) => column),
      ...view.aggregations.flatMap(({ column }) => column ?? []),
    ]));
    const table = tableOf(resource, model);
    return table.columns.filter((column) =>
      column.manager === "client" && column.references === null && !told.has(column.name) &&
      !Object.hasOwn(resource.masks, column.name)
    ).map((column) => ({ table, resource, column, mask: UNSEEN, seesOwn: false }))
      .filter((one) => twinValues(one, 1) !== null);
  });
}

/** True when columns of some table are computed from the resource's. */
function isSummedUp({ table: name }: ResourceModel, { tables }: ProjectModel): boolean {
  return tables.some((table) =>
    table.columns.some(({ computed, rollup }) =>
      (computed !== undefined && table.name === name) || rollup?.table === name
    )
  );
}

const UNSEEN: MaskRule = {
  type: "redact",
  showRoles: [],
  showOwner: false,
  queryRoles: [],
  automatic: false,
};

export function nameOf({ table, column }: Pick<HiddenColumn, "table" | "column">): string {
  return `${table.name}.${column.name}`;
}

function admissionOf(
  one: HiddenColumn,
  model: ProjectModel,
  caller: Principal,
): Admission["kind"] | null {
  const { table, column, mask } = one;
  if (ruledColumns(table, model).has(column.name)) return "rule";
  if (mask.showRows && mayLift(mask.showRows, table, model, caller)) return "lift";
  if (mask.queryRoles.some((role) => isHeld(role, caller))) return "query";
  return column.references === null && twinValues(one, 1) === null ? "mask" : null;
}

/** Returns columns whose values decide about their rows: a caller who meets the rule learns the compared values. */
export function ruledColumns(table: TableModel, model: ProjectModel): ReadonlySet<string> {
  const resources = model.resources.filter((resource) => resource.table === table.name);
  const actions = model.actions.filter((action) => action.table === table.name);
  const transitions = actions.flatMap(({ transition }) => transition === null ? [] : [transition]);
  return new Set([
    ...firewallColumns(table.firewall),
    // Includes every rule of a resource.
    ...[
      ...resources.flatMap((resource) => {
        const { read, create, update, delete: remove, upsert } = resource;
        const writes = [create, update, remove, upsert].flatMap((write) =>
          write === null ? [] : [write]
        );
        return [
          ...(read === null ? [] : [read.access, ...read.views.map(({ access }) => access)]),
          ...writes.flatMap(({ access, batch }) =>
            batch === null ? [access] : [access, batch.access]
          ),
        ];
      }),
      ...actions.map(({ access }) => access),
    ]
      .flatMap(accessColumns),
    ...resources.flatMap(({ masks }) =>
      Object.values(masks).flatMap(({ showRows }) => showRows ? columnsAsked(showRows) : [])
    ),
    // Includes rules of other tables whose relations lead here, and rules whose relations start here.
    ...followedIn(model).flatMap(({ from, asked: { relation, of } }) => [
      ...(relation.table === table.name ? [relation.related, ...columnsAsked(of)] : []),
      ...(from === table.name ? [relation.own] : []),
    ]),
    ...resources.flatMap(({ transitions: moves }) => Object.keys(moves)),
    ...transitions.flatMap(({ field, guard }) => [field, ...guard.map(({ column }) => column)]),
  ]);
}

/** Returns columns over which totals of other tables are computed, and the columns from which these are computed. */
export function rolledUpColumns(
  { name, columns }: TableModel,
  { tables }: ProjectModel,
): ReadonlySet<string> {
  const asked = tables.flatMap((table) => table.columns).flatMap(({ rollup }) =>
    rollup?.table !== name ? [] : [
      rollup.foreignKey,
      ...(rollup.column === null ? [] : [rollup.column]),
      ...rollup.where.map(({ column }) => column),
    ]
  );
  const sources = columns.filter((column) => column.computed && asked.includes(column.name))
    .flatMap(({ computed }) => computed ? columnsIn(computed) : []);
  return new Set([...asked, ...sources]);
}

/**
 * True when the caller may write a column that decides whether the mask is lifted: a column of the record, or of a record to
 * which it leads.
 */
function mayLift(
  rule: RowPredicate,
  table: TableModel,
  model: ProjectModel,
  caller: Principal,
): boolean {
  const asked = [
    { table: table.name, columns: columnsAsked(rule), isMade: false },
    ...relationsIn(rule).map(({ relation, of }) => ({
      table: relation.table,
      columns: [relation.related, ...columnsAsked(of)],
      // A new child adds a related row; a new parent is not the parent of any existing row.
      isMade: relation.direction === "children",
    })),
  ];
  return asked.some((one) =>
    model.resources.some(({ table: name, create, update, upsert, guards }) => {
      if (name !== one.table) return false;
      return [
        { write: update, writable: guards?.updatable },
        { write: upsert, writable: guards?.createable },
        { write: one.isMade ? create : null, writable: guards?.createable },
      ].some(({ write, writable }) =>
        write !== null && mayAdmit(write.access, caller) &&
        (writable === undefined || one.columns.some((column) => writable.includes(column)))
      );
    })
  );
}

export type TwinValues = readonly [one: JsonValue, other: JsonValue];

/**
 * Returns two values that look the same under the column's mask, and differ in everything else: they ascend in one database and
 * descend in the other. Null: no two values have the same masked form.
 */
export function twinValues(
  { column, table, mask }: HiddenColumn,
  number: number,
): TwinValues | null {
  const values = valuesOf(column, table);
  const twins = maskRecord(mask.type).twins(number);
  if (twins === null) return values.twins(number);
  return twins.every((text) => values.mismatch(text) === null) ? twins : null;
}
