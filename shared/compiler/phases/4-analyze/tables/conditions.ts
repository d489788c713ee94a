/**
 * Reads `record: { field: { operator: value } }`, and the same through relations (definitions 4.2,
 * docs/decisions/relations.md).
 */
import { rulesOf } from "../../../../column_types/mod.ts";
import { CONDITION_OPERATORS, type ConditionOperator } from "../../../../contract/mod.ts";
import type { Condition, RowPredicate } from "../../../../model/mod.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { requireColumn } from "./analysis.ts";
import { formFor, OPERATOR_FORMS, RECORD_FORMS } from "../read/other_words.ts";
import { asRule, type At, below, invalidValue, itemAt, wrongType } from "../read/reader.ts";
import type { TableDraft } from "./draft.ts";
import { readListOperand, readOperand } from "./operands.ts";
import { contextKeysOf, joined } from "./predicate_tree.ts";
import {
  namesRelation,
  type RelatedTable,
  type RelationGraph,
  requireRelation,
  rowRelation,
} from "./relation_graph.ts";

const LIST_OPERATORS: readonly ConditionOperator[] = ["in", "notIn"];
const EQUALITY: readonly ConditionOperator[] = ["equals", "notEquals"];

/**
 * Returns every condition of the object, joined by AND; none of them follows a relation. `undefined` if one is wrong, which is
 * reported.
 */
export function readConditions(
  value: Value,
  table: TableDraft,
  position: At,
): readonly Condition[] | undefined {
  const at = asRule(position, "record");
  if (value.kind !== "object") return wrongType(value, "an object of conditions", at);
  if (value.entries.length === 0) return invalidValue(value, "at least one condition", at);
  const conditions = value.entries.map((entry) => {
    const form = table.columns.has(entry.key) ? null : formFor(entry.key, RECORD_FORMS);
    if (form === null) return readColumnConditions(entry, table, at);
    const details = { operator: entry.key, nearest: null, known: [], form };
    at.report.add("OPERATOR_UNKNOWN", entry.keyPlace, details);
    return undefined;
  });
  const known = conditions.filter((list) => list !== undefined);
  return known.length === conditions.length ? known.flat() : undefined;
}

/** Row that conditions are about. */
interface Level {
  readonly from: RelatedTable;
  readonly graph: RelationGraph;
  /** True in `where`, which writes values of the caller `"$ctx.userId"` and never `"ctx.userId"`. */
  readonly isWhere: boolean;
}

/** Reads `record`, the conditions on a row. Conditions without relations keep their plain form. */
export function readRecord(
  value: Value,
  scope: { readonly table: TableDraft; readonly graph: RelationGraph },
  position: At,
): RowPredicate | undefined {
  const { table, graph } = scope;
  const from = graph.tables.get(table.name) ?? { table, relations: new Map() };
  return unitOf(readAll(value, { from, graph, isWhere: false }, asRule(position, "record")));
}

/** Reads `where`, `some` and `none` of a firewall's relation: the conditions on the related row. */
export function readWhere(
  value: Value,
  scope: Omit<Level, "isWhere">,
  position: At,
): RowPredicate | undefined {
  return readAll(value, { ...scope, isWhere: true }, asRule(position, "record"));
}

/**
 * Wraps a predicate, so that a value that the caller lacks makes it false as a whole, under `not`, `none` and `notEquals` too.
 */
export function unitOf(predicate: RowPredicate | undefined): RowPredicate | undefined {
  if (predicate === undefined || predicate.kind === "conditions") return predicate;
  const keys = contextKeysOf(predicate);
  return keys.length === 0 ? predicate : { kind: "context", keys, of: predicate };
}

function readAll(value: Value, level: Level, at: At): RowPredicate | undefined {
  if (value.kind !== "object") return wrongType(value, "an object of conditions", at);
  if (value.entries.length === 0) return invalidValue(value, "at least one condition", at);
  const parts = value.entries.map((entry) => readEntry(entry, level, at));
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? joined("all", known) : undefined;
}

function readEntry(entry: ObjectEntry, level: Level, at: At): RowPredicate | undefined {
  const { from, graph, isWhere } = level;
  const { key, value, keyPlace } = entry;
  const place = below(at, key);
  if (!from.table.columns.has(key)) {
    const inner = { ...level, isWhere: true };
    if (key === "or" || key === "and") return readJunction(key, value, inner, place);
    if (key === "not") {
      const of = readAll(value, inner, place);
      return of && { kind: "not", of };
    }
  }
  if (isRelated(entry, level)) {
    const word = { text: key, place: keyPlace };
    const asked = { graph, report: at.report, takesTables: true };
    const relation = requireRelation(word, from, asked);
    if (!relation) return undefined;
    const target = { ...level, from: relation.target, isWhere: true };
    const read = relation.direction === "parent"
      ? { quantifier: "some" as const, of: readAll(value, target, place) }
      : readQuantified(value, target, place);
    if (!read?.of) return undefined;
    const { quantifier, of } = read;
    return { kind: "related", relation: rowRelation(relation, of, graph), quantifier, of };
  }
  const conditions = readColumnConditions(entry, from.table, at, isWhere);
  return conditions && { kind: "conditions", conditions };
}

/** True when a key's own name refers to the related row. With operators as its value it refers to the column. */
function isRelated({ key, value }: ObjectEntry, { from, graph }: Level): boolean {
  const isOperated = value.kind !== "object" ||
    value.entries.every((member) => CONDITION_OPERATORS.some((name) => name === member.key));
  if (from.table.columns.has(key)) return !isOperated && from.relations.has(key);
  return namesRelation(key, from, graph) || (!isOperated && formFor(key, RECORD_FORMS) === null);
}

function readJunction(
  key: "or" | "and",
  value: Value,
  level: Level,
  at: At,
): RowPredicate | undefined {
  if (value.kind !== "array" || value.items.length === 0) {
    return wrongType(value, "a list with at least one object of conditions", at);
  }
  const parts = value.items.map((item, index) => readAll(item, level, itemAt(at, index)));
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? joined(key === "or" ? "any" : "all", known) : undefined;
}

/** Reads `{ some: { … } }` or `{ none: { … } }`. */
function readQuantified(value: Value, level: Level, at: At) {
  const [only, ...others] = value.kind === "object" ? value.entries : [];
  const quantifier = only?.key;
  if (!only || others.length > 0 || (quantifier !== "some" && quantifier !== "none")) {
    return wrongType(value, "{ some: { … } } or { none: { … } }", at);
  }
  return { quantifier, of: readAll(only.value, level, below(at, quantifier)) } as const;
}

function readColumnConditions(
  entry: ObjectEntry,
  table: TableDraft,
  at: At,
  isWhere = false,
): readonly Condition[] | undefined {
  const word = { text: entry.key, place: entry.keyPlace };
  const column = requireColumn(word, table, at.report);
  if (!column?.type) return undefined;
  if (rulesOf(column.type).isStructured) {
    at.report.add("COLUMN_NOT_COMPARABLE", entry.keyPlace, { column: column.name });
    return undefined;
  }
  const place = below(at, entry.key);
  // A bare literal is short for `equals`.
  if (entry.value.kind !== "object") {
    if (isWhere && isOldContext(entry.value, place)) return undefined;
    const operand = readOperand(entry.value, column, place);
    return operand && [{ column: column.name, operator: "equals", operand }];
  }
  const { entries } = entry.value;
  if (entries.length === 0) return invalidValue(entry.value, "at least one operator", place);
  const conditions = entries.map((member) => {
    const operator = CONDITION_OPERATORS.find((name) => name === member.key);
    if (!operator) {
      place.report.add("OPERATOR_UNKNOWN", member.keyPlace, {
        operator: member.key,
        nearest: nearest(member.key, CONDITION_OPERATORS),
        known: CONDITION_OPERATORS,
        form: formFor(member.key, OPERATOR_FORMS),
      });
      return undefined;
    }
    if (!EQUALITY.includes(operator) && !LIST_OPERATORS.includes(operator)) {
      if ((column.type && !rulesOf(column.type).isOrdered) || member.value.kind === "null") {
        place.report.add("OPERATOR_MISPLACED", member.keyPlace, { operator, column: column.name });
        return undefined;
      }
    }
    if (isWhere && isOldContext(member.value, below(place, member.key))) return undefined;
    const reader = LIST_OPERATORS.includes(operator) ? readListOperand : readOperand;
    const operand = reader(member.value, column, below(place, member.key));
    return operand && { column: column.name, operator, operand };
  });
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length === conditions.length ? known : undefined;
}

/** Reports `"ctx.userId"`, which only a firewall may write. A condition would compare it as plain text. */
function isOldContext(value: Value, { path, report }: At): boolean {
  if (value.kind !== "string" || !value.value.startsWith("ctx.")) return false;
  report.add("CONTEXT_SPELLING", value.place, { path, value: value.value });
  return true;
}
