/**
 * Runs one API of a tab: it is started from a compile's output and called like the one that `dev` serves, with its database in
 * memory.
 */
// @ts-types="./sql_js.d.ts"
import initSqlite from "sql.js/dist/sql-wasm-inline.js";
import type {
  ApiAnswer,
  ApiRequest,
  Delivery,
  SandboxedApi,
  Status,
  StoredRows,
  TabOutput,
} from "../../playground/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import type { Following } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import * as runtime from "../../shared/runtime/mod.ts";
import { eventsPath } from "../../shared/surface/mod.ts";
import { storedRowsIn, tablesOf } from "../dev/stored_rows.ts";
import { answerOf, type ApiClient } from "../dev/demo/api_client.ts";
import { type Caller, callersOf } from "../dev/demo/callers.ts";
import { setTheScene } from "../dev/demo/demo.ts";
import {
  followSchema,
  keepKnown,
  type KnownSchema,
  type KnownSchemas,
} from "../dev/follow_schema.ts";
import { modulesOf } from "./authored_modules.ts";
import { openSqlite } from "./sqlite_database.ts";
import {
  clock,
  limiter,
  logger,
  passwords,
  random,
  resolver,
  SINK,
  sinkDialer,
  timer,
} from "./tab_ports.ts";

/** Origin of the API. Nobody owns the name, and requests never leave the tab. */
export const ORIGIN = "http://api.localhost";

const TICK_MILLISECONDS = 250;

type Statements = NonNullable<ApiAnswer["statements"]>;

interface Running {
  readonly app: runtime.App;
  readonly model: ProjectModel;
  readonly timer: ReturnType<typeof setInterval>;
  readonly soil: runtime.SeedSoil;
}

/** Removes data steps in TypeScript, which are modules of an output on disk. */
function withSteps({ step, ...migration }: TabOutput["migrations"][number]): runtime.Migration {
  if (step === undefined) return migration;
  const refused = () =>
    Promise.reject(
      new Error(`Data step '${migration.tag}' is TypeScript, which does not run in a tab; use dev`),
    );
  return {
    ...migration,
    step: { home: null, code: step.isCode ? refused : null, isBefore: step.isBefore },
  };
}

export class TabApi implements SandboxedApi {
  #running: Running | null = null;
  #database: runtime.Database | null = null;
  #callers: readonly Caller[] = [];
  #statements: Statements | null = null;
  /** Schemas that the database may have. */
  readonly #schemas = new Map<string, KnownSchema>();
  readonly #secret = crypto.getRandomValues(new Uint8Array(48)).toHex();

  /** Starts or replaces the API over the existing rows; the answer describes the API for the page. */
  async start(
    output: TabOutput,
    onDelivery: (delivery: Delivery) => void,
    plan: (reached: string | null) => Promise<Following>,
  ): Promise<Pick<Status, "people" | "tables" | "events" | "webhooks">> {
    const { model, snapshots } = output;
    this.#database ??= openSqlite(await initSqlite(), ({ sql, args }, rows, milliseconds) => {
      this.#statements?.push({ sql, args: args.map(String), rows, milliseconds });
    });
    const migrations = output.migrations.map(withSteps);
    const known = this.#known();
    await keepKnown(known, migrations, (at) => Promise.resolve(snapshots[at] ?? null));
    const following = { known, plan, migrations, home: null, beginsAtNewest: true };
    await followSchema(this.#database, following);
    await runtime.applyMigrations(this.#database, migrations);
    clearInterval(this.#running?.timer);
    this.#running?.app.end();
    this.#running = this.#run(output, this.#database, onDelivery);
    this.#callers = await this.#people(model);
    return {
      people: this.#callers.map(({ name, about }) => ({ name, about })),
      tables: tablesOf(model),
      events: model.realtime.enabled ? eventsPath(model) : null,
      webhooks: model.webhooks.outbound
        ? { sink: SINK, endpoints: "/webhooks/v1/endpoints" }
        : null,
    };
  }

  #known(): KnownSchemas {
    return {
      find: (hash) => Promise.resolve(this.#schemas.get(hash) ?? null),
      keep: (hash, schema) => Promise.resolve(void this.#schemas.set(hash, schema)),
    };
  }

  async seed(): Promise<string> {
    const running = this.#running;
    const seed = running?.model.seed;
    if (!running || !seed) return "The project has no quickback/seed.ts";
    try {
      const planted = await runtime.plantSeed(seed, running.soil);
      return planted === null ? "This seed has been planted" : `Planted ${seed.rows.length} rows`;
    } catch (error) {
      // The seed has a mistake, which its author reads.
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Deletes every row; the next start begins with an empty database. */
  async empty(): Promise<void> {
    clearInterval(this.#running?.timer);
    this.#running = null;
    await this.#database?.close();
    this.#database = null;
  }

  async ask({ as, method, path, headers, body }: ApiRequest): Promise<ApiAnswer> {
    const statements: Statements = this.#statements = [];
    const since = performance.now();
    const response = await this.#fetch(path, {
      method,
      headers: await this.#headers(as, headers),
      body,
    });
    const text = await response.text();
    this.#statements = null;
    return {
      status: response.status,
      headers: [...response.headers].filter(([name]) => name !== "set-cookie"),
      body: text,
      isCut: false,
      milliseconds: Math.round(performance.now() - since),
      statements,
    };
  }

  /** Calls `onText` with each piece of the stream until the stream ends or the page stops it. */
  async frames(
    as: string | null,
    onText: (text: string) => Promise<boolean>,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const model = this.#running?.model;
    const path = model?.realtime.enabled ? eventsPath(model) : "/broadcast/v1/events";
    const response = await this.#fetch(path, {
      method: "GET",
      headers: await this.#headers(as, []),
      body: null,
    });
    if (response.status !== 200) return { status: response.status, body: await response.text() };
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      if (!await onText(decoder.decode(chunk, { stream: true }))) break;
    }
    return { status: 200, body: "" };
  }

  async stored(table: string, ids: readonly string[]): Promise<StoredRows> {
    const model = this.#running?.model;
    return model && this.#database ? await storedRowsIn(this.#database, model, { table, ids }) : {};
  }

  #run(
    { model, openapi, asyncapi, authored: texts }: TabOutput,
    database: runtime.Database,
    onDelivery: (delivery: Delivery) => void,
  ): Running {
    const { actions, schema, authored } = modulesOf(texts);
    const env = {};
    const settings: runtime.Settings = {
      baseUrl: ORIGIN,
      authSecret: new TextEncoder().encode(this.#secret),
      production: false,
      exposeErrorStack: true,
      allowedHosts: null,
    };
    const realtime = { pubSub: runtime.memoryPubSub(clock), timer };
    const webhooks = {
      queue: runtime.databaseQueue({ database, clock, random }),
      resolver,
      dialer: sinkDialer(onDelivery),
      secrets: runtime.createSecretBox(settings, random),
      env,
    };
    const accounts = createAccounts(model, {
      database,
      settings,
      logger,
      limiter,
      detached: (run) => run(),
      passwords,
      hooks: runtime.createAuthHooks(
        model,
        { database, clock, random, logger, realtime },
        { authored, schema, env },
      ),
    });
    const ports: runtime.SeedSoil["ports"] = {
      database,
      clock,
      random,
      timer,
      logger,
      accounts,
      limiter: null,
      webhooks,
      realtime,
      files: runtime.hasFiles(model) ? runtime.memoryFiles({ clock, settings }) : null,
    };
    const options = { openapi, asyncapi, actions, authored, schema, env };
    const app = runtime.createApp(model, ports, settings, options);
    const soil = { project: model, ports, settings, options, hashPassword: passwords.hash };
    const worker = runtime.createBackgroundWorker(
      model,
      { database, clock, random, timer, logger, webhooks, realtime },
      { authored, schema },
    );
    let isBusy = false;
    const tick = async () => {
      if (isBusy) return;
      isBusy = true;
      while (await worker.tick() > 0) await worker.settled();
      isBusy = false;
    };
    return { app, model, soil, timer: setInterval(() => void tick(), TICK_MILLISECONDS) };
  }

  #people(project: ProjectModel): Promise<readonly Caller[]> {
    const options = {
      api: this.#client(),
      project,
      origin: ORIGIN,
      authSecret: this.#secret,
      found: null,
      isNew: this.#callers.length === 0,
      now: Date.now(),
    };
    return setTheScene(options).then((demo) => callersOf(demo, options));
  }

  #client(): ApiClient {
    return async ({ method, path, credential, body }) => {
      const response = await this.#fetch(path, {
        method,
        headers: [
          ["origin", ORIGIN],
          ...(credential ? [[credential.name, credential.value] satisfies [string, string]] : []),
          ...(body ? [["content-type", "application/json"] satisfies [string, string]] : []),
        ],
        body: body ? JSON.stringify(body) : null,
      });
      return await answerOf(response);
    };
  }

  async #headers(as: string | null, given: ApiRequest["headers"]): Promise<[string, string][]> {
    const caller = this.#callers.find(({ name }) => name === as);
    const proof = await caller?.credential();
    return [
      ["origin", ORIGIN],
      ...given,
      ...(proof ? [[proof.name, proof.value] satisfies [string, string]] : []),
    ];
  }

  async #fetch(
    path: string,
    { method, headers, body }: Pick<ApiRequest, "method" | "headers" | "body">,
  ): Promise<Response> {
    if (this.#running === null) throw new Error("No API serves yet");
    const request = new Request(ORIGIN + path, {
      method,
      headers: [["host", new URL(ORIGIN).host], ...headers],
      ...(body === null || method === "GET" ? {} : { body }),
    });
    return await this.#running.app.fetch(request, { clientIp: "127.0.0.1" });
  }
}
