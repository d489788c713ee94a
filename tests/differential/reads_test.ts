/** Lists of random worlds against a naive reading of them: same rows, same order, same numbers, same refusals. */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { insertRows } from "../support/insert_rows.ts";
import { seededRandom } from "../support/random.ts";
import { definitionsOf, randomWorld, type World } from "./reads/domain.ts";
import {
  type Answer,
  type Caller,
  naiveGroups,
  naiveList,
  type Outcome,
  type Question,
} from "./reads/naive_reads.ts";
import {
  nearQuestion,
  randomCaller,
  randomGroupQuestion,
  randomQuestion,
} from "./reads/questions.ts";
import { withVectors } from "./reads/vectors.ts";

const WORLDS = 40;
const QUESTIONS = 36;

for (let seed = 1; seed <= WORLDS; seed++) {
  Deno.test(`world ${seed} answers every question as a naive reading does`, async () => {
    const random = seededRandom(seed);
    const world = randomWorld(random);
    await withWorld(world, async (api) => {
      let answered = 0;
      for (let asked = 0; asked < QUESTIONS; asked++) {
        const question = randomQuestion(random, world);
        const caller = randomCaller(random);
        const expected = naiveList(world, question, caller);
        // The second answer comes from what the first one had put together.
        for (const time of ["at first", "again"]) {
          const asked = `${at(question, caller)}, ${time}`;
          assertEquals(await ask(api, question, caller), comparable(expected), asked);
        }
        if (expected.kind === "answer") answered++;
      }
      assert(answered > 0, "Every question was refused");
    });
  });

  Deno.test(`world ${seed} is walked by cursor forward and backward, every row once`, async () => {
    const random = seededRandom(seed + 1000);
    const world = randomWorld(random);
    await withWorld(world, async (api) => {
      for (let asked = 0; asked < QUESTIONS / 4; asked++) {
        const question = withoutPlace(randomQuestion(random, world));
        const caller = randomCaller(random);
        const limit = 1 + random.below(4);
        const expected = naiveList(world, question, caller);
        if (expected.kind === "answer") {
          await walk(api, { question, caller, limit, order: expected.answer.order });
        }
      }
    });
  });
}

for (let seed = 1; seed <= WORLDS; seed++) {
  Deno.test(`world ${seed} makes groups as a naive reading does`, async () => {
    const random = seededRandom(seed + 2000);
    const world = randomWorld(random);
    await withWorld(world, async (api) => {
      for (let asked = 0; asked < QUESTIONS / 2; asked++) {
        const question = randomGroupQuestion(random, world);
        const caller = randomCaller(random);
        const query = new URLSearchParams(
          question.parameters.map(([name, value]) => [name, value]),
        );
        const path = `${question.table}/views/groups?${query}`;
        const expected = naiveGroups(world, question, caller);
        assertEquals(
          await answered(api, path, caller),
          comparable(expected),
          `${path} as ${caller.roles} ${caller.userId} of ${caller.organizationId}`,
        );
      }
    });
  });
}

/** Records of the answers of all worlds. */
let nearest = 0;

for (let seed = 1; seed <= WORLDS; seed++) {
  Deno.test(`world ${seed} finds what is nearest as a naive reading does`, async () => {
    const random = seededRandom(seed + 3000);
    const world = withVectors(random, randomWorld(random));
    await withWorld(world, async (api) => {
      for (let asked = 0; asked < QUESTIONS; asked++) {
        const question = nearQuestion(random, world);
        const caller = randomCaller(random);
        const expected = naiveList(world, question, caller);
        for (const time of ["at first", "again"]) {
          const asked = `${at(question, caller)}, ${time}`;
          assertEquals(await ask(api, question, caller), comparable(expected), asked);
        }
        if (expected.kind === "answer") nearest += expected.answer.data.length;
      }
    });
  });
}

Deno.test("the worlds had something that was near", () => assert(nearest > 300, `${nearest}`));

async function withWorld(world: World, body: (api: ApiUnderTest) => Promise<void>): Promise<void> {
  await withDefinitions(definitionsOf(world), async (api) => {
    const { authors, notes } = world;
    await insertRows(api.database, api.project, { authors: authors.rows, notes: notes.rows });
    for (const [id, place] of notes.vector?.values ?? []) {
      await api.database.write((transaction) =>
        transaction.run({
          sql: "UPDATE notes SET place = vector32(?) WHERE id = ?",
          args: [JSON.stringify(place), id],
        })
      );
    }
    await body(api);
  });
}

function at(question: Question, caller: Caller): string {
  return `${pathOf(question)} as ${caller.roles} ${caller.userId} of ${caller.organizationId}`;
}

function pathOf({ table, view, parameters }: Question): string {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
  return `${table}${view ? "/views/board" : ""}?${query}`;
}

function claimsOf({ userId, organizationId, roles }: Caller): Claims {
  return { sub: userId, orgId: organizationId, roles };
}

function ask(api: ApiUnderTest, question: Question, caller: Caller): Promise<unknown> {
  return answered(api, pathOf(question), caller);
}

async function answered(api: ApiUnderTest, path: string, caller: Caller): Promise<unknown> {
  const { status, body } = await api.ask(path, { as: claimsOf(caller) });
  if (status !== 200) return { status, code: body["code"] };
  const { pagination, aggregations, ...rest } = body;
  assert(isRecord(pagination));
  const { nextCursor: _next, prevCursor: _previous, ...numbers } = pagination;
  const sums = isRecord(aggregations) ? { aggregations: rounded(aggregations) } : {};
  const { data } = rest;
  return {
    status,
    ...rest,
    ...(Array.isArray(data) ? { data: data.map(rounded) } : {}),
    pagination: numbers,
    ...sums,
  };
}

function comparable(outcome: Outcome): unknown {
  if (outcome.kind === "refused") return { status: outcome.status, code: outcome.code };
  const { order: _order, aggregations, ...answer } = outcome.answer;
  return {
    status: 200,
    ...answer,
    data: answer.data.map(rounded),
    ...(aggregations ? { aggregations: rounded(aggregations) } : {}),
  };
}

/** Sums of reals depend on the order of adding in their last digits. */
function rounded(numbers: Answer["aggregations"] | Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(numbers ?? {}).map(([name, value]) => [
      name,
      typeof value !== "number"
        ? value
        // Distances are of 32-bit floats.
        : Number(name === "_distance" ? value.toFixed(5) : value.toPrecision(10)) + 0,
    ]),
  );
}

/** A walk shows every row, so its records carry their ids. */
function withoutPlace(question: Question): Question {
  const parameters = question.parameters.filter(([name]) =>
    name !== "limit" && name !== "offset" && name !== "fields" && !name.startsWith("include") &&
    !name.startsWith("fields[")
  );
  return { ...question, view: false, parameters };
}

interface Walk {
  readonly question: Question;
  readonly caller: Caller;
  readonly limit: number;
  readonly order: readonly string[];
}

interface Visited {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly page: unknown;
  readonly hasMore: unknown;
}

async function walk(api: ApiUnderTest, way: Walk): Promise<void> {
  const place = at(way.question, way.caller);
  const forward = [await visit(api, way, null)];
  for (let last = forward[0]; last?.next; last = forward.at(-1)) {
    forward.push(await visit(api, way, ["starting_after", last.next]));
    assert(forward.length <= way.order.length, `${place} does not end`);
  }
  assertEquals(forward.flatMap(({ ids }) => ids), way.order, place);
  const pages = forward.map((_, index) => index + 1);
  assertEquals(forward.map(({ page }) => page), pages, place);
  assertEquals(forward.map(({ hasMore }) => hasMore), pages.map((page) => page < pages.length));

  const backward = [...forward.slice(-1)];
  for (let first = backward[0]; first?.previous; first = backward[0]) {
    backward.unshift(await visit(api, way, ["ending_before", first.previous]));
    assert(backward.length <= way.order.length, `${place} does not begin`);
  }
  assertEquals(backward.map(({ ids }) => ids), forward.map(({ ids }) => ids), place);
}

async function visit(
  api: ApiUnderTest,
  { question, caller, limit }: Walk,
  cursor: readonly [string, string] | null,
): Promise<Visited> {
  const parameters = [
    ...question.parameters,
    ["limit", String(limit)] as const,
    ...(cursor ? [cursor] : []),
  ];
  const { body } = await api.ask(pathOf({ ...question, parameters }), { as: claimsOf(caller) });
  const { data, pagination } = body;
  assert(Array.isArray(data) && isRecord(pagination), pathOf({ ...question, parameters }));
  return {
    ids: data.map((record: unknown) => isRecord(record) ? String(record["id"]) : ""),
    next: textOrNull(pagination["nextCursor"]),
    previous: textOrNull(pagination["prevCursor"]),
    page: pagination["page"],
    hasMore: pagination["hasMore"],
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
