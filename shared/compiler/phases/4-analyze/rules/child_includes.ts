/**
 * Checks includes of referring rows: each must name such a foreign key, and its name must have no other meaning (contract 4.3).
 */
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { RuleInput, Subject } from "./rule.ts";

const WORDS: readonly string[] = ["or", "and", "not"];

export function childIncludes({ analysis, subjects }: RuleInput): void {
  for (const subject of subjects) {
    const { resource, firewall: { table } } = subject;
    const entry = table.options?.entries.get("read");
    if (!resource?.read || !entry) continue;
    for (const { children = [] } of [resource.read, ...resource.read.views]) {
      const taken = namesOf(subject);
      for (const { name, table: child, column } of children) {
        const target = subjects.find((one) => one.firewall.table.name === child);
        const isKey = target?.relations.get(column)?.table === table.name;
        if (!target?.resource?.read || !isKey) {
          const details = { include: `${child}.${column}`, table: table.name };
          analysis.report.add("INCLUDE_NOT_CHILD", entry.keyPlace, details);
        } else if (taken.has(name) || isObjectMember(name)) {
          const details = { name, include: `${child}.${column}` };
          analysis.report.add("INCLUDE_NAME_TAKEN", entry.keyPlace, details);
        }
        taken.add(name);
      }
    }
  }
}

/** Returns the names of the columns, and of the records that its own keys refer to. */
function namesOf({ firewall: { table }, relations }: Subject): Set<string> {
  const parents = [...relations.keys()].map((column) => column.replace(/Id$/, ""));
  return new Set([...WORDS, ...table.columns.keys(), ...parents]);
}
