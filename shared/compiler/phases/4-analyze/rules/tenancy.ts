/**
 * Reports references between an organization's own database and the directory, where each organization has one (definitions 2).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { type ActionModel, type Home, isPerOrganization } from "../../../../model/mod.ts";
import type { Analysis } from "../tables/analysis.ts";
import type { RuleInput, Subject } from "./rule.ts";

export function foreignKeysWithinHome({ analysis, subjects }: RuleInput): void {
  if (!isPerOrganization(analysis.config.model)) return;
  const byName = new Map(subjects.map((subject) => [subject.firewall.table.name, subject]));
  for (const subject of subjects) {
    const { table } = subject.firewall;
    for (const [column, relation] of subject.relations) {
      const target = byName.get(relation.table);
      const key = table.columns.get(column);
      if (!target || !key || homeOfSubject(target) === homeOfSubject(subject)) continue;
      const tenant = homeOfSubject(subject) === "tenant" ? table.name : relation.table;
      const details = { column, table: table.name, target: relation.table, tenant };
      analysis.report.add("TENANCY_FOREIGN_KEY", key.references?.place ?? key.place, details);
    }
  }
}

/** Checks the records that an action's input names, because the action's transaction reads them. */
export function referencesWithinHome(
  actions: readonly ActionModel[],
  subjects: readonly Subject[],
  { config, report }: Analysis,
): void {
  if (!isPerOrganization(config.model)) return;
  const homes = new Map(subjects.map((one) => [one.firewall.table.name, homeOfSubject(one)]));
  for (const { name, table, refs, source: { module } } of actions) {
    const home = table === null ? "tenant" : homes.get(table);
    for (const [field, target] of Object.entries(refs)) {
      if (homes.get(target) === home) continue;
      const place = { file: module, line: 1, column: 1, length: 1 };
      report.add("TENANCY_REFERENCE", place, { field, action: name, target });
    }
  }
}

function homeOfSubject({ firewall: { table, predicates } }: Subject): Home {
  const scopes = [...table.columns.values()].map(({ type }) => scopeOf(type));
  const isScoped = scopes.some((scope) => scope === "organization" || scope === "team") ||
    predicates.some(({ kind }) => kind === "organization" || kind === "team");
  return isScoped ? "tenant" : "directory";
}
