/** `record: { field: { operator: value } }` (definitions 4.2). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { CONDITION_OPERATORS, type ConditionOperator } from "../../../../contract/mod.ts";
import type { Condition } from "../../../../model/mod.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { requireColumn } from "../tables/analysis.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { formFor, OPERATOR_FORMS, RECORD_FORMS } from "../read/other_words.ts";
import { asRule, type At, below, invalidValue, wrongType } from "../read/reader.ts";
import type { TableDraft } from "../tables/draft.ts";
import { readListOperand, readOperand } from "../tables/operands.ts";

const LIST_OPERATORS: readonly ConditionOperator[] = ["in", "notIn"];
const EQUALITY: readonly ConditionOperator[] = ["equals", "notEquals"];

/** Every condition of the object, AND-ed; `undefined` when one of them is wrong and reported. */
export function readConditions(
  value: Value,
  table: TableDraft,
  position: At,
): readonly Condition[] | undefined {
  const at = asRule(position, "record");
  if (value.kind !== "object") return wrongType(value, "an object of conditions", at);
  if (value.entries.length === 0) return invalidValue(value, "at least one condition", at);
  const conditions = value.entries.map((entry) => readColumnConditions(entry, table, at));
  const known = conditions.filter((list) => list !== undefined);
  return known.length === conditions.length ? known.flat() : undefined;
}

function readColumnConditions(
  entry: ObjectEntry,
  table: TableDraft,
  at: At,
): readonly Condition[] | undefined {
  const form = table.columns.has(entry.key) ? null : formFor(entry.key, RECORD_FORMS);
  if (form !== null) {
    const details = { operator: entry.key, nearest: null, known: [], form };
    at.report.add("OPERATOR_UNKNOWN", entry.keyPlace, details);
    return undefined;
  }
  const word = { text: entry.key, place: entry.keyPlace };
  const column = requireColumn(word, table, at.report);
  if (!column?.type) return undefined;
  if (rulesOf(column.type).isStructured) {
    at.report.add("COLUMN_NOT_COMPARABLE", entry.keyPlace, { column: column.name });
    return undefined;
  }
  const place = below(at, entry.key);
  // A bare literal is `equals`.
  if (entry.value.kind !== "object") {
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
    const reader = LIST_OPERATORS.includes(operator) ? readListOperand : readOperand;
    const operand = reader(member.value, column, below(place, member.key));
    return operand && { column: column.name, operator, operand };
  });
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length === conditions.length ? known : undefined;
}
