/** Collects columns, relations, roles and words of a row predicate (docs/decisions/relations.md). */
import type { Access, Condition, FirewallPredicate, MaskRule } from "../model/mod.ts";
import type { RelatedPredicate, RowPredicate } from "../model/mod.ts";

/** Returns the columns of the predicate's own row that it compares; those of related rows are in their relations. */
export function columnsAsked(predicate: RowPredicate): readonly string[] {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.map(({ column }) => column);
    case "all":
    case "any":
      return predicate.of.flatMap(columnsAsked);
    case "not":
    case "context":
      return columnsAsked(predicate.of);
    case "related": {
      const { own, tenant } = predicate.relation;
      return [own, ...(tenant === null ? [] : [tenant.own])];
    }
    case "holders":
      return [];
  }
}

/** Returns the columns of a table that its firewall compares. */
export function firewallColumns(firewall: readonly FirewallPredicate[]): readonly string[] {
  return firewall.flatMap((one) =>
    one.kind === "rule" ? columnsAsked(one.predicate) : [one.column]
  );
}

/** Returns the columns of a record that an access rule compares. */
export function accessColumns(access: Access): readonly string[] {
  switch (access.kind) {
    case "record":
      return access.conditions.map(({ column }) => column);
    case "row":
      return columnsAsked(access.predicate);
    case "all":
    case "any":
    case "first":
      return access.of.flatMap(accessColumns);
    default:
      return [];
  }
}

/** Returns the predicates of an access rule that may follow relations. */
export function accessPredicates(access: Access): readonly RowPredicate[] {
  switch (access.kind) {
    case "row":
      return [access.predicate];
    case "all":
    case "any":
    case "first":
      return access.of.flatMap(accessPredicates);
    default:
      return [];
  }
}

/** Returns the roles that the predicate names. */
export function rolesIn(predicate: RowPredicate): readonly string[] {
  switch (predicate.kind) {
    case "holders":
      return [...predicate.roles, ...predicate.exceptRoles];
    case "all":
    case "any":
      return predicate.of.flatMap(rolesIn);
    case "not":
    case "context":
    case "related":
      return rolesIn(predicate.of);
    case "conditions":
      return [];
  }
}

/** Returns the relations that the predicate follows, at every level, the outer ones first. */
export function relationsIn(predicate: RowPredicate): readonly RelatedPredicate[] {
  switch (predicate.kind) {
    case "related":
      return [predicate, ...relationsIn(predicate.of)];
    case "all":
    case "any":
      return predicate.of.flatMap(relationsIn);
    case "not":
    case "context":
      return relationsIn(predicate.of);
    case "conditions":
    case "holders":
      return [];
  }
}

/**
 * Returns the relations that predicates follow from their own row, in the order of the predicates, without relations of related
 * rows.
 */
export function relationsAt(predicates: readonly RowPredicate[]): readonly RelatedPredicate[] {
  return predicates.flatMap((predicate): readonly RelatedPredicate[] => {
    switch (predicate.kind) {
      case "related":
        return [predicate];
      case "all":
      case "any":
        return relationsAt(predicate.of);
      case "not":
      case "context":
        return relationsAt([predicate.of]);
      case "conditions":
      case "holders":
        return [];
    }
  });
}

/** True when the predicate's truth on a row depends on other rows. */
export function followsRelations(predicate: RowPredicate): boolean {
  switch (predicate.kind) {
    case "related":
      return true;
    case "all":
    case "any":
      return predicate.of.some(followsRelations);
    case "not":
    case "context":
      return followsRelations(predicate.of);
    case "conditions":
    case "holders":
      return false;
  }
}

/** True when a firewall depends on other rows. */
export function firewallFollows(firewall: readonly FirewallPredicate[]): boolean {
  return firewall.some((one) => one.kind === "rule" && followsRelations(one.predicate));
}

/** True when other rows decide whether a mask applies. */
export function maskFollows({ showRows }: MaskRule): boolean {
  return showRows !== undefined && followsRelations(showRows);
}

/**
 * Returns the part of a predicate that a row must also meet after it is written: its binding parts that follow a relation.
 * Null: there is none, and only the row before the write is checked.
 */
export function writtenPart(predicate: RowPredicate): RowPredicate | null {
  if (predicate.kind === "all") {
    const of = predicate.of.map(writtenPart).filter((part) => part !== null);
    return of.length === 0 ? null : { kind: "all", of };
  }
  if (predicate.kind === "context") {
    const of = writtenPart(predicate.of);
    return of && { ...predicate, of };
  }
  return followsRelations(predicate) ? predicate : null;
}

/** Returns a predicate as text: `workOrder where assigneeId equals ctx.userId`. */
export function predicateText(predicate: RowPredicate): string {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.map(conditionText).join(" and ");
    case "all":
      return predicate.of.map(nestedText).join(" and ");
    case "any":
      return predicate.of.map(nestedText).join(" or ");
    case "not":
      return `not (${predicateText(predicate.of)})`;
    case "context":
      return predicateText(predicate.of);
    case "holders":
      return holdersText(predicate.roles, predicate.exceptRoles);
    case "related": {
      const { relation: { name, direction }, quantifier, of } = predicate;
      const asked = predicateText(of);
      const where = asked === "" ? "" : ` where ${asked}`;
      if (direction === "parent") return `its ${name}${where === "" ? " is there" : where}`;
      return `${quantifier === "some" ? "some" : "no"} ${name}${where}`;
    }
  }
}

function nestedText(predicate: RowPredicate): string {
  const inner = predicate.kind === "context" ? predicate.of : predicate;
  const isPlain = inner.kind === "holders" || inner.kind === "not" ||
    (inner.kind === "conditions" && inner.conditions.length <= 1);
  return isPlain ? predicateText(inner) : `(${predicateText(inner)})`;
}

function holdersText(roles: readonly string[], exceptRoles: readonly string[]): string {
  const held = roles.length === 0 ? "anybody" : `the caller is ${roles.join(" or ")}`;
  return exceptRoles.length === 0 ? held : `${held} but not ${exceptRoles.join(" or ")}`;
}

/** Returns a condition as text: `status equals "open"`. */
export function conditionText({ column, operator, operand }: Condition): string {
  switch (operand.kind) {
    case "literal":
      return `${column} ${operator} ${JSON.stringify(operand.value)}`;
    case "literals":
      return `${column} ${operator} ${JSON.stringify(operand.values)}`;
    default:
      return `${column} ${operator} ctx.${operand.key}`;
  }
}

/** Returns a member of a firewall as text. */
export function firewallText(predicate: FirewallPredicate): string {
  return predicate.kind === "rule" ? predicateText(predicate.predicate) : conditionText(predicate);
}
