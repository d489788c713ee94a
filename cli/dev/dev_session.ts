/** Runs `dev` once: from a change of the definitions to an API that serves it, or to the errors that prevent it. */
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { BundleThread } from "../../container/bundle_thread.ts";
import { OrderedWorker } from "../../container/ordered_worker.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import { compileFolder, type FolderCompiled } from "../compile_folder.ts";
import type { Output } from "../command.ts";
import { CommandError } from "../exit_codes.ts";
import { ApiStartError } from "./api_process.ts";
import { projectChanges } from "./changes.ts";
import { createApiClient, DemoError } from "./demo/api_client.ts";
import { keepHeader } from "./demo/credential_words.ts";
import { callersOf } from "./demo/callers.ts";
import { type Demo, type DemoOptions, setTheScene } from "./demo/demo.ts";
import { foundAccount } from "./demo/found_account.ts";
import { addressText, demoText } from "./demo/demo_text.ts";
import { plantingText, tellPlanting } from "./dev_seed.ts";
import { DevLog } from "./dev_log.ts";
import { DATABASE, devSecret, hasDatabase } from "./dev_folder.ts";
import { DevPage } from "./dev_page.ts";
import { DevPlayground } from "./dev_playground.ts";
import { DevServer } from "./dev_server.ts";
import { lastServed, rememberServed } from "./last_good.ts";
import { keepDeclarations } from "../types/declarations.ts";
import type { TypeCheck } from "../types/type_checker.ts";
import { isChatter, isForLogs, logLineText, readLogLine } from "./log_line.ts";
import { foldMigrations, keepSchemas, pruneMigrations } from "./fold_migrations.ts";

export interface DevSessionOptions {
  /** Absolute path of the project. */
  readonly project: string;
  /** Absolute path of the folder for its API. */
  readonly folder: string;
  /** Port; null: the project's own, or the next free one if that is taken. */
  readonly port: number | null;
  readonly hostname: string;
  readonly hasPlayground: boolean;
  /** True plants the project's seed as soon as the API serves. */
  readonly seeds: boolean;
  readonly output: Output;
  readonly stop: AbortSignal;
}

/** Port of an API that has not compiled yet. */
const DEFAULT_PORT = 8000;

/** Distance from the port of the API to that of the project's page; the playground has the port between them. */
export const PAGE_DISTANCE = 2;

const PAGE_POLL_MILLISECONDS = 500;

/** Type checker in its own thread: it takes seconds, and nothing waits for it. */
const TYPES_WORKER = new URL("../types/types_worker.ts", import.meta.url);

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

export class DevSession {
  readonly #options: DevSessionOptions;
  #server: DevServer | null = null;
  #bundle: BundleThread | null = null;
  #types: OrderedWorker<TypeCheck, readonly Diagnostic[]> | null = null;
  /** Number of the newest type check. */
  #turn = 0;
  #playground: DevPlayground | null = null;
  /** True once the playground's address was printed. */
  #isPlaygroundTold = false;
  #page: DevPage | null = null;
  #hasScene = false;
  #isSettingScene = false;
  readonly #log: DevLog;
  /** True when there was no database when this run began. */
  #isNew = false;
  /** Ends with the last queued replacement of the API. */
  #turns: Promise<void> = Promise.resolve();

  constructor(options: DevSessionOptions) {
    this.#options = options;
    this.#log = new DevLog(options.folder);
  }

  /** Runs until `dev` is stopped. */
  async run(): Promise<void> {
    const { project, folder, stop } = this.#options;
    this.#isNew = !await hasDatabase(folder);
    // Watching starts before the first compile, so that a save during it is not lost.
    const changes = projectChanges(await Deno.realPath(project), stop);
    const work = this.#follow(changes);
    await Promise.race([
      work,
      new Promise<void>((resolve) => {
        if (stop.aborted) return resolve();
        stop.addEventListener("abort", () => resolve(), { once: true });
      }),
    ]);
  }

  /** Ends the API. */
  async close(): Promise<void> {
    this.#bundle?.[Symbol.dispose]();
    this.#types?.[Symbol.dispose]();
    await this.#playground?.close();
    await this.#page?.close();
    await this.#server?.stop();
  }

  async #follow(changes: AsyncIterable<void>): Promise<void> {
    await this.#inTurn(() => this.#update());
    for await (const _change of changes) {
      this.#playground?.filesChanged();
      await this.#inTurn(() => this.#update());
    }
  }

  async #update(): Promise<void> {
    const { output, stop } = this.#options;
    try {
      await this.#compileAndServe();
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof ApiStartError || error instanceof CommandError)) throw error;
      // Without an API so far, waiting cannot resolve a command error (a busy port, no project).
      if (error instanceof CommandError && this.#server === null) throw error;
      output.err(`${output.errColors.red("error")} ${error.message}`);
      await this.#sayWhatServes(error.message);
    }
  }

  async #compileAndServe(): Promise<void> {
    const { project, folder, output } = this.#options;
    this.#playground?.compiling();
    const begun = performance.now();
    await keepSchemas(folder);
    const result = await compileFolder({
      folder: project,
      out: folder,
      force: true,
      checksBundle: false,
      beginsEmpty: true,
      followsProject: true,
    });
    const { errors, warnings } = result.findings;
    if (errors.length + warnings.length > 0) {
      output.findings(result.findings);
    }
    if (result.kind === "failed") {
      await this.#serveLastGood();
      return await this.#sayWhatServes();
    }
    await pruneMigrations(folder);
    if (this.#server?.isServing && result.summary.written.length === 0) {
      this.#tellServing(result.output.model, begun);
      return output.err(output.errColors.dim("Compiled: nothing has changed"));
    }
    const { model } = result.output;
    const before = await lastServed(folder);
    await this.#serve(model);
    await rememberServed(folder, model);
    output.err(output.errColors.green(this.#tellServing(model, begun)));
    if (this.#options.seeds && !this.#hasScene && this.#server !== null) {
      await tellPlanting(folder, this.#server.environment(), output);
    }
    await this.#showDemo(model);
    if (before !== null) this.#playground?.compiled(result, before);
    void this.#tellTypes(result);
    await this.#tellBundle(result);
  }

  /** Serves the API of the run before, if this run begins with mistakes. */
  async #serveLastGood(): Promise<void> {
    if (this.#server !== null) return;
    const begun = performance.now();
    const model = await lastServed(this.#options.folder);
    if (model === null) return;
    await this.#serve(model);
    this.#tellServing(model, begun);
    await this.#showDemo(model);
  }

  /** Reports the serving API to the page, and returns the line for the terminal. */
  #tellServing(model: ProjectModel, begun: number): string {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const line = `Serving ${model.name} after ${seconds} s`;
    if (this.#server !== null) {
      this.#playground?.serving(model, { origin: this.#server.origin, line });
    }
    return line;
  }

  /** Opens the playground beside the API: it listens, but loads nothing before the first request. */
  async #openPlayground(apiPort: number): Promise<DevPlayground | null> {
    const { project, folder, hasPlayground, output } = this.#options;
    if (!hasPlayground) return null;
    this.#playground ??= await DevPlayground.open({
      project,
      folder,
      port: apiPort + 1,
      authSecret: await this.#secret(),
      terminal: output,
      reset: () => this.#inTurn(() => this.#reset()),
      seed: () => this.#inTurn(() => plantingText(folder, this.#server?.environment() ?? null)),
    });
    return this.#playground;
  }

  #secret(): Promise<string> {
    return devSecret(this.#options.folder, Deno.env.get("AUTH_SECRET"));
  }

  /** Runs work after the queued work: a compile and a reset both replace the API. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(work);
    this.#turns = turn.then(() => {}, () => {});
    return turn;
  }

  /** Empties the database and creates the demo. */
  async #reset(): Promise<void> {
    const server = this.#server;
    const model = await lastServed(this.#options.folder);
    if (server === null || model === null) return;
    const begun = performance.now();
    this.#playground?.compiling("Emptying the database");
    await server.empty();
    this.#isNew = true;
    await this.#serve(model);
    this.#tellServing(model, begun);
    await this.#setTheScene(model, server.origin);
  }

  /** Prints type mistakes, with which an API still serves. Nothing waits for them, so a later change replaces the check. */
  async #tellTypes({ output: compiled, findings }: FolderCompiled): Promise<void> {
    const { project, output } = this.#options;
    const turn = ++this.#turn;
    if (!await keepDeclarations(project, compiled, output)) return;
    this.#types ??= new OrderedWorker(TYPES_WORKER, "type check");
    const dependencies = Object.keys(compiled.model.dependencies);
    const errors = await this.#types.ask({ project, dependencies });
    if (turn === this.#turn && errors.length > 0) {
      output.findings({ ...findings, errors, warnings: [] });
    }
  }

  /** Checks the bundle and prints its findings, which would only appear in a deployment; the API serves meanwhile. */
  async #tellBundle({ output: compiled, host, findings }: FolderCompiled): Promise<void> {
    const { output } = this.#options;
    this.#bundle ??= new BundleThread(host);
    const found = await this.#bundle.check(compiled);
    if (found.errors.length + found.warnings.length === 0) return;
    output.findings({ ...findings, ...found });
  }

  async #serve(model: ProjectModel): Promise<void> {
    const { folder, port, hostname } = this.#options;
    this.#server ??= new DevServer({
      folder,
      hostname,
      port: port ?? model.devPort,
      mayMove: port === null,
      authSecret: await this.#secret(),
      onLine: (line) => this.#showLine(line),
      onCrash: (exitCode) => this.#noteCrash(exitCode),
    });
    const { port: apiPort } = this.#server;
    await this.#openPage();
    const playground = await this.#openPlayground(apiPort);
    const tools = await playground?.apiTools();
    for (const line of await foldMigrations(folder, model)) {
      this.#options.output.err(this.#options.output.errColors.yellow(line));
    }
    // The address is not shown to other machines in the network.
    const isPrivate = LOOPBACK.includes(hostname);
    await this.#server.replace({
      preloaded: tools?.preloaded ?? [],
      environment: {
        ...tools?.environment,
        DEV_PLAYGROUND_URL: isPrivate && playground ? new URL("/", playground.url).href : "",
        DEV_PAGE_URL: isPrivate && this.#page ? this.#page.url : "",
        DEV_DATABASE: isPrivate ? join(folder, DATABASE) : "",
      },
    });
  }

  /** Opens the project's page if there is one. Null: it is open already, or there is none. */
  async #openPage(): Promise<DevPage | null> {
    const { project, stop } = this.#options;
    if (this.#page !== null || this.#server === null || stop.aborted) return null;
    const { origin, port } = this.#server;
    return this.#page = await DevPage.open({ project, port: port + PAGE_DISTANCE, api: origin });
  }

  /** Watches for a page that is added while the API serves. */
  async #awaitPage(): Promise<void> {
    const { output, stop } = this.#options;
    while (this.#page === null && !stop.aborted) {
      await new Promise((resolve) => setTimeout(resolve, PAGE_POLL_MILLISECONDS));
      const page = await this.#openPage();
      if (page !== null) output.out(`  Page      ${output.outColors.cyan(page.url)}`);
    }
  }

  /** Shows the whole demo the first time; later only if it could not be created before. */
  async #showDemo(model: ProjectModel): Promise<void> {
    const { folder, output } = this.#options;
    const server = this.#server;
    if (server === null || this.#hasScene) return;
    const { origin } = server;
    const api = createApiClient(origin);
    if (server.hasMoved) {
      output.err(
        output.errColors.yellow(`Port ${model.devPort} is in use; this is the next free one`),
      );
    }
    const playground = this.#playground?.url ?? null;
    const page = this.#page?.url ?? null;
    this.#isPlaygroundTold = true;
    output.result({ name: model.name, origin, playground, page });
    const sink = model.webhooks.outbound ? this.#playground?.sinkUrl ?? null : null;
    output.out(addressText(model, { origin, playground, page, sink, colors: output.outColors }));
    void this.#awaitPage();
    const demo = await this.#setTheScene(model, origin);
    if (demo !== null) {
      this.#hasScene = true;
      output.result({ account: demo.account.email, credential: demo.demo.credential });
      if (demo.member !== null) await keepHeader(demo.member, folder);
      output.out(await demoText(demo, { api, origin, folder, colors: output.outColors }));
    }
    output.end(0);
    output.err(output.errColors.dim(
      `Watching ${relative(Deno.cwd(), join(this.#options.project, "quickback"))}; Ctrl-C ends`,
    ));
  }

  /** Creates the demo; null: the API's answers did not fit, and the terminal shows the reason. */
  async #setTheScene(model: ProjectModel, origin: string): Promise<Demo | null> {
    const { folder, output } = this.#options;
    const options: DemoOptions = {
      api: createApiClient(origin),
      project: model,
      origin,
      authSecret: await this.#secret(),
      found: (account) => foundAccount(`file:${join(folder, DATABASE)}`, account),
      isNew: this.#isNew,
      now: Date.now(),
    };
    this.#isSettingScene = true;
    try {
      const demo = await setTheScene(options);
      this.#playground?.meet(callersOf(demo, options), origin);
      return demo;
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      output.err(`${output.errColors.yellow("The demo is incomplete")}: ${error.message}`);
      return null;
    } finally {
      this.#isSettingScene = false;
    }
  }

  #showLine(printed: string): void {
    const { output, folder, project } = this.#options;
    // The stack then shows the author's own files, not the copies that run.
    const copies = pathToFileURL(join(folder, "src/authored/")).href;
    const originals = `${join(relative(Deno.cwd(), project), "quickback")}/`;
    const text = printed.replaceAll(copies, originals);
    const line = readLogLine(text);
    if (this.#isSettingScene && isChatter(line)) return;
    this.#log.append(text, new Date());
    if (isForLogs(text)) return;
    output.err(logLineText(line, output.errColors));
  }

  #noteCrash(exitCode: number): void {
    const { output } = this.#options;
    const end = `The API ended with code ${exitCode}`;
    const wayOut = "the next change starts it again";
    this.#playground?.failed(`${end}; ${wayOut}`, { isServing: false });
    output.err(`${output.errColors.red(end)}; ${wayOut}`);
  }

  async #sayWhatServes(message = "The definitions have errors"): Promise<void> {
    const { output, port } = this.#options;
    const playground = await this.#openPlayground(this.#server?.port ?? port ?? DEFAULT_PORT);
    playground?.failed(message, { isServing: this.#server?.isServing ?? false });
    if (!this.#isPlaygroundTold && playground) {
      this.#isPlaygroundTold = true;
      output.out(`\n  Mend it   ${output.outColors.cyan(playground.url)}`);
    }
    output.err(
      this.#server?.isServing
        ? `The last good API keeps serving at ${this.#server.origin}`
        : "Nothing serves yet; the next change is compiled again",
    );
  }
}
