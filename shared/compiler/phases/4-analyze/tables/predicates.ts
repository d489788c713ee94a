/** `firewall: [{ field, equals | in | isNull, roles?, exceptRoles? }]` (definitions 4.1). */
import { rulesOf } from "../../../../column_types/mod.ts";
import type { FirewallPredicate, Operand, PredicateKind } from "../../../../model/access.ts";
import { PREDICATE } from "../../../../definition_language/rules.ts";
import type { Value } from "../../values.ts";
import { requireColumn } from "./analysis.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import type { At } from "../read/reader.ts";
import { readListOperand, readOperand } from "./operands.ts";
import { type Hierarchy, readRoles } from "../read/roles.ts";
import type { ColumnDraft, TableDraft } from "./draft.ts";
import type { FirewallSource } from "./scope_predicates.ts";

/** A rule's own table and the roles that it may name. */
export interface RuleScope {
  readonly table: TableDraft;
  readonly hierarchy: Hierarchy;
}

type PredicateFields = Fields<(typeof PREDICATE)["members"]>;

const COMPARISONS = ["equals", "in", "isNull"] as const;

export function readPredicates(
  value: Value & { readonly kind: "array" },
  scope: RuleScope,
  at: At,
): FirewallSource {
  const predicates = value.items.map((item, index) =>
    readPredicate(item, scope, { path: `${at.path}[${index}]`, report: at.report })
  );
  const known = predicates.filter((predicate) => predicate !== undefined);
  return {
    predicates: known,
    // A predicate for some callers only compares: whose row it is, the guards decide.
    stamping: known.filter(({ operator, roles, exceptRoles }) =>
      operator === "equals" && roles.length === 0 && exceptRoles.length === 0
    ),
    exception: null,
    isComplete: known.length === predicates.length,
  };
}

function readPredicate(value: Value, scope: RuleScope, at: At): FirewallPredicate | undefined {
  const fields = readFields(value, PREDICATE, at);
  if (!fields) return undefined;
  const word = read(fields, "field");
  const column = word && requireColumn(word, scope.table, at.report);
  const roles = readBoundRoles(fields, "roles", scope);
  const exceptRoles = readBoundRoles(fields, "exceptRoles", scope);
  const comparison = comparisonOf(fields);
  if (!comparison || !column?.type || !roles || !exceptRoles) return undefined;
  if (rulesOf(column.type).isStructured) {
    at.report.add("COLUMN_NOT_COMPARABLE", word?.place ?? fields.place, { column: column.name });
    return undefined;
  }
  const operand = readComparison(fields, comparison, column);
  if (!operand) return undefined;
  return {
    kind: kindOf(operand, column),
    column: column.name,
    operator: comparison === "in" ? "in" : "equals",
    operand,
    roles,
    exceptRoles,
  };
}

/** Exactly one of the comparisons. */
function comparisonOf(fields: PredicateFields): typeof COMPARISONS[number] | undefined {
  const present = COMPARISONS.filter((key) => fields.entries.has(key));
  if (present.length !== 1) {
    // An unknown key in its place was reported already.
    if (fields.unknown.length === 0) {
      fields.at.report.add("PREDICATE_COMPARISON", fields.place, { path: fields.at.path });
    }
    return undefined;
  }
  return present[0];
}

function readComparison(
  fields: PredicateFields,
  comparison: typeof COMPARISONS[number],
  column: ColumnDraft,
): Operand | undefined {
  switch (comparison) {
    case "equals":
      return readField(fields, "equals", (value, at) => readOperand(value, column, at));
    case "in":
      return readField(fields, "in", (value, at) => readListOperand(value, column, at));
    case "isNull":
      return read(fields, "isNull") && { kind: "literal", value: null };
  }
}

/** Roles of one predicate; a role that everybody holds would switch it off, or mean nothing. */
function readBoundRoles(
  fields: PredicateFields,
  key: "roles" | "exceptRoles",
  { hierarchy }: RuleScope,
): readonly string[] | undefined {
  if (!fields.entries.has(key)) return [];
  const roles = readField(fields, key, (value, at) => readRoles(value, hierarchy, at));
  const entry = fields.entries.get(key);
  if (entry && roles?.includes("PUBLIC")) {
    fields.at.report.add("PREDICATE_PUBLIC", entry.value.place, { key });
    return undefined;
  }
  return roles;
}

function kindOf(operand: Operand, column: ColumnDraft): PredicateKind {
  if (operand.kind === "literal" && operand.value === null) {
    return column.name === "deletedAt" ? "notDeleted" : "custom";
  }
  if (operand.kind !== "context") return "custom";
  switch (operand.key) {
    case "activeOrgId":
      return "organization";
    case "activeTeamId":
      return "team";
    case "userId":
      return "owner";
  }
}
