/** PUT needs ids that the client chooses and records that it may write whole (contract 4.1 rule 3, definitions 2). */
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Fields } from "../read/fields.ts";
import type { RuleInput } from "./rule.ts";

export function upsertNeedsOpenRecords({ analysis, subjects }: RuleInput): void {
  for (const { firewall: { table }, resource } of subjects) {
    if (!resource?.upsert || !table.options) continue;
    const isClientKeyed = analysis.config.model.database.generateId === false;
    if (isClientKeyed && resource.guards === null) continue;
    const place = upsertPlace(table.options);
    const missing = [
      ...(isClientKeyed ? [] : ["generateId: false"]),
      ...(resource.guards === null ? [] : ["guards: false"]),
    ].join(" and ");
    analysis.report.add("UPSERT_NOT_POSSIBLE", place, { table: table.name, missing });
  }
}

/** The key itself, at the top or under `crud`. */
function upsertPlace(options: Fields): Place {
  const crud = options.entries.get("crud")?.value;
  const entries = [
    ...options.entries.values(),
    ...(crud?.kind === "object" ? crud.entries : []),
  ];
  const entry = entries.find(({ key }) => key === "upsert" || key === "put");
  return entry?.keyPlace ?? options.place;
}
