/** One run of `dev`: from a change of the definitions to an API that serves it, or to the errors that stopped it. */
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { BundleThread } from "../../container/bundle_thread.ts";
import { compileFolder, type FolderCompiled } from "../compile_folder.ts";
import { CommandError } from "../command.ts";
import type { Output } from "../output.ts";
import { ApiStartError } from "./api_process.ts";
import { projectChanges } from "./changes.ts";
import { createApiClient, DemoError } from "./demo/api_client.ts";
import { setTheScene } from "./demo/demo.ts";
import { addressText, demoText } from "./demo/demo_text.ts";
import { DATABASE, devSecret, hasDatabase } from "./dev_folder.ts";
import { DevPage } from "./dev_page.ts";
import { DevPlayground } from "./dev_playground.ts";
import { DevServer } from "./dev_server.ts";
import { keepDeclarations } from "../types/declarations.ts";
import { TypesThread } from "../types/types_thread.ts";
import { atOriginals, isChatter, logLineText, readLogLine } from "./log_line.ts";
import { takeBackPending } from "./pending_migrations.ts";

export interface DevSessionOptions {
  /** Absolute path of the project. */
  readonly project: string;
  /** Absolute path of the folder for its API. */
  readonly folder: string;
  /** Null: the project's own, and the next free one when that is taken. */
  readonly port: number | null;
  readonly hostname: string;
  readonly hasPlayground: boolean;
  readonly output: Output;
  readonly stop: AbortSignal;
}

/** Port of an API that has not compiled yet. */
const DEFAULT_PORT = 8000;

/** From the port of the API to that of the project's page: the playground is between them. */
const PAGE_DISTANCE = 2;

export class DevSession {
  readonly #options: DevSessionOptions;
  #server: DevServer | null = null;
  #bundle: BundleThread | null = null;
  #types: TypesThread | null = null;
  /** Of the newest check of types. */
  #turn = 0;
  #playground: DevPlayground | null = null;
  #page: DevPage | null = null;
  #hasScene = false;
  #isSettingScene = false;
  /** No database was there when this run began. */
  #isNew = false;

  constructor(options: DevSessionOptions) {
    this.#options = options;
  }

  /** Returns when it is told to stop. */
  async run(): Promise<void> {
    const { project, folder, stop } = this.#options;
    this.#isNew = !await hasDatabase(folder);
    // Watched from before the first compile, so that a save during it is not lost.
    const changes = projectChanges(await Deno.realPath(project), stop);
    const work = this.#follow(changes);
    await Promise.race([work, aborted(stop)]);
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
    await this.#update();
    for await (const _change of changes) {
      this.#playground?.filesChanged();
      await this.#update();
    }
  }

  async #update(): Promise<void> {
    const { output, stop } = this.#options;
    try {
      await this.#compileAndServe();
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof ApiStartError || error instanceof CommandError)) throw error;
      // Without an API yet, a command error (a busy port, no project) cannot be waited out.
      if (error instanceof CommandError && this.#server === null) throw error;
      output.err(`${output.errColors.red("error")} ${error.message}`);
      this.#sayWhatServes(error.message);
    }
  }

  async #compileAndServe(): Promise<void> {
    const { project, folder, output } = this.#options;
    this.#playground?.compiling();
    const begun = performance.now();
    await takeBackPending(folder);
    const result = await compileFolder({
      folder: project,
      out: folder,
      force: true,
      checksBundle: false,
    });
    const { errors, warnings } = result.findings;
    if (errors.length + warnings.length > 0) {
      output.findings(result.findings);
    }
    if (result.kind === "failed") return this.#sayWhatServes();
    if (this.#server?.isServing && result.summary.written.length === 0) {
      this.#tellServing(result, begun);
      return output.err(output.errColors.dim("Compiled: nothing has changed"));
    }
    await this.#serve(result);
    output.err(output.errColors.green(this.#tellServing(result, begun)));
    await this.#showDemo(result);
    void this.#tellTypes(result);
    await this.#tellBundle(result);
  }

  /** Tells the page, and returns the line for the terminal. */
  #tellServing({ output: { model } }: FolderCompiled, begun: number): string {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const line = `Serving ${model.name} after ${seconds} s`;
    if (this.#server !== null) {
      this.#openPlayground(this.#server.port);
      this.#playground?.serving(model, { origin: this.#server.origin, line });
    }
    return line;
  }

  /** Beside the API; later than it, so that nobody waits for the page. */
  #openPlayground(apiPort: number): DevPlayground | null {
    const { project, folder, hasPlayground, output } = this.#options;
    if (!hasPlayground) return null;
    this.#playground ??= DevPlayground.open({
      project,
      folder,
      port: apiPort + 1,
      terminal: output,
    });
    return this.#playground;
  }

  /** Prints the mistakes of the types, with which an API still serves. Nobody waits for them, so that a later change outruns them. */
  async #tellTypes({ output: compiled, findings }: FolderCompiled): Promise<void> {
    const { project, output } = this.#options;
    const turn = ++this.#turn;
    if (!await keepDeclarations(project, compiled, output)) return;
    this.#types ??= new TypesThread();
    const dependencies = Object.keys(compiled.model.dependencies);
    const errors = await this.#types.check({ project, dependencies });
    if (turn === this.#turn && errors.length > 0) {
      output.findings({ ...findings, errors, warnings: [] });
    }
  }

  /** Checks the bundle and prints its findings, which would only show in a deployment; the API serves meanwhile. */
  async #tellBundle({ output: compiled, host, findings }: FolderCompiled): Promise<void> {
    const { output } = this.#options;
    this.#bundle ??= new BundleThread(host);
    const found = await this.#bundle.check(compiled);
    if (found.errors.length + found.warnings.length === 0) return;
    output.findings({ ...findings, ...found });
  }

  async #serve({ output: { model } }: FolderCompiled): Promise<void> {
    const { folder, port, hostname } = this.#options;
    this.#server ??= new DevServer({
      folder,
      hostname,
      port: port ?? model.devPort,
      mayMove: port === null,
      authSecret: await devSecret(folder, Deno.env.get("AUTH_SECRET")),
      onLine: (line) => this.#showLine(line),
      onCrash: (exitCode) => this.#noteCrash(exitCode),
    });
    await this.#server.replace();
  }

  /** The first time in full; later only when the scene could not be set before. */
  async #showDemo({ output: { model } }: FolderCompiled): Promise<void> {
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
    this.#page ??= await DevPage.open({
      project: this.#options.project,
      port: server.port + PAGE_DISTANCE,
      api: origin,
    });
    const playground = this.#playground?.url ?? null;
    const page = this.#page?.url ?? null;
    output.result({ name: model.name, origin, playground, page });
    output.out(addressText(model, { origin, playground, page, colors: output.outColors }));
    this.#isSettingScene = true;
    try {
      const demo = await setTheScene({
        api,
        project: model,
        origin,
        authSecret: await devSecret(folder, Deno.env.get("AUTH_SECRET")),
        databaseUrl: `file:${join(folder, DATABASE)}`,
        isNew: this.#isNew,
        now: Date.now(),
      });
      this.#hasScene = true;
      this.#playground?.meet(demo, origin);
      output.result({ account: demo.account.email, credential: demo.demo.credential });
      output.out(await demoText(demo, { api, origin, colors: output.outColors }));
    } catch (error) {
      if (!(error instanceof DemoError)) throw error;
      output.err(`${output.errColors.yellow("The demo is incomplete")}: ${error.message}`);
    } finally {
      this.#isSettingScene = false;
    }
    output.end(0);
    output.err(output.errColors.dim(
      `Watching ${relative(Deno.cwd(), join(this.#options.project, "quickback"))}; Ctrl-C ends`,
    ));
  }

  #showLine(text: string): void {
    const { output, folder, project } = this.#options;
    const line = atOriginals(readLogLine(text), {
      copies: pathToFileURL(join(folder, "src/authored/")).href,
      originals: `${join(relative(Deno.cwd(), project), "quickback")}/`,
    });
    if (this.#isSettingScene && isChatter(line)) return;
    output.err(logLineText(line, output.errColors));
  }

  #noteCrash(exitCode: number): void {
    const { output } = this.#options;
    const end = `The API ended with code ${exitCode}`;
    const wayOut = "the next change starts it again";
    this.#playground?.failed(`${end}; ${wayOut}`, { isServing: false });
    output.err(`${output.errColors.red(end)}; ${wayOut}`);
  }

  #sayWhatServes(message = "The definitions have errors"): void {
    const { output, port } = this.#options;
    const isFirst = this.#playground === null;
    const playground = this.#openPlayground(port ?? DEFAULT_PORT);
    playground?.failed(message, { isServing: this.#server?.isServing ?? false });
    if (isFirst && playground) {
      output.out(`\n  Mend it   ${output.outColors.cyan(playground.url)}`);
    }
    output.err(
      this.#server?.isServing
        ? `The last good API keeps serving at ${this.#server.origin}`
        : "Nothing serves yet; the next change is compiled again",
    );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
