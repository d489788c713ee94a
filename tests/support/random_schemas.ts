/** Foreign schemas that nobody would write by hand: any name, type, default, key and reference that a reader could find. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  type DraftType,
  foreignColumn,
  type ForeignSchema,
  type ForeignTable,
} from "../../cli/adopt/draft.ts";
import { draftOf } from "../../cli/adopt/draft_of.ts";
import { printDraft } from "../../cli/adopt/print_draft.ts";
import { validate } from "../../shared/compiler/mod.ts";

/** Names that something keeps for itself, that differ in case or number alone, or that are none. */
const AWKWARD = [
  ...["Action", "action", "actions", "AuthDevice", "auth_users", "qb_rows", "jobs", "main", "temp"],
  ...["token", "tokens", "changeset", "auth", "files", "s1.addr", "s2.addr", "Datum", "Data"],
  ...["a_b", "aB", "AB", "a.b", "a b", "a-b", "+1", "-1", "2fa", "1", "_", "", " ", "価格", "q"],
  ...["feature", "defineTable", "class", "arguments", "await", "eval", "let", "constructor"],
  ...["__proto__", "toString", "hasOwnProperty", "prototype", "included", "true", "false", "null"],
  ...["id", "ID", "Id", "_id", "createdAt", "created_at", "deleted_by", "organizationId", "org_id"],
  ...["organization_id", "ownerId", "owner_id", "teamId", "team_id", "revision", "rank", "rowid"],
  ...["name", "title", "limit", "sort", "fields", "include", "search", "naïve", "preis €"],
  ...["user_id", "userId", "user", "users", "User", "notes_title_idx", "oids", "Status", "news"],
  ...["webhook_endpoints", "webhookEndpoints", "audit_events", "x".repeat(300), "undefined", "NaN"],
];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...AWKWARD) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: fc.constantFrom(..."aAbB_ .-19$é/*`'\"\\\n"), maxLength: 8 }),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const kinds = ["text", "int", "real", "bool", "timestamp", "date", "url", "json"] as const;

const type: fc.Arbitrary<DraftType> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...kinds).map((kind) => ({ kind })) },
  fc.tuple(fc.integer({ min: 1, max: 18 }), fc.integer({ min: 0, max: 18 })).map((
    [one, other],
  ) => ({
    kind: "decimal" as const,
    precision: Math.max(one, other),
    scale: Math.min(one, other),
  })),
  fc.array(fc.oneof(name, fc.constantFrom("open", "done")), { maxLength: 4 })
    .map((values) => ({ kind: "enum" as const, values })),
);

const fallback = fc.oneof(
  fc.constant(null),
  fc.constant({ kind: "now" as const }),
  fc.constantFrom("open", "now", "$ctx.userId", "ctx.userId", "1.50", "0", "2020-01-02 03:04:05"),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
);

function columnOf(names: readonly string[]) {
  const target = fc.record({
    table: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names, "nowhere") }, name),
    column: fc.constantFrom(null, "id", "code"),
    onDelete: fc.constantFrom(null, "cascade", "set null", "restrict", "no action" as const),
  });
  return fc.tuple(
    name,
    type,
    fc.record({
      isRequired: fc.boolean(),
      isUnique: fc.boolean(),
      fallback,
      references: fc.option(target, { freq: 2 }),
      question: fc.option(name),
    }),
  ).map(([name, type, facts]) => foreignColumn(name, type, facts));
}

function tableOf(called: string, names: readonly string[]): fc.Arbitrary<ForeignTable> {
  return fc.array(columnOf(names), { maxLength: 7 }).chain((columns) => {
    const some = fc.subarray([...columns.map((column) => column.name), "id", "nowhere"], {
      maxLength: 2,
    });
    return fc.record({
      name: fc.constant(called),
      primaryKey: fc.oneof(fc.constant(["id"]), some),
      unique: fc.array(some, { maxLength: 3 }),
      columns: fc.constant(columns),
    });
  });
}

const schema: fc.Arbitrary<ForeignSchema> = fc.uniqueArray(name, { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((called) => tableOf(called, names))))
  .map((tables) => ({ tables, questions: [] }));

/** Drafts so many of them, each for a project with organizations and one without, and takes no error of the compiler. */
export function requireNoErrors(numRuns: number): void {
  fc.assert(
    fc.property(schema, fc.boolean(), (foreign, multiTenant) => {
      const files = printDraft(draftOf(foreign, multiTenant), "text");
      const config = multiTenant ? "" : ", features: { organizations: false }";
      const result = validate({
        "quickback/quickback.config.ts": `export default { name: "x"${config} };\n`,
        ...Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith(".ts"))),
      });
      const errors = result.ok
        ? []
        : result.errors.map(({ code, message }) => `${code} ${message}`);
      assertEquals(errors, [], Object.values(files).join("\n"));
    }),
    { numRuns },
  );
}
