/**
 * Translates rules over rows into terms, as the definitions define them for one caller (definitions 4.1,
 * docs/decisions/relations.md).
 */
import { storageOf } from "../column_types/mod.ts";
import type { Access, Condition, MaskRule, Principal, ProjectModel } from "../model/mod.ts";
import type { RowPredicate, Scalar, TableModel } from "../model/mod.ts";
import { bindingPredicates, isHeld, mayAdmit } from "./judge.ts";
import { accessPredicates, relationsAt } from "../surface/mod.ts";
import { ruledRoutesOf } from "./routes.ts";
import { all, any, atom, FALSE, not, type RelatedTerm, type Term, TRUE } from "./terms.ts";

export type StoredValue = string | number | bigint | Uint8Array | null;

/** A caller to whom a rule applies. */
export interface Holding {
  readonly caller: Principal;
  /** True if soft-deleted related rows count as present. */
  readonly withDeleted: boolean;
}

/** Table whose rows a predicate judges. */
type Asked = Pick<TableModel, "idStrategy" | "idPrefix"> & {
  readonly columns: readonly Pick<TableModel["columns"][number], "name" | "sqlName" | "type">[];
  /** Tenant of a related table. */
  readonly tenant?: { readonly related: string } | null;
};

interface Row {
  readonly table: Asked;
  /** Number of relations that lead to the row. */
  readonly depth: number;
}

export function ruleTerm(predicate: RowPredicate, table: TableModel, holding: Holding): Term {
  return termOf(predicate, { table, depth: 0 }, holding);
}

/** Returns all members of the table's firewall that bind the caller. */
export function firewallTerm(table: TableModel, holding: Holding): Term {
  const row = { table, depth: 0 };
  return all(
    bindingPredicates(table, holding.caller).map((one) =>
      one.kind === "rule" ? termOf(one.predicate, row, holding) : conditionTerm(one, row, holding)
    ),
  );
}

/** Returns an access rule on the rows of this table; null: the rule is about no row. */
export function accessTerm(access: Access, table: TableModel | null, holding: Holding): Term {
  const row = table && { table, depth: 0 };
  switch (access.kind) {
    case "nobody":
      return FALSE;
    case "roles":
      return access.roles.some((role) => isHeld(role, holding.caller)) ? TRUE : FALSE;
    case "userRole": {
      const { userRole } = holding.caller;
      return userRole !== null && access.roles.includes(userRole) ? TRUE : FALSE;
    }
    case "record":
      return row ? all(access.conditions.map((one) => conditionTerm(one, row, holding))) : FALSE;
    case "row":
      return row ? termOf(access.predicate, row, holding) : FALSE;
    case "all":
      return access.of.length === 0
        ? FALSE
        : all(access.of.map((part) => accessTerm(part, table, holding)));
    case "any":
      return any(access.of.map((part) => accessTerm(part, table, holding)));
    case "first": {
      const part = access.of.find((one) => mayAdmit(one, holding.caller));
      return part === undefined ? FALSE : accessTerm(part, table, holding);
    }
  }
}

/** Returns the rows on which the caller sees the plain value of a masked column. */
export function shownTerm(mask: MaskRule, table: TableModel, holding: Holding): Term {
  const { caller } = holding;
  const row = { table, depth: 0 };
  return any([
    ...(mask.showRoles.some((role) => isHeld(role, caller)) ? [TRUE] : []),
    ...(mask.showOwner && caller.userId !== null
      ? [comparisonTerm(sqlCell(table, table.ownerColumn, 0), "=", caller.userId)]
      : []),
    ...(mask.showRows ? [termOf(mask.showRows, row, holding)] : []),
  ]);
}

/** Returns the conditions of rules on related rows, from any row at which they begin. */
export function relatedTerms(
  predicates: RowPredicates,
  holding: Holding,
): readonly RelatedTerm[] {
  return [...predicates].flatMap(([table, own]) =>
    relationsAt(own).map((one) => relatedTerm(one, { table, depth: 0 }, holding))
  );
}

export type RowPredicates = ReadonlyMap<TableModel, readonly RowPredicate[]>;

/** Returns every predicate of the project by the table whose rows it is about. */
export function rowPredicates(model: ProjectModel): RowPredicates {
  const routes = ruledRoutesOf(model);
  return new Map(model.tables.map((table) => [table, [
    ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
    ...routes.filter((route) => route.table?.name === table.name)
      .flatMap(({ access }) => accessPredicates(access)),
    ...model.resources.filter((one) => one.table === table.name).flatMap(({ masks }) =>
      Object.values(masks).flatMap(({ showRows }) => showRows ? [showRows] : [])
    ),
  ]]));
}

function termOf(predicate: RowPredicate, row: Row, holding: Holding): Term {
  switch (predicate.kind) {
    case "conditions":
      return all(predicate.conditions.map((one) => conditionTerm(one, row, holding)));
    case "all":
      return all(predicate.of.map((part) => termOf(part, row, holding)));
    case "any":
      return any(predicate.of.map((part) => termOf(part, row, holding)));
    case "not":
      return not(termOf(predicate.of, row, holding));
    case "holders": {
      const { roles, exceptRoles } = predicate;
      const holds = (role: string) => isHeld(role, holding.caller);
      return !exceptRoles.some(holds) && (roles.length === 0 || roles.some(holds)) ? TRUE : FALSE;
    }
    case "context":
      return predicate.keys.some((key) => isLacking(contextOf(key, holding.caller)))
        ? FALSE
        : termOf(predicate.of, row, holding);
    case "related": {
      const some = relatedTerm(predicate, row, holding);
      return predicate.quantifier === "some" ? some : not(some);
    }
  }
}

/** Returns the term of a related row, which is live and has the same tenant. */
function relatedTerm(
  { relation, of }: Extract<RowPredicate, { readonly kind: "related" }>,
  { table, depth }: Row,
  holding: Holding,
): RelatedTerm {
  const inner = { table: relation, depth: depth + 1 };
  const { own, related, tenant, deletedAt } = relation;
  const asked = [
    keyTerm(sqlCell(relation, related, depth + 1), sqlCell(table, own, depth)),
    ...(tenant === null ? [] : [tenantTerm(sqlCell(relation, tenant.related, depth + 1))]),
    ...(deletedAt === null || holding.withDeleted
      ? []
      : [comparisonTerm(sqlCell(relation, deletedAt, depth + 1), "=", null)]),
    termOf(of, inner, holding),
  ];
  return {
    kind: "some",
    table: relation.sqlName.toLowerCase(),
    asked: all(asked),
    absent: [`${sqlCell(table, own, depth)} = null`],
  };
}

/** Names a column by the depth of its row: the row at which a rule begins has depth 0. */
export function cellName(sqlName: string, depth: number): string {
  return `${depth}.${sqlName.toLowerCase()}`;
}

function sqlCell({ columns }: Asked, name: string, depth: number): string {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) throw new Error(`A rule asks for "${name}", which its table has not`);
  return cellName(column.sqlName, depth);
}

/** Returns the term that the two rows share the value. */
export function keyTerm(related: string, own: string): Term {
  return atom(`key ${related} = ${own}`);
}

/** Returns the term that the related row has the tenant of the caller, or of its own row. */
export function tenantTerm(cell: string): Term {
  return atom(`tenant ${cell}`);
}

export type Operator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** Returns a comparison. `=` and `<>` treat NULL as a value. */
export function comparisonTerm(cell: string, operator: Operator, value: StoredValue): Term {
  if (value === null && operator !== "=" && operator !== "<>") return FALSE;
  const texts = [valueText(value)];
  const text = `${cell} ${operator} ${texts[0]}`;
  if (value === null || (operator !== "=" && operator !== "<>")) return atom(text);
  const isIn = operator === "=";
  return atom(text, { cell, texts, isIn, withNull: !isIn });
}

export function listTerm(cell: string, operator: "in" | "notIn", values: readonly StoredValue[]) {
  const texts = values.filter((value) => value !== null).map(valueText).sort();
  const isIn = operator === "in";
  return atom(`${cell} ${operator} ${texts.join(", ")}`, { cell, texts, isIn, withNull: false });
}

/** Returns a value as text, as SQLite compares it: a number has one form, whatever type JavaScript uses for it. */
function valueText(value: StoredValue): string {
  if (value instanceof Uint8Array) return `bytes ${value.toHex()}`;
  return JSON.stringify(typeof value === "bigint" ? Number(value) : value);
}

const ORDERS = {
  lessThan: "<",
  lessThanOrEqual: "<=",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
} as const;

function conditionTerm(
  { column: name, operator, operand }: Condition,
  { table, depth }: Row,
  { caller }: Holding,
): Term {
  const cell = sqlCell(table, name, depth);
  const wanted = operand.kind === "literal"
    ? operand.value
    : operand.kind === "literals"
    ? operand.values
    : contextOf(operand.key, caller);
  if (operand.kind === "context" && wanted === null) return FALSE;
  const values = (isList(wanted) ? wanted : [wanted])
    .map((value) => storedValue(value, name, table))
    .filter((value) => value !== undefined);
  const [value] = values;
  switch (operator) {
    case "equals":
    case "notEquals":
      if (value === undefined) return FALSE;
      return operator === "equals" && table.tenant?.related === name &&
          value === caller.organizationId
        ? tenantTerm(cell)
        : comparisonTerm(cell, operator === "equals" ? "=" : "<>", value);
    case "in":
      return any([
        ...(values.includes(null) ? [comparisonTerm(cell, "=", null)] : []),
        listTerm(cell, "in", values),
      ]);
    case "notIn":
      return values.includes(null)
        ? all([comparisonTerm(cell, "<>", null), listTerm(cell, "notIn", values)])
        : any([comparisonTerm(cell, "=", null), listTerm(cell, "notIn", values)]);
    default:
      return value === undefined ? FALSE : comparisonTerm(cell, ORDERS[operator], value);
  }
}

function storedValue(value: Scalar, name: string, table: Asked): StoredValue | undefined {
  const column = table.columns.find((one) => one.name === name);
  return value === null || !column ? null : storageOf(column.type, table).operand(value);
}

function contextOf(
  key: "userId" | "activeOrgId" | "activeTeamId" | "roles",
  caller: Principal,
): string | null | readonly string[] {
  return {
    userId: caller.userId,
    activeOrgId: caller.organizationId,
    activeTeamId: caller.teamId,
    roles: caller.roles,
  }[key];
}

function isLacking(value: ReturnType<typeof contextOf>): boolean {
  return value === null || (isList(value) && value.length === 0);
}

function isList(value: Scalar | readonly Scalar[]): value is readonly Scalar[] {
  return Array.isArray(value);
}
