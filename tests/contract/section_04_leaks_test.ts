/**
 * No way of asking tells a caller what they may not see (contract 4.3, definitions 4.4): two
 * databases that differ only in that answer every request byte for byte the same.
 */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { insertRows, type StoredValues } from "../support/insert_rows.ts";

const test = ofOneDatabase("its rows refer to rows of other organizations' databases");

const PEOPLE = `import { feature, q } from "quickback";
export default feature("people", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text().required(),
    nickname: q.text(),
    email: q.text(),
    phone: q.text(),
    taxCode: q.text(),
    card: q.text(),
    salary: q.int(),
    profile: q.json(),
    team: q.enum(["red", "blue"]),
  },
  displayColumn: "name",
  masking: {
    name: { type: "name", show: { roles: ["admin"] } },
    email: { type: "email", show: { roles: ["admin"], or: "owner" } },
    phone: { type: "phone", show: { roles: ["admin"] } },
    taxCode: { type: "ssn", show: { roles: ["admin"] } },
    card: { type: "creditCard", show: { roles: ["admin"] } },
    salary: { type: "redact", show: { roles: ["admin"], or: "owner" } },
    profile: { type: "redact", show: { roles: ["admin"] } },
  },
  read: {
    access: { roles: ["admin", "agent"] },
    views: {
      payroll: { fields: ["id", "salary", "team"], defaultSort: "-salary,team" },
      costs: {
        fields: ["id", "team"],
        aggregations: { people: { fn: "count" }, costs: { fn: "sum", field: "salary" } },
      },
      teams: {
        fields: ["id", "team", "name"],
        aggregations: { people: { fn: "count" }, first: { fn: "min", field: "team" } },
      },
    },
  },
  update: { access: { roles: ["admin", "agent"] } },
  guards: { createable: [], updatable: ["team"] },
  defaultSort: "name",
});
`;

const CASES = `import { feature, q } from "quickback";
import people from "../people/people.ts";
export default feature("cases", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required().searchable(),
    verdict: q.text().searchable(),
    rank: q.int(),
    urgent: q.bool(),
    dueAt: q.timestamp(),
    personId: q.text().references(() => people.id),
    reviewerId: q.text().references(() => people.id),
    witnessId: q.text().references(() => people.id),
  },
  masking: {
    verdict: { type: "redact", show: { roles: ["admin"], or: "owner" } },
    rank: { type: "redact", show: { roles: ["admin"] } },
    reviewerId: { type: "redact", show: { roles: ["admin"] } },
    witnessId: { type: "redact", show: { roles: ["admin"], or: "owner" } },
  },
  read: {
    access: {
      or: [
        { roles: ["admin", "agent"] },
        { roles: ["guest"], record: { createdBy: { equals: "$ctx.userId" } } },
      ],
    },
    include: ["personId", "reviewerId", "witnessId"],
    views: {
      ranking: {
        fields: ["id", "title", "verdict", "rank", "personId"],
        include: ["personId"],
        defaultSort: "-rank,verdict",
      },
      numbers: {
        fields: ["id", "title"],
        aggregations: {
          all: { fn: "count" },
          last: { fn: "max", field: "dueAt" },
          first: { fn: "min", field: "title" },
        },
      },
      ranks: { fields: ["id"], aggregations: { top: { fn: "max", field: "rank" } } },
    },
  },
  defaultSort: "-rank",
});
`;

const FILES: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "leaks" };\n',
  "quickback/features/people/people.ts": PEOPLE,
  "quickback/features/cases/cases.ts": CASES,
};

/** What is hidden, twice: the same nulls and the same masks, but everything else different. */
interface Secrets {
  readonly names: readonly string[];
  readonly email: string;
  readonly phone: string;
  readonly taxCode: string;
  readonly card: string;
  readonly salaries: readonly number[];
  readonly profile: string;
  readonly verdicts: readonly string[];
  readonly ranks: readonly number[];
  readonly reviewers: readonly string[];
  /** Rows of another tenant, of another owner's deleted past and the like. */
  readonly strangers: number;
}

const ONE: Secrets = {
  names: ["Ada Byron", "Ana Bell", "Axel Boe"],
  email: "jane.doe@example.com",
  phone: "+1 555 1234567",
  taxCode: "123-45-6789",
  card: "4111 1111 1111 1111",
  salaries: [1, 2, 3],
  profile: '{"age":1}',
  verdicts: ["guilty", "innocent", "a"],
  ranks: [1, 2, 3],
  reviewers: ["p0", "p1", "p2"],
  strangers: 2,
};

const OTHER: Secrets = {
  names: ["Alexander Bartholomew", "Ab Bo", "Aa Bbbbbbbbbbbbbbbbbbbbbbbbb"],
  email: "joseph@elsewhere.com",
  phone: "(030) 99 99 4567",
  taxCode: "999996789",
  card: "5500-0000-0000-1111",
  salaries: [900_000, 5, -70],
  profile: '{"secret":["a long text about a person"]}',
  verdicts: ["not proven at all, and long", "zzz", "%"],
  ranks: [9, -4, 9],
  reviewers: ["gone", "foreign", "p0"],
  strangers: 7,
};

const ME = "agent_1";
const COLLEAGUE = "agent_2";
const AT = "2026-01-01T00:00:00.000Z";

/** The caller owns the last person and the last case: nothing of theirs differs. */
async function fill(api: ApiUnderTest, secrets: Secrets): Promise<void> {
  const stamps = (by: string): StoredValues => ({ createdAt: AT, modifiedAt: AT, createdBy: by });
  const ours = { organizationId: "org_1" };
  const person = (id: string, at: number): StoredValues => ({
    ...ours,
    ...stamps(COLLEAGUE),
    id,
    name: secrets.names[at] ?? "",
    nickname: `nick${at % 2}`,
    email: secrets.email,
    phone: at === 1 ? null : secrets.phone,
    taxCode: secrets.taxCode,
    card: secrets.card,
    salary: secrets.salaries[at] ?? null,
    profile: at === 2 ? null : secrets.profile,
    team: at % 2 ? "red" : "blue",
  });
  const people: StoredValues[] = [
    ...["p0", "p1", "p2"].map(person),
    { ...person("gone", 0), deletedAt: AT },
    { ...person("foreign", 1), organizationId: "org_2" },
    { ...person("mine", 9), ...stamps(ME), name: secrets.names[0] ?? "", email: "me@example.com" },
    ...strangers(secrets, (id) => ({ ...person(id, 0), organizationId: "org_2" })),
  ];
  const one = (id: string, at: number): StoredValues => ({
    ...ours,
    ...stamps(COLLEAGUE),
    id,
    title: `Case ${at % 2}`,
    verdict: secrets.verdicts[at] ?? null,
    rank: secrets.ranks[at] ?? null,
    urgent: at % 2,
    dueAt: at === 0 ? null : AT,
    personId: ["p0", "p1", "foreign"][at] ?? null,
    reviewerId: secrets.reviewers[at] ?? null,
    witnessId: secrets.reviewers[at] ?? null,
  });
  const cases: StoredValues[] = [
    ...["c0", "c1", "c2"].map(one),
    { ...one("cmine", 9), ...stamps(ME), verdict: "known", witnessId: "p0", personId: "mine" },
    ...strangers(secrets, (id) => ({ ...one(id, 0), organizationId: "org_2" })),
  ];
  await insertRows(api.database, api.project, { people, cases });
}

function strangers(secrets: Secrets, row: (id: string) => StoredValues): readonly StoredValues[] {
  return Array.from({ length: secrets.strangers }, (_, at) => row(`stranger${at}`));
}

/** Everything that can be asked of a list by its columns. */
function questionsOf(api: ApiUnderTest, path: string, resource: string): readonly string[] {
  const table = api.project.tables.find(({ name }) => name === resource);
  assert(table);
  const values = [
    ...[ONE, OTHER].flatMap((one) => [
      one.email,
      one.phone,
      one.taxCode,
      one.card,
      one.profile,
      ...one.names,
      ...one.verdicts,
      ...one.reviewers,
    ]),
    "1",
    "900000",
    "true",
    AT,
    "red",
    "%",
  ];
  const columns = table.columns.map(({ name }) => name);
  const byColumn = columns.flatMap((name, at) => [
    `sort=${name}`,
    `sort=-${name},id`,
    `sort=${name}&order=desc`,
    `fields=${name}`,
    ...["", ".ne", ".gt", ".lte", ".like", ".in"].map((operator, turn) => {
      const value = values[(at * 5 + turn) % values.length] ?? "";
      return `${name}${operator}=${encodeURIComponent(value)}&total=true`;
    }),
  ]);
  const keys = ["personId", "reviewerId", "witnessId", "personId,witnessId"];
  return [
    ...["", "total=true", "order=asc", "order=desc", "limit=1", "limit=2&offset=1", "search="],
    ...values.map((value) => `search=${encodeURIComponent(value)}&total=true`),
    ...keys.flatMap((key) => [`include=${key}`, `include=${key}&fields=id,${key}&limit=2`]),
    "include=personId&fields[personId]=name,email,salary",
    "include=witnessId&fields[witnessId]=id",
    "starting_after=AAAA",
    "nope=1",
    ...byColumn,
  ].map((query) => `${path}?${query}`);
}

function singleReads(): readonly string[] {
  const people = ["p0", "p1", "p2", "gone", "foreign", "mine", "stranger0", "stranger6", "nobody"];
  const cases = ["c0", "c1", "c2", "cmine", "stranger0", "stranger6", "nobody"];
  return [
    ...people.flatMap((id) => [`people/${id}`, `people/${id}?fields=name,salary`]),
    ...cases.flatMap((id) => [
      `cases/${id}`,
      `cases/${id}?include=personId`,
      `cases/${id}?include=personId,witnessId`,
      `cases/${id}?include=reviewerId`,
      `cases/${id}?fields=reviewerId`,
    ]),
  ];
}

const LISTS: readonly (readonly [path: string, resource: string])[] = [
  ["people", "people"],
  ["people/views/payroll", "people"],
  ["people/views/costs", "people"],
  ["people/views/teams", "people"],
  ["cases", "cases"],
  ["cases/views/ranking", "cases"],
  ["cases/views/numbers", "cases"],
  ["cases/views/ranks", "cases"],
];

interface Heard {
  readonly path: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** All that a caller hears over one database, cursors followed both ways. */
async function transcript(secrets: Secrets, as: Claims): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  await withDefinitions(FILES, async (api) => {
    await fill(api, secrets);
    const hear = async (path: string, ask: Parameters<ApiUnderTest["ask"]>[1] = {}) => {
      const answer = await api.ask(path, { as, ...ask });
      const { status, headers, text } = answer;
      heard.push({ path, status, headers: [...headers], text });
      return answer;
    };
    for (const [path, resource] of LISTS) {
      for (const question of questionsOf(api, path, resource)) await hear(question);
      for (const sort of ["", "&sort=-createdBy,title", "&sort=team", "&order=asc", "&sort=id"]) {
        let cursor = "";
        for (let page = 0; page < 5 && cursor !== "end"; page++) {
          const { body } = await hear(`${path}?limit=1${sort}${cursor}`);
          cursor = following(body, page < 3 ? "nextCursor" : "prevCursor");
        }
      }
    }
    for (const path of singleReads()) await hear(path);
    for (const id of ["p0", "foreign", "gone", "nobody"]) {
      await hear(`people/${id}`, { method: "PATCH", body: { team: "red" } });
      await hear(`people/${id}`, { method: "PATCH", body: { salary: 1 } });
    }
  });
  return heard;
}

function following(body: Readonly<Record<string, unknown>>, link: string): string {
  const cursor = isRecord(body["pagination"]) ? body["pagination"][link] : null;
  if (typeof cursor !== "string") return "end";
  return `&${link === "nextCursor" ? "starting_after" : "ending_before"}=${cursor}`;
}

const CALLERS: readonly (readonly [string, Claims])[] = [
  ["an agent who owns a few rows", { sub: ME, orgId: "org_1", roles: ["agent"] }],
  ["an agent who owns none", { sub: "agent_3", orgId: "org_1", roles: ["agent"] }],
  ["a guest who sees their own cases", { sub: ME, orgId: "org_1", roles: ["guest"] }],
  ["a stranger in the organization", { sub: ME, orgId: "org_1", roles: ["nobody"] }],
];

for (const [name, as] of CALLERS) {
  test(`${name} hears the same whatever is hidden from them`, async () => {
    const one = await transcript(ONE, as);
    const other = await transcript(OTHER, as);
    for (const [at, heard] of one.entries()) assertEquals(heard, other[at], heard.path);
    assertEquals(one.length, other.length);
    if (as.roles?.includes("agent")) {
      assert(one.filter(({ status }) => status === 200).length > 200, "Nearly all was refused");
    }
  });
}

test("an administrator, from whom nothing is masked, hears the difference", async () => {
  const as = { sub: ME, orgId: "org_1", roles: ["admin"] };
  const one = await transcript(ONE, as);
  const other = await transcript(OTHER, as);
  assert(one.some(({ text }, at) => text !== other[at]?.text));
});
