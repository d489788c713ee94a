/** Every diagnostic code of the compiler, one table per subject (style: two closed, typed catalogues). */
import type { CatalogueRow } from "../row.ts";
import { MIGRATE } from "./migrate.ts";
import { READ } from "./read.ts";
import { EVALUATE } from "./evaluate.ts";
import { PROJECT } from "./project.ts";

export const CATALOGUE = { ...READ, ...EVALUATE, ...PROJECT, ...MIGRATE } as const;

export type DiagnosticCode = keyof typeof CATALOGUE;

export type DetailsOf<Code extends DiagnosticCode> = (typeof CATALOGUE)[Code] extends
  CatalogueRow<infer Details> ? Details
  : never;
