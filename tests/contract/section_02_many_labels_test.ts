/** Tables with more labelled foreign keys than SQLite joins tables: every read has every label (contract 2.4). */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";

const KEYS = Array.from({ length: 130 }, (_, at) => `k${at + 1}Id`);
const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BEN: Claims = { sub: "ben", orgId: "org_a", roles: ["guest"] };

/** Kinds of display columns, of which the foreign keys take turns. */
const KINDS = ["texts", "masked", "own", "numbers", "flags", "decimals", "dates"] as const;
const COLUMNS: Readonly<Record<typeof KINDS[number], string>> = {
  texts: "q.text()",
  masked: "q.text()",
  own: "q.text()",
  numbers: "q.real()",
  flags: "q.bool()",
  decimals: "q.decimal({ precision: 6, scale: 2 })",
  dates: "q.timestamp()",
};
const VALUES: Readonly<Record<typeof KINDS[number], unknown>> = {
  texts: 'a "text"',
  masked: "hidden",
  own: "mine",
  numbers: 1.5,
  flags: true,
  decimals: "12.50",
  dates: "2026-01-02T03:04:05.678Z",
};

const access = '{ roles: ["member", "guest"] }';
const feature = (name: string, rest: string) => ({
  [`quickback/features/${name}/${name}.ts`]: rest,
});

const MASKS: Readonly<Record<string, string>> = {
  masked: 'masking: { label: { type: "redact", show: { roles: ["member"] } } },',
  own: 'masking: { label: { type: "name", show: { roles: ["chief"], or: "owner" } } },',
};

const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({ name: "labels", auth: { roles: ["member", "guest", "chief"] },
  providers: { database: defineDatabase("libsql", { generateId: false }) } });
`,
  ...Object.assign(
    {},
    ...KINDS.map((kind) =>
      feature(
        kind,
        `import { feature, q } from "quickback";
export default feature("${kind}", {
  columns: { organizationId: q.scope("organization"), label: ${COLUMNS[kind]} },
  displayColumn: "label", guards: false, ${MASKS[kind] ?? ""}
  read: { access: ${access} }, create: { access: ${access} },
});
`,
      )
    ),
  ),
  ...feature(
    "hubs",
    `import { feature, q } from "quickback";
${KINDS.map((kind) => `import ${kind} from "../${kind}/${kind}.ts";`).join("\n")}
export default feature("hubs", {
  columns: { organizationId: q.scope("organization"), name: q.text(),
${
      KEYS.map((key, at) =>
        `    ${key}: q.text().references(() => ${KINDS[at % KINDS.length]}.id),`
      ).join("\n")
    }
  },
  guards: false,
  read: { access: ${access}, include: ["k1Id", "k100Id"], views: { all: { fields: ${
      JSON.stringify(["id", ...KEYS])
    } } } },
  create: { access: ${access} },
  update: { access: ${access} },
});
`,
  ),
};

function labelsOf(record: unknown): readonly unknown[] {
  assert(isRecord(record));
  return KEYS.map((key) => {
    const label = record[`${key.slice(0, -2)}_label`];
    return isRecord(record[key]) ? null : label;
  });
}

async function firstOf(api: ApiUnderTest, path: string, as: Claims): Promise<unknown> {
  const { status, body, text } = await api.ask(path, { as });
  assertEquals(status, 200, text);
  return Array.isArray(body["data"]) ? body["data"][0] : body;
}

Deno.test("130 labelled foreign keys are answered by every read and write, masked and missing ones too", () =>
  withDefinitions(FILES, async (api) => {
    for (const kind of KINDS) {
      const body = { id: kind, label: VALUES[kind] };
      assertEquals((await api.ask(kind, { as: ANN, body })).status, 201, kind);
    }
    // Every tenth key refers to nothing.
    const keys = Object.fromEntries(
      KEYS.flatMap((key, at) => at % 10 === 9 ? [] : [[key, KINDS[at % KINDS.length]]]),
    );
    const expected = (as: Claims) =>
      KEYS.map((_, at) => {
        const kind = KINDS[at % KINDS.length] ?? "texts";
        if (at % 10 === 9) return null;
        if (kind === "masked" && as === BEN) return "[REDACTED]";
        return kind === "own" && as === BEN ? "m***" : VALUES[kind];
      });
    const created = await api.ask("hubs", { as: ANN, body: { id: "h", name: "Hub", ...keys } });
    assertEquals(created.status, 201, created.text);
    assertEquals(labelsOf(created.body), expected(ANN));
    const patched = await api.ask("hubs/h", { method: "PATCH", as: BEN, body: { name: "Hub 2" } });
    assertEquals(labelsOf(patched.body), expected(BEN));
    for (const as of [ANN, BEN]) {
      for (
        const path of [
          "hubs/h",
          "hubs",
          "hubs?total=true&sort=name&include=k1Id,k100Id",
          "hubs/views/all",
          "hubs?search=Hub",
          "hubs/h?include=k100Id",
        ]
      ) assertEquals(labelsOf(await firstOf(api, path, as)), expected(as), `${path} ${as.sub}`);
    }
    const batch = { method: "PATCH", as: ANN, body: { records: [{ id: "h", name: "Hub 3" }] } };
    const { body } = await api.ask("hubs/batch", batch);
    assert(Array.isArray(body["success"]), JSON.stringify(body).slice(0, 300));
    assertEquals(labelsOf(body["success"][0]), expected(ANN));
  }));
