/**
 * Every action of every example, brought to success by a client: input from its schema, rows made through the API and
 * brought into the right state by other actions (contract 3.2, 4.4).
 */
import { assert, assertEquals } from "@std/assert";
import { inReferenceOrder, sampleBody } from "../../cli/dev/demo/sample_rows.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { ActionModel, TenantOfModel } from "../../shared/model/action.ts";
import type { TableModel } from "../../shared/model/table.ts";
import { createSecretBox, databaseQueue, memoryPubSub } from "../../shared/runtime/mod.ts";
import {
  type ActionOperation,
  actionOperationsOf,
} from "../../shared/surface/action_operations.ts";
import { schemaExample } from "../../shared/lib/schema_example.ts";
import { schemaJson } from "../../shared/surface/schema/zod_json.ts";
import {
  type Answer,
  type ApiOptions,
  type ApiUnderTest,
  AUTH_SECRET,
  type Claims,
  isRecord,
  START,
} from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { manualTimer } from "../support/realtime.ts";
import { projectFiles } from "../support/sample_files.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** Actions that prepare a record for another one. */
const STEPS_MAX = 3;

/** Nothing is emitted to anybody here. */
const PORTS: Pick<ApiOptions, "realtime" | "webhooks"> = {
  realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
  webhooks: (ports) => ({
    queue: databaseQueue(ports),
    secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
    resolver: { resolve: () => Promise.reject(new Error("Nothing is looked up")) },
    dialer: { post: () => Promise.reject(new Error("Nothing is sent")) },
    env: {},
  }),
};

/** One API, and somebody with every role in it. */
class Stage {
  readonly #api: ApiUnderTest;
  readonly #caller: Claims;
  readonly #operations: readonly ActionOperation[];
  #made = 0;

  constructor(api: ApiUnderTest) {
    const { auth } = api.project;
    this.#api = api;
    this.#operations = actionOperationsOf(api.project);
    this.#caller = {
      sub: "user_1",
      orgId: "org_1",
      roles: [...new Set([...auth.roleHierarchy, ...auth.roles])],
    };
  }

  get operations(): readonly ActionOperation[] {
    return this.#operations;
  }

  ask(path: string, ask: Parameters<ApiUnderTest["ask"]>[1] = {}): Promise<Answer> {
    return this.#api.ask(path, { as: this.#caller, ...ask });
  }

  /** A record that nothing has been done with, and its parents. */
  async fresh(tableName: string): Promise<string> {
    const { project } = this.#api;
    const rows = new Map<string, string>();
    for (const resource of inReferenceOrder(project)) {
      const table = project.tables.find(({ name }) => name === resource.table);
      assert(table);
      const body = sampleBody(resource, table, rows, new Date(START).toISOString());
      const answer = await this.ask(resource.segment, { body: this.#unlike(table, body) });
      if (resource.table !== tableName && answer.status !== 201) continue;
      assertEquals(answer.status, 201, `${resource.name}: ${answer.text}`);
      rows.set(resource.name, String(answer.body["id"]));
      if (resource.table !== tableName) continue;
      await this.#countedBy(table, rows);
      return String(answer.body["id"]);
    }
    throw new Error(`No resource has the table "${tableName}"`);
  }

  /** Makes a row in each table that a total of this one is counted from; which of them come to be is left to their rules. */
  async #countedBy(table: TableModel, made: ReadonlyMap<string, string>): Promise<void> {
    const { project } = this.#api;
    const counted = new Set(table.columns.flatMap(({ rollup }) => rollup ? [rollup.table] : []));
    const rows = new Map(made);
    for (const resource of inReferenceOrder(project)) {
      const child = project.tables.find(({ name }) => name === resource.table);
      if (child === undefined || rows.has(resource.name)) continue;
      const body = sampleBody(resource, child, rows, new Date(START).toISOString());
      const isNeeded = counted.has(child.name) ||
        !child.columns.some(({ references }) => references?.table === table.name);
      if (!isNeeded) continue;
      const answer = await this.ask(resource.segment, { body: this.#unlike(child, body) });
      if (answer.status === 201) rows.set(resource.name, String(answer.body["id"]));
    }
  }

  /** Unique texts are like no other's. */
  #unlike(table: TableModel, body: Readonly<Record<string, unknown>> | null) {
    this.#made += 1;
    const unique = table.indexes.flatMap((index) => index.unique ? index.columns : []);
    return Object.fromEntries(
      Object.entries(body ?? {}).map(([name, value]) =>
        unique.includes(name) && typeof value === "string"
          ? [name, `${value} ${this.#made}`.slice(-30)]
          : [name, value]
      ),
    );
  }

  /** The text that names a tenant: what a new row has in that column. */
  async #textOf({ table, column }: TenantOfModel): Promise<string> {
    const id = await this.fresh(table);
    const resource = this.#api.project.resources.find((one) => one.table === table);
    const { body, text } = await this.ask(`${resource?.segment}/${id}`);
    const value = body[column];
    assert(typeof value === "string", text);
    return value;
  }

  async inputs({ input, refs, tenantOf, transition }: ActionModel): Promise<readonly object[]> {
    const example = schemaExample(schemaJson(input, "input"));
    const named = new Map<string, string>();
    for (const [field, table] of Object.entries(refs)) named.set(field, await this.fresh(table));
    if (tenantOf !== undefined) named.set(tenantOf.input, await this.#textOf(tenantOf));
    const base = { ...(isRecord(example) ? example : {}), ...Object.fromEntries(named) };
    if (transition?.target.kind !== "via") return [base];
    const { target: { input: member }, fromTo } = transition;
    return [...new Set(Object.values(fromTo).flat())].map((to) => ({ ...base, [member]: to }));
  }

  /** The answers to each input, until one succeeds. */
  async run(
    { action, kind, method, path, resource }: ActionOperation,
    id: string,
  ): Promise<Answer> {
    let answer: Answer | null = null;
    for (const input of await this.inputs(action)) {
      const members: Readonly<Record<string, unknown>> = { ...input };
      const address = path.replace(":id", id).replace(
        /:(\w+)/g,
        (_, name) => encodeURIComponent(String(members[name])),
      );
      const inPath = new Set(path.match(/(?<=:)\w+/g));
      const body = kind === "bulkAction" ? { ids: [id], input } : input;
      answer = method === "GET"
        ? await this.ask(
          `${address}?${new URLSearchParams(
            Object.entries(input).flatMap(([name, value]) =>
              inPath.has(name) ? [] : [[name, String(value)]]
            ),
          )}`,
        )
        : await this.ask(address, { method, body });
      if (answer.status < 300 && answer.status !== 207) break;
    }
    assert(answer, `"${resource?.name}.${action.name}" has no input`);
    return answer;
  }

  /** Whatever else can be done with one record of that table. */
  steps(action: ActionModel): readonly ActionOperation[] {
    return this.#operations.filter((one) =>
      one.kind === "recordAction" && one.action.table === action.table && one.action !== action
    );
  }
}

function succeeded({ status }: Answer): boolean {
  return status >= 200 && status < 300 && status !== 207;
}

/** The shortest ways first. */
function* waysTo(steps: readonly ActionOperation[]): Generator<readonly ActionOperation[]> {
  let ways: readonly (readonly ActionOperation[])[] = [[]];
  for (let length = 0; length <= STEPS_MAX; length += 1) {
    yield* ways;
    ways = ways.flatMap((way) => steps.map((step) => [...way, step]));
  }
}

async function bringToSuccess(stage: Stage, operation: ActionOperation): Promise<void> {
  const { action, kind, resource } = operation;
  if (kind === "standaloneAction" || resource === null) {
    const answer = await stage.run(operation, "");
    assert(succeeded(answer), `${operation.id}: ${answer.status} ${answer.text}`);
    return;
  }
  const answers: string[] = [];
  for (const way of waysTo(stage.steps(action))) {
    const id = await stage.fresh(resource.table);
    let isReady = true;
    for (const step of way) isReady &&= succeeded(await stage.run(step, id));
    if (!isReady) continue;
    const answer = await stage.run(operation, id);
    answers.push(`${answer.status} ${answer.text}`);
    if (succeeded(answer)) return await assertMoved(stage, operation, id);
  }
  throw new Error(`Nobody brings ${operation.id} to success: ${answers.join("\n")}`);
}

/** A move is there to be read, with its stamp and without what it clears. */
async function assertMoved(
  stage: Stage,
  { action: { transition }, resource }: ActionOperation,
  id: string,
): Promise<void> {
  if (transition === null || resource === null) return;
  const { body } = await stage.ask(`${resource.segment}/${id}`);
  const { field, target, stamp, clears } = transition;
  if (target.kind === "to") assertEquals(body[field], target.state);
  if (stamp !== null) assert(typeof body[stamp] === "string", `"${stamp}" is not stamped`);
  for (const column of clears) assertEquals(body[column], null);
}

for await (const { name } of Deno.readDir(EXAMPLES)) {
  const files: RawFiles = await projectFiles(new URL(`${name}/`, EXAMPLES));
  Deno.test(`every action of the example "${name}" is brought to success`, (t) =>
    withCompiledActions(files, async (api) => {
      const stage = new Stage(api);
      for (const operation of stage.operations) {
        await t.step(operation.id, () => bringToSuccess(stage, operation));
      }
    }, PORTS));
}
