/**
 * Warns of children that survive a deletion. It deletes only rows that its caller may reach, so a child with a narrower
 * firewall may remain (contract 3.1).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { firewallText } from "../../../../surface/mod.ts";
import type { FirewallPredicate } from "../../../../model/mod.ts";
import { letsThrough } from "./lets_through.ts";
import type { RuleInput, Subject } from "./rule.ts";

export function cascadeWithinFirewall({ analysis, subjects }: RuleInput): void {
  const byName = new Map(subjects.map((subject) => [subject.firewall.table.name, subject]));
  for (const child of subjects) {
    const { table } = child.firewall;
    for (const [column, { table: target, onDelete }] of child.relations) {
      const parent = byName.get(target);
      const key = table.columns.get(column);
      if (!parent || !key || !isSoftDeleted(parent)) continue;
      if (!table.softDelete && (onDelete !== "set null" || key.required)) continue;
      // Finds the predicates of the child's firewall that the parent's firewall does not have.
      const narrower = child.firewall.predicates.filter((predicate) =>
        predicate.kind !== "notDeleted" &&
        !isParentReached(predicate, column) &&
        !isLiftedForDeleters(predicate, { parent, child, subjects }) &&
        // A child's writer can read its parent, so both have the same organization, owner or team, and equal conditions have
        // the same effect.
        !parent.firewall.predicates.some((other) =>
          bindsAllOf(predicate, other) &&
          (firewallText(predicate) === firewallText(other) ||
            (predicate.kind === other.kind && isStamped(predicate, child) &&
              isStamped(other, parent)))
        )
      );
      if (narrower.length === 0) continue;
      analysis.report.add("CASCADE_NARROWER", key.place, {
        child: table.name,
        parent: target,
        only: narrower.map(predicateText).join(" and "),
      });
    }
  }
}

/** True for a membership predicate about the parent row of this key alone: a caller who deletes the parent satisfies it. */
export function isParentReached(predicate: FirewallPredicate, key: string): boolean {
  return predicate.kind === "rule" && predicate.predicate.kind === "related" &&
    predicate.predicate.isReach === true && predicate.predicate.relation.own === key;
}

/**
 * Warns of `restrict` on a soft-deleted parent. The database does not see a soft deletion: only `children: "refuse"` stops it
 * (contract 3.1).
 */
export function restrictOfSoftDeleted({ analysis, subjects }: RuleInput): void {
  const byName = new Map(subjects.map((subject) => [subject.firewall.table.name, subject]));
  for (const { firewall: { table }, relations } of subjects) {
    for (const [column, { table: target, onDelete }] of relations) {
      const parent = byName.get(target);
      const key = table.columns.get(column);
      if (onDelete !== "restrict" || !parent || !key || !isSoftDeleted(parent)) continue;
      if (parent.resource?.delete?.children === "refuse") continue;
      const place = key.references?.onDeletePlace ?? key.place;
      analysis.report.add("RESTRICT_SOFT", place, { column, target });
    }
  }
}

/**
 * True when a subject's rows are soft-deleted. Rows of a resource without DELETE are never deleted, and handlers alone delete
 * those of an internal table.
 */
function isSoftDeleted({ firewall: { table }, resource }: Subject): boolean {
  return table.softDelete && (resource === null || resource.delete !== null);
}

/** True when the predicate binds no caller who may delete the parent. */
function isLiftedForDeleters(
  predicate: FirewallPredicate,
  { parent: { resource }, child, subjects }: {
    readonly parent: Subject;
    readonly child: Subject;
    readonly subjects: readonly Subject[];
  },
): boolean {
  if (!resource?.delete) return false;
  const { access, batch } = resource.delete;
  const rules = [access, ...(batch ? [batch.access] : [])];
  return letsThrough(predicate, { rules, subject: child, subjects });
}

/** True when `other` binds every caller whom `predicate` binds. */
function bindsAllOf(predicate: FirewallPredicate, other: FirewallPredicate): boolean {
  const areNamed = other.roles.length === 0 ||
    (predicate.roles.length > 0 && predicate.roles.every((role) => other.roles.includes(role)));
  return areNamed && other.exceptRoles.every((role) => predicate.exceptRoles.includes(role));
}

/** Returns a predicate as text, with the roles that it binds, or does not bind. */
function predicateText(predicate: FirewallPredicate): string {
  const { roles, exceptRoles } = predicate;
  const only = roles.length === 0 ? "" : ` for ${roles.join(" and ")}`;
  const except = exceptRoles.length === 0
    ? ""
    : `${only === "" ? " for all" : ""} but ${exceptRoles.join(" and ")}`;
  return `${firewallText(predicate)}${only}${except}`;
}

function isStamped(predicate: FirewallPredicate, { firewall: { table } }: Subject): boolean {
  return predicate.kind !== "rule" &&
    scopeOf(table.columns.get(predicate.column)?.type ?? null) !== null;
}
