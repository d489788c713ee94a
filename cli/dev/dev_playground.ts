/** Playground of one run of `dev`: sends the page the state of the run and the accounts of its demo. */
import { basename, join } from "node:path";
import { OrderedWorker } from "../../container/ordered_worker.ts";
import {
  type Credential,
  type EditorLibrary,
  NO_STATUS,
  Playground,
  PlaygroundRefusal,
  type Status,
} from "../../playground/mod.ts";
import { DISCOVERY_PATHS, eventsPath } from "../../shared/surface/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { CommandError } from "../exit_codes.ts";
import { changesBetween } from "../model_changes.ts";
import { compileFilesOf, type FolderCompiled } from "../compile_folder.ts";
import { compileHost } from "../installation.ts";
import { keptDeclarations } from "../types/declarations.ts";
import type { Terminal } from "../terminal.ts";
import { WEBHOOK_BASE } from "../../shared/contract/mod.ts";
import type { StartOptions } from "./api_process.ts";
import { DemoError } from "./demo/api_client.ts";
import type { Caller } from "./demo/callers.ts";
import { storedRows } from "./dev_data.ts";
import { tablesOf } from "./stored_rows.ts";
import { DATABASE } from "./dev_folder.ts";
import { DevTools } from "./dev_tools.ts";

interface DevPlaygroundOptions {
  /** Absolute path of the project. */
  readonly project: string;
  /** Folder of the compiled API. */
  readonly folder: string;
  /** Port that is tried first. */
  readonly port: number;
  /** Secret of the API. */
  readonly authSecret: string;
  readonly terminal: Terminal;
  /** Empties the database and creates the demo again. */
  readonly reset: () => Promise<void>;
  /** Plants the project's seed. Returns a text about the result. */
  readonly seed: () => Promise<string>;
}

export class DevPlayground {
  readonly #playground: Playground;
  readonly #tools: DevTools;
  #callers: readonly Caller[] = [];
  #status: Status = NO_STATUS;
  /** Model of the API that serves. */
  #model: ProjectModel | null = null;

  private constructor(playground: Playground, tools: DevTools) {
    this.#playground = playground;
    this.#tools = tools;
  }

  /** Opens the playground; null if no port is free. */
  static async open(options: DevPlaygroundOptions): Promise<DevPlayground | null> {
    const { project, folder, port, terminal, authSecret, reset, seed } = options;
    // Assigned below: rows are requested only once the page is open.
    const open: { own: DevPlayground | null } = { own: null };
    const playground = Playground.open({
      port,
      project: {
        name: basename(project),
        folder: project,
        read: () =>
          compileFilesOf({ folder: project, out: folder }).catch((error) => {
            if (error instanceof CommandError) return { unreadable: error.message };
            throw error;
          }),
        declared: () => keptDeclarations(project),
      },
      // The work runs in its own thread, because it reads some hundred files.
      library: async () => {
        using worker = new OrderedWorker<null, EditorLibrary>(LIBRARY_WORKER, "gathering of types");
        return await worker.ask(null);
      },
      host: () => compileHost({ vendor: true }),
      cache: join(folder, "playground"),
      development: {
        stored: async (table, ids) => {
          const model = open.own === null ? null : open.own.#model;
          if (model === null) return {};
          return await storedRows(model, `file:${join(folder, DATABASE)}`, { table, ids });
        },
        reset,
        seed,
      },
      log: ({ message, error }) =>
        terminal.err(
          `${terminal.errColors.red("error")} ${message}${
            error instanceof Error ? `: ${error.stack ?? error.message}` : ""
          }`,
        ),
    });
    if (playground === null) return null;
    const tools = await DevTools.open({
      folder,
      authSecret,
      onDelivery: (delivery) => playground.tellDelivery(delivery),
    });
    return open.own = new DevPlayground(playground, tools);
  }

  get url(): string {
    return this.#playground.url;
  }

  /** Address that receives the webhooks of this run. */
  get sinkUrl(): string {
    return this.#tools.sinkUrl;
  }

  /** Returns modules and variables of the API's process, for the trace of requests and the webhook sink. */
  async apiTools(): Promise<Pick<StartOptions, "preloaded" | "environment">> {
    return { preloaded: [this.#tools.preloaded], environment: await this.#tools.environment() };
  }

  filesChanged(): void {
    this.#playground.tellFilesChanged();
  }

  compiling(message = "Compiling"): void {
    this.#tell({ phase: "compiling", message });
  }

  serving(
    project: ProjectModel,
    { origin, line }: { readonly origin: string; readonly line: string },
  ): void {
    const { generate, publish, docs } = project.openapi;
    this.#model = project;
    this.#showApi(origin);
    this.#tell({
      phase: "serving",
      message: line,
      api: {
        origin,
        isServing: true,
        openapi: generate && publish !== false ? DISCOVERY_PATHS.openapi : null,
        docs: docs === false ? null : DISCOVERY_PATHS.docs,
      },
      tables: tablesOf(project),
      events: project.realtime.enabled ? eventsPath(project) : null,
      webhooks: project.webhooks.outbound
        ? { sink: this.sinkUrl, endpoints: `${WEBHOOK_BASE}/endpoints` }
        : null,
    });
  }

  /** Reports what a compile has changed, compared with the model before it. */
  compiled({ output, summary }: FolderCompiled, before: ProjectModel): void {
    const { written, removed } = summary;
    const sql = output.files.filter(({ path }) => path.endsWith(".sql") && written.includes(path));
    this.#tell({
      changes: {
        at: new Date().toISOString(),
        changes: changesBetween(before, output.model).map(({ principals, ...change }) => ({
          ...change,
          principals: [...principals],
        })),
        migration: sql.length === 0 ? null : sql.map(({ content }) => content).join("\n"),
        files: [...written, ...removed].toSorted(),
      },
    });
  }

  /** Reports that no new API serves; `isServing`: whether the last good one still does. */
  failed(message: string, { isServing }: { readonly isServing: boolean }): void {
    const { api } = this.#status;
    const rest = isServing ? "; the last good API keeps serving" : "";
    this.#tell({ phase: "failed", message: message + rest, api: api && { ...api, isServing } });
  }

  /** Sets the people from whom requests can come. */
  meet(callers: readonly Caller[], origin: string): void {
    this.#callers = callers;
    this.#showApi(origin);
    this.#tell({ people: callers.map(({ name, about }) => ({ name, about })) });
  }

  async close(): Promise<void> {
    await this.#tools.close();
    await this.#playground.close();
  }

  #showApi(origin: string): void {
    this.#playground.showApi({
      origin,
      events: this.#model?.realtime.enabled ? eventsPath(this.#model) : null,
      credential: (name) => this.#credential(name),
      trace: this.#tools.trace,
    });
  }

  async #credential(name: string): Promise<Credential | null> {
    const caller = this.#callers.find((one) => one.name === name);
    try {
      return await caller?.credential() ?? null;
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      throw new PlaygroundRefusal("PERSON_REFUSED", `${name} cannot ask: ${error.message}`);
    }
  }

  #tell(change: Partial<Status>): void {
    this.#status = { ...this.#status, ...change };
    this.#playground.tell(this.#status);
  }
}

const LIBRARY_WORKER = new URL("../types/library_worker.ts", import.meta.url);
