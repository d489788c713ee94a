/** The service's own table of push subscriptions, beside the author's tables where the project asks for it (definitions 7). */
import { atOnce } from "../../../../lib/steps.ts";
import { PUSH_SUBSCRIPTIONS as NAME } from "../../../../model/push.ts";
import { snakeCase } from "../../../../surface/names.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions } from "../../values.ts";
import type { Configuration } from "../config/config.ts";
import { type DeclaredTables, declareTables } from "./declare.ts";

interface BuiltIn {
  readonly definitions: Definitions["tables"];
  readonly config: Configuration;
  readonly report: Report;
}

/**
 * Adds the service's subscription table to the declared ones; omits it where the author took its name or its place, which is
 * reported.
 */
export function withPushSubscriptions(
  declared: DeclaredTables,
  { definitions, config, report }: BuiltIn,
): DeclaredTables {
  const paths = definitions.map(({ file }) => file);
  const taken = declared.tables.filter(({ name, file }) =>
    snakeCase(name) === snakeCase(NAME) || paths.includes(file)
  );
  for (const { namePlace } of taken) report.add("TABLE_RESERVED", namePlace, { table: NAME });
  if (taken.length > 0 || paths.some((path) => declared.brokenFiles.has(path))) return declared;
  const own = atOnce(declareTables(definitions, config, report));
  return {
    tables: [...declared.tables, ...own.tables].sort((a, b) => a.name < b.name ? -1 : 1),
    brokenFiles: declared.brokenFiles,
  };
}

/** True for the service's own file. An author's file in its place is never a table beside it. */
export function isPushSubscriptions(
  { name }: { readonly name: string },
  { model }: Configuration,
): boolean {
  return model.realtime.push && name === NAME;
}
