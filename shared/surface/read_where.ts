/**
 * Reads a `where` (contract 4.3, definitions 4.2). Every name is known, every value fits its column, and no column is masked
 * for the caller, or the whole request is refused.
 */
import { type FilterOperator, rulesOf, storageOf, valuesOf } from "../column_types/mod.ts";
import { CONDITION_OPERATORS, type ConditionOperator, type Scalar } from "../contract/mod.ts";
import * as limits from "../contract/limits.ts";
import {
  isJsonObject,
  jsonFaultOf,
  markedJson,
  parsedJson,
  pointerTo,
  repeatedKeyIn,
} from "../lib/json.ts";
import { nearest } from "../lib/nearest.ts";
import type { ColumnModel, Condition, Principal, TableModel } from "../model/mod.ts";
import { admissionOf } from "./admission.ts";
import { readRuleOf } from "./grants.ts";
import { mayQueryBy } from "./column_sight.ts";
import { isOtherSpelling } from "./ids.ts";
import type { Relation } from "./relations.ts";
import type { Where, WhereScope } from "./where.ts";

/** The fault of a `where`, worded to follow "Parameter "where"". */
export interface WhereFault {
  readonly kind: "fault";
  readonly message: string;
}

/** The URL operator that a column must allow for each operator of a condition (definitions 3, `.filterable`). */
const FILTERS: Readonly<Record<ConditionOperator, FilterOperator>> = {
  equals: "eq",
  notEquals: "ne",
  in: "in",
  notIn: "nin",
  lessThan: "lt",
  greaterThan: "gt",
  lessThanOrEqual: "lte",
  greaterThanOrEqual: "gte",
};

const JUNCTIONS: readonly string[] = ["or", "and", "not"];

/** A place in the conditions. */
interface Level {
  readonly scope: WhereScope;
  readonly path: readonly string[];
  readonly depth: number;
  readonly reading: Reading;
  /**
   * False below a resource that refuses the caller. The response then shows this refusal and nothing of the resource's masks.
   */
  readonly isAdmitted: boolean;
}

interface Reading {
  readonly principal: Principal;
  comparisons: number;
  relations: number;
  values: number;
}

/** Accepts any name, because each value is checked against its column's type under any name. */
const anyName = () => ({ has: () => true });

/** Signals a wrong condition at any depth, which ends the reading. */
class Fault extends Error {
  constructor(readonly fault: WhereFault) {
    super();
  }
}

export function readWhere(
  text: string,
  scope: WhereScope,
  principal: Principal,
): Where | WhereFault {
  try {
    const level: Level = {
      scope,
      path: [],
      depth: 0,
      reading: { principal, comparisons: 0, relations: 0, values: 0 },
      isAdmitted: true,
    };
    const value = parsedJson(text);
    if (!isJsonObject(value)) wrong("needs an object of conditions as JSON", []);
    const fault = jsonFaultOf(markedJson(text, anyName) ?? value);
    if (fault) wrong(fault.message.replace(/^M/, "m"), fault.path);
    const repeated = repeatedKeyIn(text);
    if (repeated !== null) {
      wrong(`names ${JSON.stringify(repeated.slice(0, 64))} twice in one object`, []);
    }
    return conditionsIn(value, level);
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

function wrong(message: string, path: readonly string[]): never {
  const place = path.length === 0 ? "" : ` at "${pointerTo(...path).slice(0, 200)}"`;
  throw new Fault({ kind: "fault", message: `${message}${place}` });
}

function below(level: Level, ...names: readonly string[]): Level {
  const depth = level.depth + 1;
  const path = [...level.path, ...names];
  if (depth > limits.WHERE_DEPTH_MAX) {
    wrong(`is nested deeper than ${limits.WHERE_DEPTH_MAX} levels`, path);
  }
  return { ...level, path, depth };
}

function conditionsIn(value: unknown, level: Level): Where {
  if (!isJsonObject(value)) return wrong("needs an object of conditions", level.path);
  const parts = Object.entries(value).map(([name, member]) => partOf(name, member, level));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: "all", of: parts };
}

function partOf(name: string, value: unknown, level: Level): Where {
  const { scope, path } = level;
  if (name === "not") return { kind: "not", of: conditionsIn(value, below(level, name)) };
  if (name === "or" || name === "and") {
    if (!Array.isArray(value) || value.length === 0) {
      return wrong("needs a list of conditions, not an empty one,", [...path, name]);
    }
    const of = value.map((one, at) => conditionsIn(one, below(level, name, String(at))));
    return { kind: name === "or" ? "any" : "all", of };
  }
  const relation = scope.relations.get(name);
  if (relation) return relatedTo(relation, value, level);
  const column = scope.columns.get(name);
  if (!column) {
    const known = [...scope.columns.keys(), ...scope.relations.keys(), ...JUNCTIONS];
    const found = nearest(name, known);
    return wrong(
      `names no field "${name.slice(0, 64)}"${found === null ? "" : `, perhaps "${found}",`}`,
      path,
    );
  }
  return comparisonsOf(column, value, level);
}

/** Reads conditions on a related row. They need the rights of the foreign key, because they reveal its values. */
function relatedTo(relation: Relation, value: unknown, level: Level): Where {
  const { scope, reading: { principal } } = level;
  const { name, direction, column, resource } = relation;
  const ruled = readRuleOf(resource);
  const isAdmitted = level.isAdmitted && ruled !== null &&
    admissionOf(ruled, principal).kind !== "refused";
  const inner = { ...below(level, name), scope: scope.scopeOf(relation), isAdmitted };
  const holder = direction === "parent" ? scope.resource : resource;
  if (isAdmitted && !mayQueryBy(column.name, holder, principal)) masked(column.name, inner.path);
  count(level.reading, 1, inner.path);
  level.reading.relations += 1;
  if (level.reading.relations > limits.WHERE_RELATIONS_MAX) {
    wrong(`asks more than ${limits.WHERE_RELATIONS_MAX} relations`, inner.path);
  }
  if (direction === "parent") {
    return { kind: "related", relation, quantifier: "some", of: conditionsIn(value, inner) };
  }
  const [quantifier, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  if (!isJsonObject(value) || others.length > 0 || quantifier !== "some" && quantifier !== "none") {
    return wrong('needs { "some": … } or { "none": … }', inner.path);
  }
  const of = conditionsIn(value[quantifier], below(inner, quantifier));
  return { kind: "related", relation, quantifier, of };
}

function masked(column: string, path: readonly string[]): never {
  return wrong(
    `asks by "${column}", which is masked for this caller and cannot be asked by,`,
    path,
  );
}

function count(reading: Reading, values: number, path: readonly string[]): void {
  reading.comparisons += 1;
  reading.values += values;
  if (reading.comparisons > limits.WHERE_COMPARISONS_MAX) {
    wrong(`holds more than ${limits.WHERE_COMPARISONS_MAX} comparisons`, path);
  }
  if (reading.values > limits.QUERY_VALUES_MAX) {
    wrong(`holds more than ${limits.QUERY_VALUES_MAX} values`, path);
  }
}

function comparisonsOf(column: ColumnModel, value: unknown, level: Level): Where {
  const { scope: { resource, table }, reading, isAdmitted } = level;
  const path = [...level.path, column.name];
  if (isAdmitted && !mayQueryBy(column.name, resource, reading.principal)) {
    masked(column.name, path);
  }
  if (rulesOf(column.type).isStructured) wrong("compares a field that holds no single value", path);
  const compared = { column, table };
  // A bare literal is short for `equals`.
  if (!isJsonObject(value)) {
    const condition = conditionOf({ ...compared, operator: "equals" }, value, path, reading);
    return { kind: "conditions", conditions: [condition] };
  }
  below(level, column.name);
  const members = Object.entries(value);
  if (members.length === 0) wrong("needs an operator", path);
  const conditions = members.map(([name, operand]) => {
    const operator = CONDITION_OPERATORS.find((one) => one === name);
    if (!operator) {
      const known = CONDITION_OPERATORS.join(", ");
      return wrong(`names no operator "${name.slice(0, 64)}"; there are ${known},`, path);
    }
    return conditionOf({ ...compared, operator }, operand, [...path, name], reading);
  });
  return { kind: "conditions", conditions };
}

interface Compared {
  readonly column: ColumnModel;
  readonly operator: ConditionOperator;
  readonly table: TableModel;
}

function conditionOf(
  compared: Compared,
  value: unknown,
  path: readonly string[],
  reading: Reading,
): Condition {
  const { column: { name, type, filters }, operator } = compared;
  if (filters?.includes(FILTERS[operator]) === false) {
    wrong(`compares by "${operator}", which the field does not take,`, path);
  }
  if (operator === "in" || operator === "notIn") {
    if (!Array.isArray(value)) return wrong("needs a list of values", path);
    count(reading, value.length, path);
    const values = value.map((one, at) => literalOf(one, compared, [...path, String(at)]));
    return { column: name, operator, operand: { kind: "literals", values } };
  }
  count(reading, 1, path);
  const isEquality = operator === "equals" || operator === "notEquals";
  if (!isEquality && (!rulesOf(type).isOrdered || value === null)) {
    wrong("compares by less or greater where there is no order", path);
  }
  const literal = literalOf(value, compared, path);
  return { column: name, operator, operand: { kind: "literal", value: literal } };
}

function literalOf(
  value: unknown,
  { column, table }: Pick<Compared, "column" | "table">,
  path: readonly string[],
): Scalar {
  if (value === null) return null;
  const type = valuesOf(column, table);
  const isScalar = typeof value === "string" || typeof value === "number" ||
    typeof value === "boolean";
  if (!isScalar || storageOf(column.type, table).operand(value) === undefined) {
    return wrong(`needs ${type.words}`, path);
  }
  if (typeof value !== "string") return value;
  if (value.includes("\0") || !value.isWellFormed()) {
    return wrong("needs well-formed text without NUL characters", path);
  }
  if (type.read(value) === undefined) return wrong(`needs ${type.words}`, path);
  const isKey = column.manager === "id" || column.references !== null;
  if (isKey && isOtherSpelling(value, table.idStrategy)) {
    return wrong("needs an id as the API spells it", path);
  }
  return value;
}
