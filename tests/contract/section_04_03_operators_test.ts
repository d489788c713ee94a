/** Contract 4.3: `.nin`, `.ilike`, lists with quotes and repeated lists; `search` folds case in every script. */
import { assertEquals } from "@std/assert";
import { type Claims, withDefinitions } from "../support/api.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "things" };\n',
  "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: {
    organizationId: q.scope("organization"),
    name: q.text(),
    count: q.int(),
    extra: q.json(),
    narrow: q.text().filterable("eq"),
    hidden: q.text(),
  },
  masking: { hidden: { type: "redact", show: { roles: ["lead"] } } },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
};

const NAMES = [
  "Straße",
  "STRASSE",
  "Ärger, groß",
  'say "hi"',
  "Σίσυφος",
  "kelvin K",
  "100% [a]*?",
  null,
];

Deno.test("filters by nin, ilike and lists in quotes find these rows", () =>
  withDefinitions(FILES, async (api) => {
    for (const [at, name] of NAMES.entries()) {
      const body = { name, count: at, extra: at === 0 ? "a,b" : null, hidden: "x" };
      await api.ask("things", { as: ANN, body });
    }
    const found = async (query: Readonly<Record<string, string>> | string[][]) => {
      const parameters = new URLSearchParams(query);
      parameters.set("sort", "count");
      const { data, code } = (await api.ask(`things?${parameters}`, { as: ANN })).body;
      return Array.isArray(data) ? data.map(({ count }) => count) : code;
    };
    const all = NAMES.map((_, at) => at);
    const rows: readonly [Readonly<Record<string, string>> | string[][], unknown][] = [
      [{ "name.ilike": "STRASS" }, [1]],
      [{ "name.ilike": "STRAß" }, [0]],
      [{ "name.ilike": "straẞe" }, [0]],
      [{ "name.ilike": "äRGER" }, [2]],
      [{ "name.like": "äRGER" }, []],
      [{ "name.ilike": "σίσυφοσ" }, [4]],
      [{ "name.ilike": "KELVIN k" }, [5]],
      [{ "name.ilike": "% [A]*?" }, [6]],
      [{ "name.ilike": "_" }, []],
      [{ search: "ÄRGER" }, [2]],
      [{ search: "K" }, [5]],
      [{ "name.ilike": "k".repeat(7000) }, []],
      [{ "name.ilike": "k".repeat(7001) }, "VALIDATION_INVALID_INPUT"],
      [{ search: "k".repeat(7001) }, "VALIDATION_INVALID_INPUT"],
      [{ "name.in": 'STRASSE,"Ärger, groß"' }, [1, 2]],
      [{ "name.in": '"say ""hi"""' }, [3]],
      [{ "extra.in": '"""a,b"""' }, [0]],
      [[["count.in", "1,2"], ["count.in", "4"]], [1, 2, 4]],
      [[["count.nin", "1,2"], ["count.nin", "4"]], [0, 3, 5, 6, 7]],
      [{ "name.nin": "Straße" }, all.slice(1)],
      [{ "count.nin": "0" }, all.slice(1)],
      [{ "name.in": 'a"b' }, "VALIDATION_INVALID_INPUT"],
      [{ "name.in": '"a' }, "VALIDATION_INVALID_INPUT"],
      [{ "name.in": '"a"b' }, "VALIDATION_INVALID_INPUT"],
      [{ "count.nin": "x" }, "VALIDATION_INVALID_INPUT"],
      [{ "count.ilike": "1" }, "VALIDATION_INVALID_INPUT"],
      [{ "createdAt.ilike": "2026" }, "VALIDATION_INVALID_INPUT"],
      [[["name.ilike", "a"], ["name.ilike", "a"]], "VALIDATION_INVALID_INPUT"],
      [[["count", "1"], ["count", "1"]], "VALIDATION_INVALID_INPUT"],
      [{ "narrow.nin": "a" }, "VALIDATION_INVALID_INPUT"],
      [{ "hidden.nin": "a" }, "VALIDATION_INVALID_INPUT"],
      [{ "hidden.ilike": "x" }, "VALIDATION_INVALID_INPUT"],
    ];
    for (const [query, expected] of rows) {
      assertEquals(await found(query), expected, JSON.stringify(query).slice(0, 80));
    }
    const many = Array.from({ length: 101 }, () => ["count.in", "1"]);
    assertEquals(await found(many), "VALIDATION_INVALID_INPUT");
  }));

Deno.test("ilike reads words alone: on every other column it is 400, with what the column takes", async () => {
  const types = {
    words: ["q.text()", true],
    kind: ['q.enum(["a", "b"])', true],
    mail: ["q.email()", true],
    day: ["q.date()", false],
    at: ["q.timestamp()", false],
    meta: ["q.json()", false],
    count: ["q.int()", false],
    ratio: ["q.real()", false],
    price: ["q.decimal({ precision: 8, scale: 2 })", false],
    done: ["q.bool()", false],
    tags: ["q.list(q.text())", false],
  } as const;
  const columns = Object.entries(types).map(([name, [type]]) => `${name}: ${type}`).join(", ");
  const rule = '{ access: { roles: ["admin"] } }';
  await withDefinitions({
    "quickback/quickback.config.ts": 'export default { name: "words" };\n',
    "quickback/features/things/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: false, read: ${rule}, create: ${rule},
});
`,
  }, async (api) => {
    const as = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
    const asked = { ...types, id: ["q.id()", true], createdAt: ["q.timestamp()", false] };
    for (const [name, [, hasWords]] of Object.entries(asked)) {
      const { status, body } = await api.ask(`things?${name}.ilike=a`, { as });
      const detail = `Unknown operator "ilike" on "${name}"; it takes `;
      assertEquals(
        [status, String(body["detail"]).startsWith(detail), typeof body["hint"]],
        hasWords ? [200, false, "undefined"] : [400, true, "string"],
        name,
      );
    }
  });
});
