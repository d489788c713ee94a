/** Adds the service's own tables to the author's if the project needs them (definitions 7). */
import { atOnce } from "../../../../lib/steps.ts";
import type { BuiltInName } from "../../../../model/mod.ts";
import { snakeCase } from "../../../../surface/mod.ts";
import type { Definitions } from "../../values.ts";
import type { Configuration } from "../config/config.ts";
import type { Analysis } from "./analysis.ts";
import { type DeclaredTables, declareTables } from "./declare.ts";

export interface BuiltInTable {
  readonly name: BuiltInName;
  isWanted(model: Configuration["model"]): boolean;
  /** Returns the table's definition, which is read like an author's. */
  definitions(): Definitions["tables"];
}

/** Adds the built-in tables that the project uses to the declared ones. */
export function withBuiltIn(
  declared: DeclaredTables,
  tables: readonly BuiltInTable[],
  { config, report }: Pick<Analysis, "config" | "report">,
): DeclaredTables {
  return tables.filter((table) => table.isWanted(config.model))
    .reduce((all, table) => {
      // Omits the table if the author has taken its name or its file, which is reported.
      const { name, definitions } = table;
      const own = definitions();
      const paths = own.map(({ file }) => file);
      const taken = all.tables.filter((table) =>
        snakeCase(table.name) === snakeCase(name) || paths.includes(table.file)
      );
      for (const { namePlace } of taken) {
        report.add("TABLE_RESERVED", namePlace, {
          table: name,
          reason: "the service has a table of that name",
        });
      }
      if (taken.length > 0 || paths.some((path) => all.brokenFiles.has(path))) return all;
      const { tables } = atOnce(declareTables(own, config, report));
      const added = tables.map((table) => ({ ...table, builtIn: name }));
      return {
        tables: [...all.tables, ...added].sort((a, b) => a.name < b.name ? -1 : 1),
        brokenFiles: all.brokenFiles,
      };
    }, declared);
}
