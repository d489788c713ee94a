/** Primary keys: how they are made and what a foreign key to them must be (contract 4.1 rule 5, definitions 2). */
import pluralize from "pluralize";
import type { IdStrategy } from "../../../../contract/fields.ts";
import { snakeCase } from "../../../../surface/names.ts";
import type { Configuration } from "../config/config.ts";
import { read } from "../read/read_member.ts";
import { primaryKeyOf, type TableDraft } from "./draft.ts";

/** The project's strategy, unless drizzle's notation says that the key is an integer. */
export function idStrategyOf(table: TableDraft, config: Configuration): IdStrategy {
  return primaryKeyOf(table)?.keyStorage === "int" ? "serial" : config.model.database.generateId;
}

/** The table's name in the singular, or `idPrefix` (definitions 7). */
export function idPrefixOf(table: TableDraft): string {
  const said = table.options && read(table.options, "idPrefix");
  return said ?? pluralize.singular(snakeCase(table.name));
}
