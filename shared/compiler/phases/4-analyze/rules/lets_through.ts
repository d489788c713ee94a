/** Whom a firewall lets through whatever a row says: rows that are hidden from others only are no surprise to them. */
import type { Access, FirewallPredicate, RowPredicate } from "../../../../model/mod.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { Subject } from "./rule.ts";

/** True when nobody whom one of the rules admits is bound by the predicate of the subject's firewall. */
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

/** Roles of which everybody holds one whom the rule admits; null: it admits by something else, too. */
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

/** True when it holds on every row for whoever holds the role. A row whose parent is required has one, or goes with it. */
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
