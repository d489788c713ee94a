/** Every diagnostic code of the compiler, one table per subject (style: two closed, typed catalogues). */
import type { CatalogueRow } from "../row.ts";
import { ACCESS } from "./access.ts";
import { ACTIONS } from "./actions.ts";
import { AUTHORED } from "./authored.ts";
import { BUNDLE } from "./bundle.ts";
import { COLUMNS } from "./columns.ts";
import { FIREWALL } from "./firewall.ts";
import { GUARDS } from "./guards.ts";
import { MASKING } from "./masking.ts";
import { MIGRATE } from "./migrate.ts";
import { READ } from "./read.ts";
import { EVALUATE } from "./evaluate.ts";
import { OPERATIONS } from "./operations.ts";
import { PROJECT } from "./project.ts";
import { REALTIME } from "./realtime.ts";
import { TABLES } from "./tables.ts";
import { VIEWS } from "./views.ts";

export const CATALOGUE = {
  ...READ,
  ...EVALUATE,
  ...PROJECT,
  ...TABLES,
  ...COLUMNS,
  ...FIREWALL,
  ...ACCESS,
  ...GUARDS,
  ...MASKING,
  ...VIEWS,
  ...OPERATIONS,
  ...ACTIONS,
  ...REALTIME,
  ...AUTHORED,
  ...MIGRATE,
  ...BUNDLE,
} as const;

export type DiagnosticCode = keyof typeof CATALOGUE;

export type DetailsOf<Code extends DiagnosticCode> = (typeof CATALOGUE)[Code] extends
  CatalogueRow<infer Details> ? Details
  : never;
