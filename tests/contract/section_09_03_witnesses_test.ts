/**
 * The description promises nothing that is never kept (contract 4.7, 9.3): every operation of the helpdesk's records, views and
 * actions, and of its descriptions, is driven to every status and header that is declared for it. That nothing undeclared is
 * answered, every test checks.
 */
import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { emitOpenApi } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type Database, DatabaseUnavailableError, memoryPubSub } from "../../shared/runtime/mod.ts";
import type { Answer, ApiUnderTest, Ask } from "../support/api.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { ADA, helpdeskRequest, type Sent } from "../support/helpdesk_requests.ts";
import { limiterOf } from "../support/limiter.ts";
import { declaredAnswers } from "../support/openapi_check.ts";
import { manualTimer } from "../support/realtime.ts";
import { projectFiles } from "../support/sample_files.ts";

const test = ofOneDatabase("its faults are planted in one database");

const HELPDESK = await projectFiles(new URL("../../examples/helpdesk/", import.meta.url));

test("every declared status and header of the helpdesk has a witness", async () => {
  await withWorld(async (world) => {
    const { project, witnessed } = world;
    for (const operation of operationsIn(project)) {
      for (const provoke of Object.values(PROVOCATIONS)) await provoke(world, operation);
    }
    const declared = declaredAnswers(emitOpenApi(project)).filter(isDriven);
    const unseen = declared.filter((one) => !witnessed.has(one) && !isKeptQuota(one));
    assertEquals(unseen, LOST_IN_A_RACE);
  });
});

/** Every state may be resolved: only the loser of a race is refused, and a write under a key waits for its turn. */
const LOST_IN_A_RACE: readonly string[] = ["runTickets_Resolve 409 idempotency-replayed"];

/**
 * A refusal of `ROWS_MAX_PER_TENANT` that is sent again under its key: the project runs without that limit, and
 * section_07_row_quota_test sees it.
 */
function isKeptQuota(one: string): boolean {
  return /^(?:batchC|c)reate\w+ 403 idempotency-replayed$/.test(one);
}

interface Described {
  readonly operationId: string;
  readonly method: string;
  /** With its placeholders. */
  readonly path: string;
}

interface World {
  readonly api: ApiUnderTest;
  readonly project: ProjectModel;
  readonly witnessed: Set<string>;
  readonly faults: Faults;
}

/** Switches: the limiter refuses, the database fails or is out of use, time flies, the next write waits. */
interface Faults {
  isLimited: boolean;
  isBroken: boolean;
  isOut: boolean;
  isLate: boolean;
  gate: {
    readonly reached: PromiseWithResolvers<void>;
    readonly open: PromiseWithResolvers<void>;
  } | null;
}

type Provocation = (world: World, operation: Described) => Promise<void>;

let keys = 0;

const PROVOCATIONS = {
  success: (world, operation) => bent(world, operation, {}),
  nobody: (world, operation) => bent(world, operation, { headers: { authorization: "Bearer x" } }),
  noRole: (world, operation) => bent(world, operation, { as: { ...ADA, roles: [] } }),
  noOrganization: (world, operation) => bent(world, operation, { as: { sub: ADA.sub } }),
  otherOrganization: (world, operation) =>
    bent(world, operation, {}, (path) => `${path}?organizationId=org_b`),
  unknownParameter: (world, operation) => bent(world, operation, {}, (path) => `${path}?nope.x=1`),
  noHost: (world, operation) => bent(world, operation, { headers: { host: "a b" } }),
  missing: (world, operation) => bent(world, operation, {}, withoutRecord),
  noJson: (world, operation) => bent(world, operation, { body: "{" }),
  tooLarge: (world, operation) => bent(world, operation, { body: `"${"x".repeat(1 << 20)}"` }),
  otherMedia: (world, operation) =>
    bent(world, operation, { headers: { "content-type": "text/plain" } }),
  badKey: (world, operation) => bent(world, operation, { headers: { "idempotency-key": "a b" } }),
  ifMatch: (world, operation) => bent(world, operation, { headers: { "if-match": '"x"' } }),
  dryRun: (world, operation) => bent(world, operation, {}, (path) => `${path}?dryRun=true`),
  limited: (world, operation) => switched(world, "isLimited", operation),
  guessed: (world, operation) =>
    switched(world, "isLimited", operation, {
      headers: { authorization: "Bearer x" },
      clientIp: "192.0.2.1",
    }),
  broken: (world, operation) => switched(world, "isBroken", operation),
  out: (world, operation) => switched(world, "isOut", operation),
  late: (world, operation) =>
    switched(world, "isLate", operation, { body: new ReadableStream<Uint8Array>() }),
  async usedKey(world, operation) {
    const headers = { "idempotency-key": `used-${++keys}` };
    const other = await helpdeskRequest("createArticles", "/api/v1/articles", world.api);
    if (other) await send(world, bentRequest(other, { headers }));
    await bent(world, operation, { headers });
  },
  /** What is kept under a key is answered again. */
  async repeated(world, operation) {
    if (operation.method === "get") return;
    for (const { more = {}, address = (path: string) => path } of REPEATED) {
      const headers = { ...more.headers, "idempotency-key": `again-${++keys}` };
      const { path, ask } = bentRequest(await requestFor(operation, world.api), {
        ...more,
        headers,
      });
      const request = { path: address(path), ask };
      await send(world, request);
      await send(world, request);
    }
    await partly(world, operation, "", `partly-${++keys}`);
    // The same once more is too late: taken, gone, or moved already.
    const done = await requestFor(operation, world.api);
    const late = bentRequest(done, { headers: { "idempotency-key": `late-${++keys}` } });
    for (const request of [done, late, late]) await send(world, request);
  },
  async inFlight(world, operation) {
    if (operation.method === "get") return;
    const headers = { "idempotency-key": `twice-${++keys}` };
    const request = bentRequest(await requestFor(operation, world.api), { headers });
    const gate = { reached: Promise.withResolvers<void>(), open: Promise.withResolvers<void>() };
    world.faults.gate = gate;
    const first = send(world, request);
    await gate.reached.promise;
    await send(world, request);
    gate.open.resolve();
    await first;
  },
  async unchanged(world, operation) {
    if (operation.method !== "get") return;
    const request = await requestFor(operation, world.api);
    const etag = (await send(world, request)).headers.get("etag");
    if (etag === null) return;
    await send(world, bentRequest(request, { headers: { "if-none-match": etag } }));
  },
  async nextPage(world, operation) {
    const [, name] = /^list(\w+)$/.exec(operation.operationId) ?? [];
    for (const _ of name === undefined ? [] : [1, 2]) {
      const path = operation.path;
      await bent(world, { operationId: `create${name}`, method: "post", path }, {});
    }
    await bent(world, operation, {}, (path) => `${path}?limit=1`);
  },
  partly: (world, operation) => partly(world, operation, ""),
  partlyDryRun: (world, operation) => partly(world, operation, "?dryRun=true"),
} satisfies Readonly<Record<string, Provocation>>;

const REPEATED: readonly { readonly more?: Ask; readonly address?: (path: string) => string }[] = [
  {},
  { address: withoutRecord },
  { address: (path) => `${path}?organizationId=org_b` },
  { address: (path) => `${path}?nope.x=1` },
  { more: { headers: { "content-type": "text/plain" } } },
  { more: { headers: { "if-match": '"x"' } } },
];

function withoutRecord(path: string): string {
  return path.replace(/(?<=\/)(?:\w+_[0-9a-f]{32}|not-found)/, "nothing");
}

/** The good request with one thing wrong. */
async function bent(
  world: World,
  operation: Described,
  more: Ask,
  address: (path: string) => string = (path) => path,
): Promise<void> {
  const { path, ask } = bentRequest(await requestFor(operation, world.api), more);
  await send(world, { path: address(path), ask });
}

function bentRequest({ path, ask }: Sent, more: Ask): Sent {
  if (more.body !== undefined && ask.body === undefined) return { path, ask };
  return { path, ask: { ...ask, ...more, headers: { ...ask.headers, ...more.headers } } };
}

async function requestFor({ operationId, path, method }: Described, api: ApiUnderTest) {
  return await helpdeskRequest(operationId, path, api) ??
    { path: path.replace("{code}", "not-found"), ask: { as: ADA, method: method.toUpperCase() } };
}

/** A batch with one member that cannot succeed; under a key, twice. */
async function partly(
  world: World,
  operation: Described,
  search: string,
  key: string | null = null,
): Promise<void> {
  const { path, ask } = await requestFor(operation, world.api);
  const { body } = ask;
  if (typeof body !== "object" || body === null) return;
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...value, name === "ids" ? "nothing" : { id: "x" }] : value,
  ]);
  const headers = key === null ? {} : { "idempotency-key": key };
  const request = {
    path: path + search,
    ask: { ...ask, headers, body: Object.fromEntries(entries) },
  };
  await send(world, request);
  if (key !== null) await send(world, request);
}

async function switched(
  world: World,
  fault: "isLimited" | "isBroken" | "isOut" | "isLate",
  operation: Described,
  more: Ask = {},
): Promise<void> {
  const request = bentRequest(await requestFor(operation, world.api), more);
  world.faults[fault] = true;
  try {
    await send(world, request);
  } finally {
    world.faults[fault] = false;
  }
}

function send({ api }: World, { path, ask }: Sent): Promise<Answer> {
  return api.ask(path, ask);
}

function operationsIn(project: ProjectModel): readonly Described[] {
  const document: { readonly paths: Record<string, Record<string, { operationId: string }>> } = JSON
    .parse(emitOpenApi(project));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ operationId, method, path }))
  ).filter(({ operationId }) => isDriven(operationId));
}

/** Accounts, tokens, streams and the protocol of models are driven by the tests of their sections. */
function isDriven(declared: string): boolean {
  return !/^(?:auth[A-Z]|service(?:Token|ScopeToken|Events|Mcp)\b)/.test(declared);
}

const noBytes = () => Promise.resolve(new Uint8Array());

async function withWorld(body: (world: World) => Promise<void>): Promise<void> {
  const witnessed = new Set<string>();
  const faults: Faults = {
    isLimited: false,
    isBroken: false,
    isOut: false,
    isLate: false,
    gate: null,
  };
  const requireWorking = () => {
    if (faults.isBroken) throw new Error("Broken");
    if (faults.isOut) throw new DatabaseUnavailableError("Out", 1);
  };
  const wrap = (database: Database): Database => ({
    // As on a server, which names the place of each write.
    positions: { last: () => "7", listen: () => {}, restart: () => () => {} },
    ...database,
    async run(statement) {
      requireWorking();
      return await database.run(statement);
    },
    async write(work) {
      requireWorking();
      const { gate } = faults;
      faults.gate = null;
      gate?.reached.resolve();
      await gate?.open.promise;
      return await database.write(work);
    },
  });
  await withCompiled(
    HELPDESK,
    ({ model: project, code }) =>
      withAccountsApi((api) => body({ api, project, witnessed, faults }), {
        project,
        code,
        wrap,
        witness: (declared) => void witnessed.add(declared),
        docs: { script: noBytes, style: noBytes },
        limiter: limiterOf(() => Promise.resolve(!faults.isLimited)),
        timer: { after: (_, run) => (faults.isLate && queueMicrotask(run), () => {}) },
        realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
      }),
  );
}
