/**
 * Reports routes that collide with a file column. Its name is the last segment of its route, so no other route of the resource
 * may end in it (contract 4.4, definitions 3).
 */
import { rulesOf } from "../../../../column_types/mod.ts";
import { RESERVED_FILE_SEGMENTS } from "../../../../surface/mod.ts";
import type { RuleInput } from "./rule.ts";

export function fileSegments({ analysis, subjects }: RuleInput): void {
  for (const { firewall: { table }, resource } of subjects) {
    if (!resource) continue;
    for (const { name: column, type, place } of table.columns.values()) {
      if (!type || !rulesOf(type).isFile) continue;
      const view = resource.read?.views.find(({ segment }) => segment === column);
      const other = RESERVED_FILE_SEGMENTS.includes(column)
        ? `the reserved word ${JSON.stringify(column)}`
        : view && `view ${JSON.stringify(view.name)}`;
      if (other) analysis.report.add("FILE_SEGMENT_TAKEN", place, { column, other });
    }
  }
}
