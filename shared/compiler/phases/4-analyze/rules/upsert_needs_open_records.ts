/**
 * Checks PUT, which needs ids that the client chooses and records that it may write whole (contract 4.1 rule 3, definitions 2).
 */
import type { Rule } from "./rule.ts";

export const upsertNeedsOpenRecords: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table }, resource } of subjects) {
    if (!resource?.upsert || !table.options) continue;
    const isClientKeyed = analysis.config.model.database.generateId === false;
    if (isClientKeyed && resource.guards === null) continue;
    // Finds the place of the key itself, at the top or under `crud`.
    const options = table.options;
    const crud = options.entries.get("crud")?.value;
    const entries = [
      ...options.entries.values(),
      ...(crud?.kind === "object" ? crud.entries : []),
    ];
    const entry = entries.find(({ key }) => key === "upsert" || key === "put");
    const place = entry?.keyPlace ?? options.place;
    const missing = [
      ...(isClientKeyed ? [] : ["generateId: false"]),
      ...(resource.guards === null ? [] : ["guards: false"]),
    ].join(" and ");
    analysis.report.add("UPSERT_NOT_POSSIBLE", place, { table: table.name, missing });
  }
};
