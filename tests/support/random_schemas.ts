/** Foreign schemas that nobody would write by hand: any name, type, default, key, index, check and reference that a reader could find. */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { draftOf } from "../../cli/adopt/draft_of.ts";
import {
  clausesOf,
  type DraftType,
  type ForeignColumn,
  type ForeignSchema,
  type ForeignTable,
  TEXT,
} from "../../cli/adopt/foreign_schema.ts";
import { type ClauseKind, Ledger, UNSETTLED } from "../../cli/adopt/ledger.ts";
import { printDraft } from "../../cli/adopt/print_draft.ts";
import { guessTenancy, NO_TENANT } from "../../cli/adopt/tenancy.ts";
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
  ...["organizations", "teams", "members", "email", "token", "expires", "role", "idValue", "code"],
];

const letters = fc.constantFrom(..."aAbB_ .-19$é/*`'\"\\\n");

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...AWKWARD) },
  { weight: 2, arbitrary: fc.string({ unit: letters, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const kinds = ["int", "real", "bool", "timestamp", "date", "json", "email"] as const;

const scalar: fc.Arbitrary<Exclude<DraftType, { readonly kind: "list" | "json" }>> = fc.oneof(
  fc.constant(TEXT),
  fc.constant({ kind: "url" as const, maxLength: null }),
  fc.constantFrom(...kinds).filter((kind) => kind !== "json").map((kind) => ({ kind })),
  fc.tuple(fc.integer({ min: 1, max: 18 }), fc.integer({ min: 0, max: 18 })).map((digits) => ({
    kind: "decimal" as const,
    precision: Math.max(...digits),
    scale: Math.min(...digits),
  })),
  fc.array(fc.oneof(name, fc.constantFrom("open", "done")), { maxLength: 4 })
    .map((values) => ({ kind: "enum" as const, values })),
);

const type: fc.Arbitrary<DraftType> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.constant({ kind: "json" as const }),
  scalar.map((of) => ({ kind: "list" as const, of, maxItems: 1000 })),
);

const literal = fc.oneof(
  fc.constantFrom("open", "now", "$ctx.userId", "ctx.userId", "1.50", "0", "2020-01-02 03:04:05"),
  fc.constantFrom(
    "{}",
    "[]",
    '{"__proto__":1}',
    '{"a":{"constructor":null}}',
    "t",
    "9007199254740993",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
);

const fallback: fc.Arbitrary<NonNullable<ForeignColumn["fallback"]>["value"]> = fc.oneof(
  { weight: 4, arbitrary: literal.map((value) => ({ kind: "value" as const, value })) },
  fc.constantFrom(...(["now", "userId", "random"] as const)).map((kind) => ({ kind })),
  fc.double().map((start) => ({ kind: "sequence" as const, start })),
  fc.constant({ kind: "unknown" as const, text: "pi()" }),
);

const comparisons = ["equals", "notEquals", "lessThan", "greaterThanOrEqual"] as const;

function columnOf(ledger: Ledger) {
  const open = (kind: ClauseKind) => ledger.open(kind, "somewhere");
  return fc.record({
    name,
    type,
    isRequired: fc.boolean(),
    question: fc.option(name, { freq: 3 }),
    max: fc.option(fc.integer({ min: -1, max: 400 })),
    fallback: fc.option(fallback),
    comment: fc.option(fc.string({ unit: "binary", maxLength: 9 }), { freq: 3 }),
    expression: fc.option(fc.constant({ kind: "column" as const, name: "code" }), { freq: 6 }),
  }).map(({ max, fallback, comment, expression, ...facts }): ForeignColumn => ({
    ...facts,
    clause: open("column"),
    length: max === null ? null : { clause: open("length"), max },
    fallback: fallback && { clause: open("default"), value: fallback },
    comment: comment === null ? null : { clause: open("comment"), text: comment },
    generated: expression && { clause: open("generated"), expression: null },
  }));
}

function tableOf(
  called: string,
  names: readonly string[],
  ledger: Ledger,
): fc.Arbitrary<ForeignTable> {
  const open = (kind: ClauseKind) => ledger.open(kind, called);
  return fc.array(columnOf(ledger), { maxLength: 7 }).chain((columns) => {
    const own = [...columns.map((column) => column.name), "id", "nowhere"];
    const some = fc.subarray(own, { maxLength: 2 });
    const keyed = (kind: ClauseKind) =>
      fc.array(fc.record({ columns: some, obstacle: fc.constantFrom(null, "it is hard") }), {
        maxLength: 3,
      }).map((sets) => sets.map((set) => ({ ...set, clause: open(kind) })));
    const relation = fc.record({
      columns: fc.oneof(fc.constantFrom(...own).map((one) => [one]), some),
      table: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names, "auth.users") }, name),
      targets: fc.constantFrom(null, ["id"], ["code"], ["a", "b"]),
      onDelete: fc.constantFrom(null, "cascade", "set null", "restrict", "no action" as const),
      question: fc.constantFrom(null, "it is odd"),
    });
    const check = fc.record({
      column: fc.constantFrom(...own),
      by: fc.constantFrom(...comparisons),
      value: literal,
      values: fc.array(literal, { maxLength: 3 }),
      kind: fc.constantFrom("compare", "in", "length", null),
    });
    return fc.record({
      clause: fc.constant(open("table")),
      name: fc.constant(called),
      key: fc.oneof(fc.constant(["id"]), some)
        .map((columns) => columns.length === 0 ? null : { clause: open("key"), columns }),
      unique: keyed("unique"),
      indexes: keyed("index"),
      relations: fc.array(relation, { maxLength: 3 })
        .map((all) => all.map((one) => ({ ...one, clause: open("relation") }))),
      checks: fc.array(check, { maxLength: 3 }).map((all) =>
        all.map(({ column, by, value, values, kind }) => ({
          clause: open("check"),
          condition: kind === null
            ? null
            : kind === "in"
            ? { kind, column, values }
            : kind === "length"
            ? { kind, column, by, value: Number(value) }
            : { kind: "compare" as const, column, by, with: { kind: "literal" as const, value } },
        }))
      ),
      policies: fc.constant([]),
      comment: fc.constant(null),
      columns: fc.constant(columns),
    });
  });
}

const schema: fc.Arbitrary<ForeignSchema> = fc.constant(null).chain(() => {
  const ledger = new Ledger();
  return fc.uniqueArray(name, { minLength: 1, maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((called) => tableOf(called, names, ledger))))
    .map((tables) => ({ tables, ledger }));
});

/** Drafts so many of them, each for a project with organizations or without, and takes no error of the compiler. */
export function requireNoErrors(numRuns: number): void {
  fc.assert(
    fc.property(schema, fc.boolean(), (foreign, multiTenant) => {
      const guess = guessTenancy(foreign);
      const tenancy = guess.kind === "clear" ? guess.tenancy : NO_TENANT;
      const draft = draftOf(foreign, { multiTenant, tenancy, taken: ["notes"] });
      const files = printDraft(draft, "text");
      const config = multiTenant ? "" : ", features: { organizations: false }";
      const result = validate({
        "quickback/quickback.config.ts": `export default { name: "x"${config} };\n`,
        ...files,
      });
      const errors = result.ok
        ? []
        : result.errors.map(({ code, message }) => `${code} ${message}`);
      assertEquals(errors, [], Object.values(files).join("\n"));
      requireSettled(foreign);
    }),
    { numRuns },
  );
}

/** Something was said of every clause of every table. */
function requireSettled({ tables, ledger }: ForeignSchema): void {
  for (const clause of tables.flatMap(clausesOf)) {
    assert(ledger.outcomeOf(clause) !== null, `${clause.kind} ${clause.place}: ${UNSETTLED}`);
  }
}
