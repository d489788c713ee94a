/** The playground of one run of `dev`: sends the page the state of the run and the accounts of its demo. */
import { basename, join } from "node:path";
import { OrderedWorker } from "../../container/ordered_worker.ts";
import { type EditorLibrary, Playground, type Status } from "../../playground/mod.ts";
import { DISCOVERY_PATHS } from "../../shared/surface/discovery_operations.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { CommandError } from "../command.ts";
import { compileFilesOf } from "../compile_folder.ts";
import { keptDeclarations } from "../types/declarations.ts";
import type { Terminal } from "../terminal.ts";
import type { CredentialHeader } from "./demo/api_client.ts";
import type { Demo } from "./demo/demo.ts";
import type { Visitor } from "./demo/tour.ts";

interface DevPlaygroundOptions {
  /** Absolute path of the project. */
  readonly project: string;
  /** Folder of the compiled API. */
  readonly folder: string;
  /** The first port to try. */
  readonly port: number;
  readonly terminal: Terminal;
}

export class DevPlayground {
  readonly #playground: Playground;
  #credentials: ReadonlyMap<string, CredentialHeader> = new Map();
  #status: Status = { phase: "compiling", message: "Compiling", api: null, people: [] };

  private constructor(playground: Playground) {
    this.#playground = playground;
  }

  /** Null when no port is left for it. */
  static open({ project, folder, port, terminal }: DevPlaygroundOptions): DevPlayground | null {
    const playground = Playground.open({
      port,
      project: {
        name: basename(project),
        folder: project,
        read: () => compileFilesOf({ folder: project, out: folder }).catch(unreadable),
        declared: () => keptDeclarations(project),
      },
      library: gatheredLibrary,
      cache: join(folder, "playground"),
      log: ({ message, error }) =>
        terminal.err(
          `${terminal.errColors.red("error")} ${message}${
            error instanceof Error ? `: ${error.stack ?? error.message}` : ""
          }`,
        ),
    });
    return playground && new DevPlayground(playground);
  }

  get url(): string {
    return this.#playground.url;
  }

  filesChanged(): void {
    this.#playground.tellFilesChanged();
  }

  compiling(): void {
    this.#tell({ phase: "compiling", message: "Compiling" });
  }

  serving(
    project: ProjectModel,
    { origin, line }: { readonly origin: string; readonly line: string },
  ): void {
    const { generate, publish, docs } = project.openapi;
    this.#playground.showApi({ origin, credentials: this.#credentials });
    this.#tell({
      phase: "serving",
      message: line,
      api: {
        origin,
        isServing: true,
        openapi: generate && publish !== false ? DISCOVERY_PATHS.openapi : null,
        docs: docs === false ? null : DISCOVERY_PATHS.docs,
      },
    });
  }

  /** Nothing new serves; `isServing` says whether the last good one still does. */
  failed(message: string, { isServing }: { readonly isServing: boolean }): void {
    const { api } = this.#status;
    const rest = isServing ? "; the last good API keeps serving" : "";
    this.#tell({ phase: "failed", message: message + rest, api: api && { ...api, isServing } });
  }

  /** The people of the demo, whom requests can come from. */
  meet({ demo, member, neighbour, organization }: Demo, origin: string): void {
    const home = organization === null ? "" : ` of ${organization.name}`;
    const people = [
      person(demo, home),
      ...(member === null ? [] : [person(member, home)]),
      person(neighbour, organization === null ? "" : " of another organization"),
    ];
    const visitors = [demo, ...(member === null ? [] : [member]), neighbour];
    this.#credentials = new Map(visitors.map(({ name, credential }) => [name, credential]));
    this.#playground.showApi({ origin, credentials: this.#credentials });
    this.#tell({ people });
  }

  close(): Promise<void> {
    return this.#playground.close();
  }

  #tell(change: Partial<Status>): void {
    this.#status = { ...this.#status, ...change };
    this.#playground.tell(this.#status);
  }
}

function person({ name, principal }: Visitor, home: string): Status["people"][number] {
  return { name, about: principal.roles.join(", ") + home };
}

const LIBRARY_WORKER = new URL("../types/library_worker.ts", import.meta.url);

/** In a thread of its own: some hundred files are read. */
async function gatheredLibrary(): Promise<EditorLibrary> {
  using worker = new OrderedWorker<null, EditorLibrary>(LIBRARY_WORKER, "gathering of types");
  return await worker.ask(null);
}

function unreadable(error: unknown) {
  if (error instanceof CommandError) return { unreadable: error.message };
  throw error;
}
