/** Reads `masking`, and the rules that well-known names get automatically (definitions 4.4). */
import { rulesOf, scopeOf, vectorOf } from "../../../../column_types/mod.ts";
import { MASK } from "../../../../definition_language/rules.ts";
import { maskRecord, sensitiveMask } from "../../../../contract/mod.ts";
import { columnsIn, type MaskRule, type RowPredicate } from "../../../../model/mod.ts";
import { Report } from "../../../diagnostics/report.ts";
import type { ObjectEntry } from "../../values.ts";
import { type Analysis, requireColumn } from "../tables/analysis.ts";
import { asRule, type At, below, read, readField, readFields, wrongType } from "../read/mod.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import { readRecord } from "../tables/conditions.ts";
import { conditionsOf, joined, sizeOf } from "../tables/predicate_tree.ts";
import type { RelationGraph } from "../tables/relation_graph.ts";
import { type Relations, relationsOf } from "../tables/relations.ts";
import { requireSize } from "../tables/settled_firewall.ts";
import { readRoles } from "../read/roles.ts";

interface MaskingScope {
  readonly table: TableDraft;
  readonly relations: Relations;
  readonly graph: RelationGraph;
  readonly analysis: Analysis;
}

/** Roles that see the plain value of a column with an automatic mask. */
const AUTOMATIC_ROLES = ["admin", "owner"];

/** Returns the mask rules by column, in table order. */
export function readMasking(scope: MaskingScope): Record<string, MaskRule> {
  const { table, analysis } = scope;
  const entry = table.options?.entries.get("masking");
  const at = asRule({ path: `${table.name}.masking`, report: analysis.report }, "masking");
  if (entry && entry.value.kind !== "object") wrongType(entry.value, "an object", at);
  const entries = entry?.value.kind === "object" ? entry.value.entries : [];
  const rules = new Map(
    entries.map((member) => [member.key, readRule(member, scope, below(at, member.key))] as const),
  );
  const ruleOf = (column: ColumnDraft): MaskRule | null => {
    // A wrong rule still counts as a rule, so no automatic one is added.
    const own = rules.has(column.name) ? rules.get(column.name) : automaticRule(column, scope);
    return derivedRule(column, own ?? null, {
      own: (name) => {
        const source = table.columns.get(name);
        return source ? ruleOf(source) : null;
      },
      child: (name) => childMasks(name, scope),
    });
  };
  const masked = [...table.columns.values()].flatMap((column): [string, MaskRule][] => {
    const rule = ruleOf(column);
    return rule ? [[column.name, rule]] : [];
  });
  return Object.fromEntries(masked);
}

/** Returns the masks of a table whose rows are counted. Mistakes in them are reported with their own resource. */
function childMasks(
  name: string,
  { analysis, graph }: MaskingScope,
): Readonly<Record<string, MaskRule>> {
  const table = analysis.tables.find((one) => one.name === name);
  if (!table) return {};
  const quiet = { ...analysis, report: new Report() };
  return readMasking({ table, relations: relationsOf(table, quiet), graph, analysis: quiet });
}

/**
 * Returns the mask of a computed column. A caller who sees its plain value must see the plain values of all of its sources
 * (definitions 4.4).
 */
function derivedRule(
  { computed, rollup }: ColumnDraft,
  own: MaskRule | null,
  masks: {
    readonly own: (column: string) => MaskRule | null;
    readonly child: (table: string) => Readonly<Record<string, MaskRule>>;
  },
): MaskRule | null {
  const ofChild = rollup ? masks.child(rollup.table) : {};
  const sources = [
    ...(computed ? columnsIn(computed).map(masks.own) : []),
    // The rows that are counted have no common owner.
    ...[rollup?.column, ...rollup?.where.map(({ column }) => column) ?? []].map((name) => {
      const rule = name ? ofChild[name] : undefined;
      if (!rule) return null;
      const { showRows: _rows, ...ofRoles } = rule;
      return { ...ofRoles, showOwner: false };
    }),
  ].filter((rule) => rule !== null);
  const [first] = sources;
  if (first === undefined) return own;
  // If several rules apply, the exceptions that only one of them makes are dropped.
  if (own === null && sources.length === 1) return { ...first, type: "redact", automatic: false };
  const all = own === null ? sources : [own, ...sources];
  const shared = (roles: (rule: MaskRule) => readonly string[]) =>
    roles(first).filter((role) => all.every((rule) => roles(rule).includes(role)));
  return {
    type: "redact",
    showRoles: shared(({ showRoles }) => showRoles),
    showOwner: all.every(({ showOwner }) => showOwner),
    queryRoles: shared(({ queryRoles }) => queryRoles),
    automatic: false,
  };
}

function readRule(entry: ObjectEntry, scope: MaskingScope, at: At): MaskRule | null {
  const word = { text: entry.key, place: entry.keyPlace };
  const column = requireColumn(word, scope.table, at.report);
  const fields = readFields(entry.value, MASK, at);
  const type = fields && read(fields, "type");
  if (!fields || !type) return null;
  // Text accepts every mask; another type that a client writes can only be hidden whole.
  if (
    column?.type && !rulesOf(column.type).isText &&
    (maskRecord(type).hides === null ||
      (!["client", "computed"].includes(column.manager) && vectorOf(column.type) === null))
  ) {
    const details = { column: column.name, type: column.type.kind, mask: type };
    at.report.add("MASK_MISPLACED", entry.keyPlace, details);
  }
  const { hierarchy } = scope.analysis.config;
  const show = read(fields, "show");
  const query = read(fields, "query");
  const roles = (value: ObjectEntry["value"], place: At) => readRoles(value, hierarchy, place);
  const showing = [show, ...(read(show, "anyOf") ?? [])].map((one) => ({
    roles: readField(one, "roles", roles) ?? [],
    isBound: one.entries.has("roles"),
    record: readField(one, "record", (value, place) => readShown(value, scope, place)),
    isRuled: one.entries.has("record"),
  }));
  const showRoles = showing.flatMap(({ roles, isRuled }) => isRuled ? [] : roles);
  const rows = showing.flatMap(({ roles, isBound, record }): RowPredicate[] => {
    if (!record) return [];
    return isBound
      ? [{ kind: "all", of: [{ kind: "holders", roles, exceptRoles: [] }, record] }]
      : [record];
  });
  const showOwner = read(show, "or") === "owner";
  if (rows.length > 0 && showOwner) rows.push(ownRow(scope.table));
  const queryRoles = readField(query, "roles", roles);
  return {
    type,
    showRoles,
    showOwner,
    ...(rows.length === 0 ? {} : { showRows: joined("any", rows) }),
    // A caller who sees it on some rows only would learn other values by filtering.
    queryRoles: queryRoles ?? (rows.length === 0 ? showRoles : []),
    automatic: false,
  };
}

/** Returns a predicate for the caller's own row, which is one of several conditions that admit a caller. */
function ownRow(table: TableDraft): RowPredicate {
  const owner = [...table.columns.values()].find(({ type }) => scopeOf(type) === "owner");
  return conditionsOf({
    column: owner?.name ?? "createdBy",
    operator: "equals",
    operand: { kind: "context", key: "userId" },
  });
}

/** Reads `show.record`: the rows on which the column is plain. */
function readShown(
  value: ObjectEntry["value"],
  scope: MaskingScope,
  at: At,
): RowPredicate | undefined {
  const predicate = readRecord(value, scope, at);
  if (!predicate) return undefined;
  const rule = { table: scope.table.name, place: value.place, report: at.report };
  return requireSize(sizeOf(predicate), rule) ? predicate : undefined;
}

function automaticRule(column: ColumnDraft, scope: MaskingScope): MaskRule | null {
  const known = sensitiveMask(column.name);
  if (known === null || !column.type || column.manager !== "client") return null;
  if (scope.relations.has(column.name) || !rulesOf(column.type).isSensitive) return null;
  const { report } = scope.analysis;
  const { name, place } = column;
  const type = rulesOf(column.type).isText ? known : "redact";
  report.add("MASK_AUTOMATIC", place, { column: name, mask: type });
  return {
    type,
    showRoles: AUTOMATIC_ROLES,
    showOwner: true,
    queryRoles: AUTOMATIC_ROLES,
    automatic: true,
  };
}
