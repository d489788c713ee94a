/** Whatever a caller sends is answered at the right layer: never a 500, never a hang. */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Ask, withApi } from "../../support/api.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { model as desk } from "../../support/sample_model.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin", "agent"] };

const TEXTS: readonly string[] = [
  "",
  "0",
  "-1",
  "1e9",
  "0x10",
  "NaN",
  "99999999999999999999",
  "true",
  "null",
  "' OR 1=1 --",
  '"; DROP TABLE tickets; --',
  "%",
  "_",
  "\\",
  "\u0000",
  "\ud83d",
  "😀",
  "a".repeat(9000),
  "2026-13-45",
  "2026-01-01T00:00:00Z",
  "__proto__",
  "constructor",
  "[object Object]",
  "../..",
  "javascript:alert(1)",
  ",".repeat(500),
];

const COLUMNS = [
  "id",
  "subject",
  "body",
  "status",
  "size",
  "priority",
  "score",
  "urgent",
  "dueAt",
  "link",
  "meta",
  "limit",
  "phone",
  "customerId",
  "revision",
  "organizationId",
  "createdAt",
  "nope",
  "__proto__",
  "toString",
];

const SUFFIXES = ["", ".ne", ".gt", ".lte", ".like", ".in", ".nope", ".", "[x]"];
const RESERVED = ["limit", "offset", "sort", "order", "fields", "total", "search"];

function query(random: Random): string {
  const pairs = Array.from({ length: random.below(4) }, () => {
    const name = random.chance(40)
      ? random.pick(RESERVED)
      : random.pick(COLUMNS) + random.pick(SUFFIXES);
    const value = random.chance(30) ? random.pick(COLUMNS) : random.pick(TEXTS);
    return `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`;
  });
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function value(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 4 : 6);
  switch (kind) {
    case 0:
      return random.pick(TEXTS);
    case 1:
      return random.pick([0, -0, 1.5, -1, 1e308, Number.MAX_SAFE_INTEGER + 2, 5e-324]);
    case 2:
      return random.chance(50);
    case 3:
      return null;
    case 4:
      return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
    default:
      return body(random, depth + 1);
  }
}

function body(random: Random, depth = 0): Record<string, unknown> {
  const entries = Array.from(
    { length: 1 + random.below(5) },
    () => [random.pick(COLUMNS), value(random, depth)] as const,
  );
  return Object.fromEntries(entries);
}

/** One hostile request; most are refused, some are good by chance. */
function ask(random: Random, ids: readonly string[]): readonly [path: string, Ask] {
  const id = random.chance(60)
    ? random.pick(ids)
    : encodeURIComponent(random.pick(TEXTS).toWellFormed());
  const resource = random.pick(["tickets", "customers", "articles"]);
  switch (random.below(5)) {
    case 0:
      return [`${resource}${query(random)}`, { as: admin }];
    case 1:
      return [`${resource}/${id}${query(random)}`, { as: admin }];
    case 2: {
      const sent = random.chance(80) ? { subject: "a", ...body(random) } : value(random);
      return [`${resource}${query(random)}`, { as: admin, method: "POST", body: sent ?? "null" }];
    }
    case 3:
      return [`${resource}/${id}`, { as: admin, method: "PATCH", body: body(random) }];
    default:
      return [`articles${query(random)}`, {}];
  }
}

async function seededIds(api: ApiUnderTest): Promise<readonly string[]> {
  const ticket = await api.ask("tickets", { as: admin, body: { subject: "Help" } });
  const customer = await api.ask("customers", { as: admin, body: { name: "a", email: "b" } });
  assertEquals([ticket.status, customer.status], [201, 201]);
  return [String(ticket.body["id"]), String(customer.body["id"])];
}

for (const seed of [1, 2, 3]) {
  Deno.test(`400 hostile requests of seed ${seed} are answered as described, none with a 500`, async () => {
    await withApi(desk, async (api) => {
      const random = seededRandom(seed);
      const ids = await seededIds(api);
      const seen = new Set<number>();
      for (let at = 0; at < 400; at += 1) {
        const [path, options] = ask(random, ids);
        const answer = await api.ask(path, options);
        seen.add(answer.status);
        assert(answer.status < 500, `${path} ${JSON.stringify(options)}: ${answer.text}`);
      }
      assertEquals(api.log, []);
      assert(seen.has(200) && seen.has(400) && seen.has(403), [...seen].join(" "));
    });
  });
}
