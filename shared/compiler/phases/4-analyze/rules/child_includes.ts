/**
 * Checks includes of referring rows: each must name such a foreign key, and its name must have no other meaning (contract 4.3).
 */
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { RuleInput } from "./rule.ts";

const WORDS: readonly string[] = ["or", "and", "not"];

export function childIncludes({ analysis, subjects }: RuleInput): void {
  for (const subject of subjects) {
    const { resource, firewall: { table } } = subject;
    const entry = table.options?.entries.get("read");
    if (!resource?.read || !entry) continue;
    for (const { children = [] } of [resource.read, ...resource.read.views]) {
      // An include takes no name of a column, nor of a record that the table's own keys refer to.
      const parents = [...subject.relations.keys()].map((column) => column.replace(/Id$/, ""));
      const taken = new Set([...WORDS, ...table.columns.keys(), ...parents]);
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
