/** Rules that follow relations in audits of statements: what an API sends is taken, and nothing that lacks a part of it (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { recordStatements } from "../../../cli/commands/audit_sql/record_statements.ts";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { Fault } from "../../../proof/audit/finding.ts";
import { SqlTexts } from "../../../proof/audit/sql_texts.ts";
import type { RecordedRequest } from "../../../proof/audit/statement_record.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import { predicateText } from "../../../shared/surface/row_predicate.ts";
import type { Ask, Claims } from "../../support/api.ts";
import { DISPATCHER, FIELD, fillField, make, TINA, TOM } from "../../support/field_project.ts";
import { withRealtime } from "../../support/realtime.ts";

const FILES = Object.fromEntries(
  Object.entries(FIELD).map(([path, text]) => [
    path,
    text.replace(
      'name: "field",',
      'name: "field", realtime: { enabled: true }, contract: { changeset: true },',
    ).replace("guards: false,", "guards: false, realtime: true,"),
  ]),
);

function principalOf({ sub, orgId, roles = [] }: Claims): Principal {
  return {
    ...ANONYMOUS,
    credential: "token",
    userId: sub,
    organizationId: orgId ?? null,
    roles,
  };
}

const patch = (body: unknown): Ask => ({ method: "PATCH", body });
const items = encodeURIComponent(JSON.stringify({ order: { status: "open" } }));

/** Every kind of statement that a rule stands in. */
const ASKED: readonly (readonly [path: string, ask?: Ask])[] = [
  ...["items", "parts", "keys", "copies", "notes", "visits", "audits"].flatMap((name) => [
    [`${name}?total=true`] as const,
    [`${name}?deleted=include`] as const,
    [`${name}/${name}_1`] as const,
    [`${name}/${name}_1/history`] as const,
    [`${name}/views/counted`] as const,
    [`${name}?id.in=${name}_1,b`] as const,
  ]),
  [`items?where=${items}&include=orderId`],
  ["items?search=a"],
  ["items/item_toms/photo"],
  ["items", { body: { id: "made", orderId: "toms", note: "n" } }],
  ["items/made", patch({ note: "other" })],
  ["items/made", patch({ orderId: "tinas" })],
  ["items/made", { method: "PUT", body: { orderId: "toms" } }],
  ["items/batch", { body: { records: [{ id: "b1", orderId: "toms" }, { id: "b2" }] } }],
  ["items/batch", { ...patch({ records: [{ id: "b1", note: "z" }] }) }],
  ["keys/keys_1", patch({ title: "other" })],
  ["notes/notes_1", patch({ text: "other" })],
  ["changeset", {
    body: {
      operations: [
        { resource: "items", op: "update", id: "item_toms", data: { note: "c" } },
        { resource: "notes", op: "create", data: { id: "made", orderId: "toms" } },
      ],
    },
  }],
  ["orders/toms", patch({ assigneeId: "tina" })],
  ["orders/toms", { method: "DELETE" }],
  ["orders/toms/restore", { method: "POST" }],
  ["items/made", { method: "DELETE" }],
  ["items/made/restore", { method: "POST" }],
];

interface Recording {
  readonly model: ProjectModel;
  readonly requests: readonly RecordedRequest[];
}

async function recording(): Promise<Recording> {
  const recorder = recordStatements();
  const requests: RecordedRequest[] = [];
  let model: ProjectModel | null = null;
  await withRealtime(FILES, async (api) => {
    model = api.project;
    await fillField(api);
    for (const orderId of ["toms", "tinas"]) {
      const at = orderId === "toms" ? 1 : 2;
      await make(api, "keys", { id: `keys_${at}`, orderId, code: `${at}` });
      await make(api, "copies", { id: `copies_${at}`, keyId: `keys_${at}` });
    }
    await make(api, "notes", { id: "notes_1", orderId: "toms" }, TOM);
    await make(api, "parts", { id: "parts_1", itemId: "item_toms" });
    await make(api, "items", { id: "items_1", orderId: "toms" });
    await make(api, "audits", { id: "audits_1", orderId: "toms" });
    for (const as of [TOM, TINA, DISPATCHER]) {
      for (const [path, ask = {}] of ASKED) {
        recorder.taken();
        await api.ask(path, { ...ask, as });
        requests.push({
          method: ask.method ?? (ask.body === undefined ? "GET" : "POST"),
          path: `/api/v1/${path}`,
          body: ask.body,
          principal: as.sub,
          caller: principalOf(as),
          statements: recorder.taken(),
        });
      }
    }
    api.end();
  }, { wrap: recorder.wrap });
  assert(model !== null);
  return { model, requests };
}

function faultText(fault: Fault): string {
  if (fault.kind !== "predicateMissing") return fault.kind;
  const { table, predicate, role } = fault;
  const asked = predicate.kind === "rule" ? predicateText(predicate.predicate) : predicate.column;
  return `${role} ${table.name}: ${asked}`;
}

/** Most statements are the same in every audit. */
const TEXTS = new SqlTexts();

function audited({ model, requests }: Recording) {
  const service = serviceTables(model).map(({ name }) => name);
  return auditRequests(requests, model, service, TEXTS);
}

const RECORDING = await recording();

Deno.test("every statement of a project whose rules follow relations is in order", () => {
  const { findings, clearances } = audited(RECORDING);
  assertEquals(
    findings.map(({ fault, request, statement }) =>
      `${
        faultText(fault)
      }\n${request.method} ${request.path} as ${request.principal}\n${statement.sql}\n${
        JSON.stringify(statement.args)
      }`
    ),
    [],
  );
  for (const kind of ["related", "framedRows", "scoped"] as const) {
    assert((clearances.get(kind) ?? 0) > 10, `${kind}: ${clearances.get(kind)}`);
  }
});

/** Reads of technicians where a firewall follows a relation, by many rows and by few. */
const FIREWALLED = /^GET \/api\/v1\/(?:items|visits|audits)\?(?:total|id)\S+ as t/;

/** Parts of a related predicate, and what a fault makes of them. */
const FAULTS: readonly (readonly [what: string, from: RegExp, to: string, about?: RegExp])[] = [
  ["another tenant's rows", /(qb_r\d\.`organization_id`) = \?/, "$1 IS NOT ?"],
  ["any tenant's rows", /(qb_r\d\.`organization_id`) = \?/, "coalesce(?, 1)"],
  ["deleted rows", /(qb_r\d\.`deleted_at`) IS NULL/, "$1 IS NOT NULL"],
  ["deleted rows too", /qb_r\d\.`deleted_at` IS NULL/, "1"],
  ["somebody else's rows", /(qb_r\d\.`(?:assignee|user)_id`) = \?/, "$1 IS NOT ?", FIREWALLED],
  ["anybody's rows", /qb_r\d\.`(?:assignee|user)_id` = \?/, "coalesce(?, 1)", FIREWALLED],
  ["any row of the other table", /(qb_r0\.`id`) = \+t\.`order_id`/, "$1 = $1", FIREWALLED],
  ["the row of another key", /(qb_r0\.`id` = )\+t\.`order_id`/, "$1 t.`id`", FIREWALLED],
  ["a row that another key lists", /t\.`order_id` IN/, "t.`id` IN", FIREWALLED],
  ["no row", /(?<!NOT )EXISTS \(SELECT 1 FROM main/, "NOT EXISTS (SELECT 1 FROM main", FIREWALLED],
  ["some row", /NOT EXISTS \(SELECT 1 FROM main/, "EXISTS (SELECT 1 FROM main", FIREWALLED],
  ["no listed row", /(?<!NOT )IN \(SELECT qb/, "NOT IN (SELECT qb", FIREWALLED],
  ["some listed row", /NOT IN \(SELECT qb/, "IN (SELECT qb", FIREWALLED],
  [
    "a list with nulls",
    /(NOT IN \(\S+ \S+ \S+ \S+ AS qb_r1 WHERE \()\S+ IS NOT NULL AND/,
    "$1",
    FIREWALLED,
  ],
  [
    "everything",
    /(\(SELECT (?:1|qb_r0\.`id`) FROM main\S+ AS qb_r0 WHERE )/,
    "$1 1 OR ",
    FIREWALLED,
  ],
  [
    "rows of another table",
    /FROM main\.`orders` AS qb_r0/,
    "FROM main.`crew` AS qb_r0",
    FIREWALLED,
  ],
];

for (const [what, from, to, about = /./] of FAULTS) {
  Deno.test(`a related predicate that asks for ${what} is found`, () => {
    const { model, requests } = RECORDING;
    const seen = new Set<string>();
    const faulty = requests
      .filter(({ method, path, principal }) => about.test(`${method} ${path} as ${principal}`))
      .flatMap((request) =>
        request.statements.flatMap((statement, at) => {
          const [place] = from.exec(statement.sql) ?? [];
          const key = `${request.method} ${request.path.split("/")[3]} ${place}`;
          if (place === undefined || seen.has(key) || !/qb_r0/.test(statement.sql)) return [];
          seen.add(key);
          const sql = statement.sql.replace(from, to);
          const statements = request.statements.with(at, { ...statement, sql });
          return [{ sql, request: { ...request, statements } }];
        })
      );
    assert(faulty.length > 0, "No statement has such a part");
    const missed = faulty.filter(({ request }) =>
      audited({ model, requests: [request] }).findings.length === 0
    );
    assertEquals(missed.map(({ sql }) => sql), []);
  });
}
