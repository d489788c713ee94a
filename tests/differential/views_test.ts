/** Random rules of a resource and of its views, each asked by every set of roles: the API and the oracle agree (definitions 4.5). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { Principal } from "../../shared/model/mod.ts";
import { ANONYMOUS } from "../../shared/model/principal.ts";
import { admits, mayAdmit } from "../../shared/oracle/judge.ts";
import type { Claims } from "../support/api.ts";
import { withApi } from "../support/api.ts";
import { type Random, seededRandom } from "../support/random.ts";

const ROLES = ["red", "green", "blue", "seeder"] as const;

type Rule =
  | { readonly roles: readonly string[] }
  | { readonly record: { readonly [column: string]: number } }
  | { readonly or: readonly Rule[] }
  | { readonly and: readonly Rule[] };

function ruleOf(random: Random, depth: number): Rule {
  switch (random.below(depth > 0 ? 6 : 3)) {
    case 0:
      return { record: { [["size", "age"][random.below(2)] ?? "size"]: random.below(2) } };
    case 1:
    case 2: {
      const roles = ["red", "green", "blue", "AUTHENTICATED"];
      const from = random.below(4);
      return { roles: roles.slice(from, from + 1 + random.below(2)) };
    }
    case 3:
      return { or: [ruleOf(random, depth - 1), ruleOf(random, depth - 1)] };
    default:
      return { and: [ruleOf(random, depth - 1), ruleOf(random, depth - 1)] };
  }
}

/** The same rule, in the words of definitions 4.2 and nothing of the model: undefined is a caller whom no row admits. */
function truth(rule: Rule, roles: readonly string[], row: Row | null): boolean {
  if ("roles" in rule) {
    return rule.roles.some((role) => role === "AUTHENTICATED" || roles.includes(role));
  }
  if ("record" in rule) {
    return row === null ||
      Object.entries(rule.record).every(([name, value]) => row[name] === value);
  }
  return "or" in rule
    ? rule.or.some((part) => truth(part, roles, row))
    : rule.and.every((part) => truth(part, roles, row));
}

function named(rule: Rule): readonly string[] {
  if ("roles" in rule) return rule.roles;
  if ("record" in rule) return [];
  return ("or" in rule ? rule.or : rule.and).flatMap(named);
}

/** Whom the resource's rule admits has both; who holds a role that only the view names has the view's own. */
function viewTruth(read: Rule, own: Rule, roles: readonly string[], row: Row | null): boolean {
  if (truth(read, roles, null) && truth(own, roles, null)) {
    return truth(read, roles, row) && truth(own, roles, row);
  }
  const known = named(read);
  if (known.length === 0 || known.includes("AUTHENTICATED")) return false;
  const further = named(own).filter((role) => !known.includes(role));
  const holdsOne = further.some((role) => role === "AUTHENTICATED" || roles.includes(role));
  return holdsOne && truth(own, roles, row);
}

type Row = Readonly<Record<string, unknown>>;

const ROWS: readonly Row[] = [0, 1].flatMap((size) =>
  [0, 1].map((age) => ({ id: `r${size}${age}`, size, age }))
);

const SETS = Array.from(
  { length: 8 },
  (_, bits) => ROLES.slice(0, 3).filter((_, at) => (bits >> at & 1) === 1),
);

function definitions(read: Rule, own: readonly Rule[]): Readonly<Record<string, string>> {
  const views = own.map((rule, at) =>
    `v${at}: { fields: ["id"], access: ${JSON.stringify(rule)} }`
  );
  return {
    "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "w", auth: { roles: ${JSON.stringify(ROLES)} },
  providers: { database: defineDatabase("libsql", { generateId: false }) },
});
`,
    "quickback/features/w/things.ts": `import { feature, q } from "quickback";
export default feature("things", {
  columns: { organizationId: q.scope("organization"), size: q.int(), age: q.int() },
  guards: false,
  read: { access: ${JSON.stringify(read)}, views: { ${views.join(", ")} } },
  upsert: { access: { roles: ["seeder"] } },
});
`,
  };
}

interface Counts {
  asked: number;
  refused: number;
  alone: number;
}

async function compareProject(seed: number, counts: Counts): Promise<void> {
  const random = seededRandom(seed);
  const read = ruleOf(random, 2);
  const own = Array.from({ length: 3 }, () => ruleOf(random, 2));
  const validation = validate(definitions(read, own));
  assert(validation.ok, `${seed}: ${JSON.stringify(validation)}`);
  const resource = validation.model.resources[0];
  await withApi(validation.model, async (api) => {
    const seeder: Claims = { sub: "sue", orgId: "org_a", roles: ["seeder"] };
    for (const { id, ...body } of ROWS) {
      const { status, text } = await api.ask(`things/${id}`, { method: "PUT", as: seeder, body });
      assertEquals(status, 201, text);
    }
    for (const roles of SETS) {
      const caller: Principal = {
        ...ANONYMOUS,
        credential: "token",
        userId: "ann",
        organizationId: "org_a",
        roles,
      };
      for (const [at, rule] of own.entries()) {
        const what = JSON.stringify({ seed, read, rule, roles });
        const access = resource?.read?.views[at]?.access;
        assert(access);
        const answer = await api.ask(`things/views/v${at}`, {
          as: { sub: "ann", orgId: "org_a", roles },
        });
        const isIn = viewTruth(read, rule, roles, null);
        assertEquals([answer.status, mayAdmit(access, caller)], [isIn ? 200 : 403, isIn], what);
        const plain = await api.ask("things", { as: { sub: "ann", orgId: "org_a", roles } });
        assertEquals(plain.status, truth(read, roles, null) ? 200 : 403, what);
        counts.asked += 1;
        if (!isIn) counts.refused += 1;
        if (isIn && plain.status === 403) counts.alone += 1;
        if (!isIn) continue;
        const { data } = answer.body;
        const ids = Array.isArray(data) ? data.map(({ id }) => String(id)).toSorted() : [];
        const expected = ROWS.filter((row) => viewTruth(read, rule, roles, row));
        assertEquals(ids, expected.map(({ id }) => String(id)), what);
        const told = ROWS.filter((row) => admits(access, caller, row));
        assertEquals(told.map(({ id }) => String(id)), ids, `the oracle: ${what}`);
      }
    }
  });
}

Deno.test("views of 60 random projects answer each set of roles what their rules say", async () => {
  const counts = { asked: 0, refused: 0, alone: 0 };
  for (let seed = 1; seed <= 60; seed += 1) await compareProject(seed, counts);
  assertEquals(counts.asked, 60 * 8 * 3);
  assert(counts.refused > 200 && counts.alone > 100, JSON.stringify(counts));
});
