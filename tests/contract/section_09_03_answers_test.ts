/**
 * Answers of a project with every type of column, mask and id are as the description says, in both versions (contract 2.3, 9.3).
 * `ask` holds each of them against the description that was emitted for the project.
 */
import { assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";

const ID_STRATEGIES = ["uuid", "prefixed", "cuid", "nanoid", "short", "serial"] as const;
const VERSIONS = ["v1", "v2"] as const;

const config = (strategy: string, version: string) =>
  `export default {
  name: "museum",
  contract: { version: "${version}" },
  providers: { database: { name: "libsql", generateId: "${strategy}" } },
  auth: { roleHierarchy: ["guide", "curator"], jwt: { expiresIn: 900 } },
};\n`;

const WINGS = `import { feature, q } from "quickback";
export default feature("wings", {
  columns: { id: q.id(), organizationId: q.scope("organization"), label: q.text().required() },
  guards: { createable: ["label"] },
  read: { access: { roles: ["guide+"] } },
  create: { access: { roles: ["curator"] } },
});\n`;

const pieces = (strategy: string) =>
  `import { feature, q } from "quickback";
import wings from "../wings/wings.ts";
export default feature("pieces", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    wingId: q.${strategy === "serial" ? "int" : "text"}().references(() => wings.id),
    title: q.text({ maxLength: 40 }).required(),
    kind: q.text({ enum: ["oil", "ink"] }),
    state: q.enum(["shown", "stored"]).required().default("stored"),
    year: q.int(),
    weight: q.real(),
    value: q.int(),
    donor: q.enum(["family", "state"]),
    onLoan: q.bool(),
    insured: q.bool().required().default(false),
    seenAt: q.timestamp(),
    page: q.url({ maxLength: 200 }),
    more: q.json(),
    revision: q.revision(),
  },
  guards: false,
  masking: {
    value: { type: "redact", show: { roles: ["curator"] } },
    donor: { type: "redact", show: { roles: ["curator"] } },
  },
  read: {
    access: { roles: ["guide+"] },
    include: ["wingId"],
    views: { labels: { fields: ["id", "title", "wingId", "value"], include: ["wingId"] } },
  },
  create: { access: { roles: ["curator"] } },
  update: { access: { roles: ["curator"] } },
  delete: { access: { roles: ["curator"] } },
});\n`;

const CURATOR: Claims = { sub: "cleo", orgId: "org_a", roles: ["curator"] };
const GUIDE: Claims = { sub: "gus", orgId: "org_a", roles: ["guide"] };

const FULL = {
  title: "Night",
  kind: "oil",
  state: "shown",
  year: 1642,
  weight: 337.5,
  value: 9,
  donor: "family",
  onLoan: false,
  insured: true,
  seenAt: "2026-01-02T03:04:05.678Z",
  page: "https://example.com/night",
  more: { sizes: [3.6, null, "m"], deep: { er: true } },
};

const READS = [
  "",
  "?total=true&limit=1",
  "?include=wingId",
  "?fields=id,value,wingId",
  "?include=wingId&fields[wingId]=id",
  "/views/labels?include=wingId&total=true",
  "?year.gte=1600&state.in=shown,stored&sort=-year,title",
  "?nope=1",
];

for (const strategy of ID_STRATEGIES) {
  for (const version of VERSIONS) {
    Deno.test(`answers are as described in ${version} with ids of the kind ${strategy}`, () =>
      withDefinitions({
        "quickback/quickback.config.ts": config(strategy, version),
        "quickback/features/wings/wings.ts": WINGS,
        "quickback/features/pieces/pieces.ts": pieces(strategy),
      }, drive));
  }
}

async function drive(api: ApiUnderTest): Promise<void> {
  const statuses: number[] = [];
  const ask = async (...args: Parameters<ApiUnderTest["ask"]>) => {
    const answer = await api.ask(...args);
    statuses.push(answer.status);
    return answer.body;
  };
  const wing = await ask("wings", { as: CURATOR, body: { label: "East" } });
  const full = await ask("pieces", { as: CURATOR, body: { ...FULL, wingId: wing["id"] } });
  const bare = await ask("pieces", { as: CURATOR, body: { title: "Day" } });
  await ask("pieces", {
    as: CURATOR,
    body: { title: 1, seenAt: "soon", page: "ftp:", more: null },
  });
  for (const as of [CURATOR, GUIDE]) {
    for (const read of READS) await ask(`pieces${read}`, { as });
    for (const { id } of [full, bare]) await ask(`pieces/${id}?include=wingId`, { as });
  }
  const change = { year: null, value: 3, more: [1], wingId: null };
  await ask(`pieces/${full["id"]}`, { as: CURATOR, method: "PATCH", body: change });
  const records = [{ id: bare["id"], state: "shown" }, { id: bare["id"], state: "lost" }];
  await ask("pieces/batch", { as: CURATOR, method: "PATCH", body: { records } });
  await ask("pieces/batch", { as: CURATOR, body: { records: [FULL, { ...FULL, year: "old" }] } });
  await ask("pieces/batch", { as: CURATOR, method: "DELETE", body: { ids: [bare["id"]] } });
  await ask(`pieces/${full["id"]}`, { as: CURATOR, method: "DELETE" });
  const reads = [200, 200, 200, 200, 200, 200, 200, 400, 200, 200];
  assertEquals(statuses, [201, 201, 201, 400, ...reads, ...reads, 200, 207, 207, 200, 200]);
}
