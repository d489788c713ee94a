/**
 * Masks a handler's result for the caller, at every depth (contract 4.4 rule 1, definitions 7 "smaller answers"). A result is
 * not a row of a known table, so both its names and its values are judged (docs/decisions/actions.md).
 */
import { valuesOf } from "../../../column_types/mod.ts";
import { REDACTED } from "../../../contract/mod.ts";
import type { MaskType, Principal, ProjectModel, ResourceModel } from "../../../model/mod.ts";
import type { TableModel } from "../../../model/mod.ts";
import { type MaskSource, sightOf } from "../../../surface/mod.ts";
import type { ReadOrigin, ReadOrigins } from "../../data/scoped_db/read_origins.ts";
import type { StoredRow } from "../../data/types.ts";
import { maskValue } from "../../layers/7-masking/mask_value.ts";

/** A record that the handler was given. */
export interface GivenRow {
  readonly table: TableModel;
  readonly row: StoredRow;
}

interface ResultViewer {
  readonly sources: readonly MaskSource[];
  readonly principal: Principal;
  readonly given: readonly GivenRow[];
  /** The caller's input. */
  readonly input: unknown;
}

interface Masking {
  readonly principal: Principal;
  readonly sources: readonly MaskSource[];
  /** Maps plain texts of the given records that the caller may not see to their masked forms. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Masks a result. `value` is plain JSON. */
export function maskedResult(value: unknown, viewer: ResultViewer): unknown {
  const { principal, sources } = viewer;
  if (sources.length === 0) return value;
  return maskedValue(value, { principal, sources, texts: textsOf(viewer) });
}

function maskedValue(value: unknown, masking: Masking): unknown {
  if (typeof value === "string") return masking.texts.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, masking));
  const members = new Map(Object.entries(value));
  // Resources of which the object could be a row or a part of one; all resources if it fits none.
  const fitting = masking.sources.filter(({ columns }) =>
    [...members.keys()].every((name) => columns.has(name))
  );
  const sources = fitting.length > 0 ? fitting : masking.sources;
  return Object.fromEntries(
    [...members].map(([name, value]) => {
      const type = maskOf(name, members, { ...masking, sources });
      if (type === null) return [name, maskedValue(value, masking)];
      return [name, value === null ? null : maskValue(type, textOf(value))];
    }),
  );
}

/** Returns the mask of the first resource that hides the member from this caller; null: none does. */
function maskOf(
  name: string,
  members: ReadonlyMap<string, unknown>,
  { principal, sources }: Pick<Masking, "principal" | "sources">,
): MaskType | null {
  for (const { resource, table, columns } of sources) {
    const column = columns.get(name);
    if (column === undefined) continue;
    const sight = sightOf(resource, column, principal);
    if (sight.kind === "plain") continue;
    if (sight.kind === "ownerOnly" && isOwner(table, principal, (key) => members.get(key))) {
      continue;
    }
    return sight.type;
  }
  return null;
}

function isOwner(
  { ownerColumn, columns }: TableModel,
  { userId }: Principal,
  valueOf: (name: string) => unknown,
): boolean {
  const sqlName = columns.find(({ name }) => name === ownerColumn)?.sqlName ?? ownerColumn;
  return userId !== null && (valueOf(ownerColumn) ?? valueOf(sqlName)) === userId;
}

/**
 * Collects the texts to mask by value. A value that a handler copies out of the record or a ref (`{ contact: record.email }`)
 * has neither the column's name nor a query's origin, so only its value identifies it. It is masked only where the mask answers
 * no guess: not if the caller sent the value or sees it in the same record, and not if it comes from a closed set, since
 * anything may equal such a value.
 */
function textsOf(viewer: ResultViewer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const known = new Set(textsIn(viewer.input));
  for (const { table, row } of viewer.given) {
    const resource = viewer.sources.find((one) => one.table.name === table.name)?.resource ?? null;
    for (const column of table.columns) {
      const value = row.get(column.name);
      if (typeof value !== "string" || value === "") continue;
      const type = hiddenAs(column.name, { resource, table, row, principal: viewer.principal });
      if (type === null) known.add(value);
      else if (!(column.references !== null || valuesOf({ type: column.type }).enum !== null)) {
        texts.set(value, maskValue(type, value));
      }
    }
  }
  return new Map([...texts].filter(([text]) => !known.has(text)));
}

/** Returns the mask of the column for the caller; null: the caller sees it plain. */
function hiddenAs(
  column: string,
  { resource, table, row, principal }: GivenRow & {
    readonly resource: ResourceModel | null;
    readonly principal: Principal;
  },
): MaskType | null {
  const sight = resource === null ? null : sightOf(resource, column, principal);
  if (sight === null || sight.kind === "plain") return null;
  const isOwn = sight.kind === "ownerOnly" &&
    isOwner(table, principal, (key) => row.get(key));
  return isOwn ? null : sight.type;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Function that `JSON.stringify` calls as its replacer: `this` is the object that contains the member. */
export type Hide = (this: unknown, member: string, value: unknown) => unknown;

export interface Viewer {
  readonly project: ProjectModel;
  readonly principal: Principal;
}

/**
 * Masks values that a handler's queries selected from masked columns under other names, while the result becomes JSON (contract
 * 4.4 rule 1, docs/decisions/actions.md). It judges the origin of a value and never the value, so that it answers no guess. The
 * row's owner is unknown here, so a column that only owners see is masked for every caller.
 */
export function hidingRenamed(origins: ReadOrigins, viewer: Viewer): Hide {
  return function (member, value) {
    if (value === undefined) return value;
    const known = origins.of(this, member);
    if (known.some((one) => one.isRaw && maskOfOrigin(one, viewer) !== null)) return REDACTED;
    if (value === null) return value;
    for (const origin of known) {
      const type = maskOfOrigin(origin, viewer);
      // A computed number may be a count of rows, which shows no value.
      const isShowing = !origin.isComputed || typeof value === "string";
      if (type !== null && isShowing) return maskValue(type, textOf(value));
    }
    return value;
  };
}

function maskOfOrigin(
  { table, column }: ReadOrigin,
  { project, principal }: Viewer,
): MaskType | null {
  const resource = project.resources.find((one) => one.table === table.name);
  const sight = resource ? sightOf(resource, column, principal) : null;
  return sight === null || sight.kind === "plain" ? null : sight.type;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
