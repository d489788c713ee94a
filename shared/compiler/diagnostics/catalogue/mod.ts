/** Collects every diagnostic code of the compiler, from one table per subject (style: two closed, typed catalogues). */
import type { CatalogueRow } from "../diagnostic.ts";
import { ACCESS, FIREWALL, GUARDS, MASKING, RELATION } from "./access.ts";
import { ACTIONS } from "./actions.ts";
import { AUTHORED } from "./authored.ts";
import { DATA_STEPS } from "./data_steps.ts";
import { BUNDLE, MIGRATE } from "./migrate.ts";
import { SEEDS } from "./seeds.ts";
import { COLUMNS, TABLES } from "./tables.ts";
import { PROJECT, READ } from "./project.ts";
import { SIGN_IN } from "./sign_in.ts";
import { EVALUATE } from "./evaluate.ts";
import { OPERATIONS, REALTIME, VIEWS } from "./views.ts";

export const CATALOGUE = {
  ...READ,
  ...EVALUATE,
  ...PROJECT,
  ...SIGN_IN,
  ...TABLES,
  ...COLUMNS,
  ...FIREWALL,
  ...RELATION,
  ...ACCESS,
  ...GUARDS,
  ...MASKING,
  ...VIEWS,
  ...OPERATIONS,
  ...ACTIONS,
  ...REALTIME,
  ...AUTHORED,
  ...SEEDS,
  ...MIGRATE,
  ...DATA_STEPS,
  ...BUNDLE,
} as const;

export type DiagnosticCode = keyof typeof CATALOGUE;

export type DetailsOf<Code extends DiagnosticCode> = (typeof CATALOGUE)[Code] extends
  CatalogueRow<infer Details> ? Details
  : never;
