/**
 * Finds callers whom a firewall admits to every row. A rule that hides rows only from other callers needs no warning for them.
 */
import type { Access, FirewallPredicate, RowPredicate } from "../../../../model/mod.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { Subject } from "./rule.ts";

/** True when the predicate of the subject's firewall binds no caller whom one of the rules admits. */
export function letsThrough(
  predicate: FirewallPredicate,
  { rules, subject, subjects }: {
    readonly rules: readonly Access[];
    readonly subject: Subject;
    readonly subjects: readonly Subject[];
  },
): boolean {
  const tables = new Map(subjects.map(({ firewall: { table } }) => [table.name, table]));
  const { table } = subject.firewall;
  return rules.every((rule) =>
    rolesAdmitted(rule)?.every((role) =>
      predicate.exceptRoles.includes(role) ||
      (predicate.kind === "rule" && isTrueFor(predicate.predicate, role, { table, tables }))
    ) ?? false
  );
}

/** Returns roles of which every caller whom the rule admits has one; null if the rule also admits by another condition. */
function rolesAdmitted(access: Access): readonly string[] | null {
  switch (access.kind) {
    case "nobody":
      return [];
    case "roles":
    case "userRole":
      return access.roles;
    case "record":
    case "row":
      return null;
    case "all":
      return access.of.map(rolesAdmitted).find((roles) => roles !== null) ?? null;
    case "any":
    case "first": {
      const parts = access.of.map(rolesAdmitted);
      return parts.every((roles) => roles !== null) ? parts.flat() : null;
    }
  }
}

/**
 * True when the predicate is true on every row for callers with the role. A row whose parent is required has a parent, or is
 * deleted with it.
 */
function isTrueFor(predicate: RowPredicate, role: string, { table, tables }: {
  readonly table: TableDraft;
  readonly tables: ReadonlyMap<string, TableDraft>;
}): boolean {
  switch (predicate.kind) {
    case "all":
      return predicate.of.every((part) => isTrueFor(part, role, { table, tables }));
    case "any":
      return predicate.of.some((part) => isTrueFor(part, role, { table, tables }));
    case "holders":
      return predicate.exceptRoles.length === 0 &&
        (predicate.roles.length === 0 || predicate.roles.includes(role));
    case "related": {
      const { isReach, relation, of } = predicate;
      const target = tables.get(relation.table);
      return isReach === true && target !== undefined &&
        table.columns.get(relation.own)?.required === true &&
        isTrueFor(of, role, { table: target, tables });
    }
    case "conditions":
    case "not":
    case "context":
      return false;
  }
}
