/**
 * Exports of the modules that projects import without listing them. Outputs carry and pin these very modules, so their
 * namespaces are read; a test bundles them and compares.
 */
import * as drizzle from "drizzle-orm";
import * as sqlite from "drizzle-orm/sqlite-core";
import * as hono from "hono";
import * as zod from "zod";
import * as action from "../../shared/authoring/action.ts";
import * as authoring from "../../shared/authoring/mod.ts";
import * as access from "../../shared/model/access.ts";
import * as tableSpec from "../../shared/model/table_spec.ts";

/** Exports by package name or output path; null: they are known only when the module runs. */
export type ExportedNames = Readonly<Record<string, readonly string[] | null>>;

export const KNOWN_MODULES: ExportedNames = {
  "drizzle-orm": Object.keys(drizzle),
  "drizzle-orm/sqlite-core": Object.keys(sqlite),
  "hono": Object.keys(hono),
  "zod": Object.keys(zod),
  "src/quickback/authoring/action.ts": Object.keys(action),
  "src/quickback/authoring/mod.ts": Object.keys(authoring),
  "src/quickback/model/access.ts": Object.keys(access),
  "src/quickback/model/table_spec.ts": Object.keys(tableSpec),
};
