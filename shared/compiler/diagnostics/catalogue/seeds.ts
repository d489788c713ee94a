/** Lists the codes of phase 4 about the rows that a project begins with (definitions 1, `seed.ts`). */
import { didYouMean, quote } from "../wording.ts";
import { row } from "../diagnostic.ts";

const SECTION = "definitions 1";

export const SEEDS = {
  SEED_EXPORT: row<Record<never, never>>({
    severity: "error",
    section: SECTION,
    title: "seed.ts exports something else",
    message: () => "seed.ts has no defineSeed() as its default export",
    hint: () => "Write: export default defineSeed({ … })",
  }),
  SEED_ORGANIZATION: row<Record<never, never>>({
    severity: "error",
    section: SECTION,
    title: "A seed has organizations, and its project has none",
    message: () => "This project has no organizations",
    hint: () => "Leave them out, or set features.organizations to true",
  }),
  SEED_TWICE: row<{ name: string }>({
    severity: "error",
    section: SECTION,
    title: "A seed uses one name twice",
    message: ({ name }) => `${quote(name)} is taken already`,
  }),
  SEED_UNKNOWN: row<{
    kind: "user" | "organization" | "role";
    name: string;
    nearest: string | null;
  }>({
    severity: "error",
    section: SECTION,
    title: "A seed names a user, an organization or a role that there is not",
    message: ({ kind, name }) => `There is no ${kind} ${quote(name)}`,
    hint: ({ kind, nearest }) =>
      didYouMean({ nearest }) ?? (kind === "role" ? null : `Put it among the ${kind}s of the seed`),
  }),
  SEED_RESOURCE: row<{ name: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A seed has rows of what the API cannot create",
    message: ({ name }) => `${quote(name)} is no resource that can be created`,
    hint: didYouMean,
  }),
  SEED_COLUMN: row<{ resource: string; column: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A seed writes a column that a create may not carry",
    message: ({ resource, column }) =>
      `Column ${quote(column)} of ${quote(resource)} cannot be written by a create`,
    hint: didYouMean,
  }),
  SEED_REFERENCE: row<{ reference: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A row of a seed refers to none above it",
    message: ({ reference }) => `No row above is what ${quote(reference)} refers to`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ??
        'Give a row above a name, as in { $as: "cem", … }, and write { $ref: "cem.id" }',
  }),
  SEED_NOBODY: row<Record<never, never>>({
    severity: "error",
    section: SECTION,
    title: "A row of a seed is written by nobody",
    message: () => "Nobody writes this row",
    hint: () =>
      'Say who does: as: { userId: "ada", organizationId: "acme" } for all rows, $by: { … } for one',
  }),
} as const;
