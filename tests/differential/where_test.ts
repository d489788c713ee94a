/** Conditions over relations, of random worlds, against a naive reading of them row by row (contract 4.3). */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { insertRows, type StoredValues } from "../support/insert_rows.ts";
import { type Random, seededRandom } from "../support/random.ts";

const WORLDS = 12;
const QUESTIONS = 60;
const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const LEA: Claims = { ...ANN, sub: "lea", roles: ["member", "lead"] };

const read = (more = "") => `read: { access: { roles: ["member"] }${more} },`;
const FILES = {
  "quickback/quickback.config.ts":
    'export default { name: "desk", rateLimit: { read: { limit: 1000, period: 60 } } };\n',
  "quickback/features/customers/customers.ts": `import { feature, q } from "quickback";
export default feature("customers", {
  columns: { id: q.id(), organizationId: q.scope("organization"), number: q.int(), name: q.text() },
  read: {
    access: { or: [{ roles: ["lead"] }, { roles: ["member"], record: { name: { notEquals: "d" } } }] },
    include: ["tickets.customerId"],
  },
});
`,
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
import customers from "../customers/customers";
const tickets = feature("tickets", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    number: q.int(),
    name: q.text(),
    customerId: q.text().references(() => customers.id),
    parentId: q.text().references(() => tickets.id),
  },
  ${
    read(`, include: ["replies.ticketId"], views: {
    joined: { fields: ["id", "number", "name", "customerId"], include: ["customerId", "replies.ticketId"] },
  }`)
  }
});
export default tickets;
`,
  "quickback/features/replies/replies.ts": `import { feature, q } from "quickback";
import tickets from "../tickets/tickets";
export default feature("replies", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    number: q.int(),
    name: q.text(),
    ticketId: q.text().references(() => tickets.id),
  },
  ${read()}
});
`,
};

type Table = "customers" | "tickets" | "replies";
type World = Readonly<Record<Table, readonly StoredValues[]>>;
type Conditions = Readonly<Record<string, unknown>>;

/** Every way from one table to another: the key that holds it, on this side or, in lists of children, on the other. */
const RELATIONS: Readonly<
  Record<Table, Readonly<Record<string, { to: Table; own?: string; other?: string }>>>
> = {
  customers: { tickets: { to: "tickets", other: "customerId" } },
  tickets: {
    customer: { to: "customers", own: "customerId" },
    parent: { to: "tickets", own: "parentId" },
    replies: { to: "replies", other: "ticketId" },
  },
  replies: { ticket: { to: "tickets", own: "ticketId" } },
};

function randomWorld(random: Random): World {
  const keyOf = (target: string, at: number) =>
    at === 0 ? null : `${target}${random.below(Math.min(at, 4))}`;
  const rows = (prefix: string, keys: Readonly<Record<string, string>>) =>
    Array.from({ length: 4 + random.below(8) }, (_, at): StoredValues => ({
      id: `${prefix}${at}`,
      organizationId: random.chance(80) ? "org_a" : "org_b",
      createdAt: "2026-01-02T03:04:05.678Z",
      deletedAt: random.chance(15) ? "2026-01-02T03:04:05.678Z" : null,
      number: random.chance(25) ? null : random.below(4),
      name: random.chance(20) ? null : random.pick(["a", "b", "c", "d"]),
      ...Object.fromEntries(
        Object.entries(keys).map((
          [key, target],
        ) => [key, random.chance(25) ? null : keyOf(target, at)]),
      ),
    }));
  return {
    customers: rows("c", {}),
    tickets: rows("t", { customerId: "c", parentId: "t" }),
    replies: rows("r", { ticketId: "t" }),
  };
}

/** `room`: levels that may still be opened. */
function randomWhere(random: Random, table: Table, room: number): Conditions {
  const members = Array.from({ length: 1 + random.below(2) }, () => randomMember);
  return Object.assign({}, ...members.map((member) => member(random, table, room)));
}

function randomMember(random: Random, table: Table, room: number): Conditions {
  if (room < 1 || random.chance(20)) return randomComparison(random, room);
  if (random.chance(15)) return { not: randomWhere(random, table, room - 1) };
  if (random.chance(40)) {
    const branches = Array.from(
      { length: 1 + random.below(4) },
      () => randomWhere(random, table, room - 1),
    );
    return { [random.pick(["or", "and"])]: branches };
  }
  const [name, { to, own }] = random.pick(Object.entries(RELATIONS[table]));
  if (own) return { [name]: randomWhere(random, to, room - 1) };
  if (room < 2) return randomComparison(random, room);
  return { [name]: { [random.pick(["some", "none"])]: randomWhere(random, to, room - 2) } };
}

function randomComparison(random: Random, room: number): Conditions {
  const name = random.pick(["a", "b", "c", null]);
  if (room < 1) return { name };
  return random.pick<Conditions>([
    { name },
    { name: { notEquals: name } },
    { name: { in: [name, "d"] } },
    { name: { notIn: [name, "d"] } },
    { number: { lessThan: random.below(4) } },
    { number: { greaterThanOrEqual: random.below(4) } },
    {},
  ]);
}

interface Asked {
  readonly world: World;
  readonly caller: Claims;
}

function visible({ world, caller }: Asked, table: Table): readonly StoredValues[] {
  return world[table].filter((row) =>
    row["organizationId"] === caller.orgId && row["deletedAt"] === null &&
    (table !== "customers" || caller === LEA || row["name"] !== "d")
  );
}

function holds(asked: Asked, table: Table, row: StoredValues, where: unknown): boolean {
  assert(isRecord(where));
  return Object.entries(where).every(([name, value]) => {
    if (name === "not") return !holds(asked, table, row, value);
    if (name === "or" || name === "and") {
      assert(Array.isArray(value));
      const judged = value.map((one) => holds(asked, table, row, one));
      return name === "or" ? judged.includes(true) : !judged.includes(false);
    }
    const relation = RELATIONS[table][name];
    if (!relation) return compares(row[name], value);
    const { to, own, other } = relation;
    const related = visible(asked, to).filter((one) =>
      own ? row[own] === one["id"] : one[String(other)] === row["id"]
    );
    const some = (conditions: unknown) => related.some((one) => holds(asked, to, one, conditions));
    if (own) return some(value);
    assert(isRecord(value));
    return "some" in value ? some(value["some"]) : !some(value["none"]);
  });
}

function compares(cell: unknown, value: unknown): boolean {
  if (!isRecord(value)) return cell === value;
  return Object.entries(value).every(([operator, operand]) => {
    const list: readonly unknown[] = Array.isArray(operand) ? operand : [];
    switch (operator) {
      case "notEquals":
        return cell !== operand;
      case "in":
        return list.includes(cell);
      case "notIn":
        return !list.includes(cell);
      case "lessThan":
        return typeof cell === "number" && cell < Number(operand);
      default:
        return typeof cell === "number" && cell >= Number(operand);
    }
  });
}

async function answer(api: ApiUnderTest, path: string, where: Conditions, as: Claims) {
  const query = new URLSearchParams({ where: JSON.stringify(where), total: "true", limit: "100" });
  const { status, body, text } = await api.ask(`${path}?${query}`, { as });
  assertEquals(status, 200, text);
  const { data, pagination } = body;
  assert(Array.isArray(data) && isRecord(pagination));
  return { data, total: pagination["total"] };
}

const idsOf = (rows: readonly StoredValues[]) => rows.map(({ id }) => id).toSorted();

for (let seed = 1; seed <= WORLDS; seed++) {
  Deno.test(`where over relations in world ${seed} finds what a naive reading finds`, async () => {
    const random = seededRandom(seed);
    const world = randomWorld(random);
    await withDefinitions(FILES, async (api) => {
      await insertRows(api.database, api.project, world);
      for (let asked = 0; asked < QUESTIONS; asked++) {
        const caller = random.pick([ANN, LEA]);
        const table = random.pick<Table>(["customers", "tickets", "tickets", "replies"]);
        const where = randomWhere(random, table, 5);
        // Others hold more than is allowed.
        if (JSON.stringify(where).length > 600) continue;
        const expected = visible({ world, caller }, table)
          .filter((row) => holds({ world, caller }, table, row, where))
          .filter((row) => table !== "customers" || caller === LEA || row["name"] !== "d");
        const at = `${table} ${JSON.stringify(where)} as ${caller.sub}`;
        const { data, total } = await answer(api, table, where, caller);
        assertEquals([idsOf(data), total], [idsOf(expected), expected.length], at);
      }
    });
  });
}

Deno.test("where over relations chooses rows of a view as of a list", async () => {
  const random = seededRandom(99);
  const world = randomWorld(random);
  await withDefinitions(FILES, async (api) => {
    await insertRows(api.database, api.project, world);
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const where = {
        [random.pick(["or", "and"])]: Array.from(
          { length: 3 },
          () =>
            random.chance(50)
              ? { customer: randomWhere(random, "customers", 3) }
              : { replies: { [random.pick(["some", "none"])]: randomComparison(random, 1) } },
        ),
      };
      const expected = visible({ world, caller: ANN }, "tickets")
        .filter((row) => holds({ world, caller: ANN }, "tickets", row, where));
      const at = JSON.stringify(where);
      const view = await answer(api, "tickets/views/joined", where, ANN);
      assertEquals([idsOf(view.data), view.total], [idsOf(expected), expected.length], at);
    }
  });
});
