/** The edge platform's own runtime, where this machine has it. */
import { freePort } from "./free_port.ts";
import { until } from "./until.ts";

const COMPATIBILITY_DATE = "2026-10-01";

/**
 * Its npm package brings the program for the platform that it is installed on, 140 MB of it. It is pinned here and not in
 * `deno.json`, because every `deno task` fetches what that lists.
 */
const PACKAGE = "npm:workerd@1.20261023.1";

/** `WORKERD`, or `workerd` on `PATH`, or the one of the pinned package; null when this platform has none. */
export async function findWorkerd(): Promise<string | null> {
  const named = Deno.env.get("WORKERD");
  if (named) return named;
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    if (await isFile(`${folder}/workerd`)) return `${folder}/workerd`;
  }
  // Nor does our lock file list it; where the package cannot be had, the tests say so.
  await new Deno.Command(Deno.execPath(), { args: ["cache", "--no-config", PACKAGE] }).output();
  return await cachedWorkerd();
}

async function cachedWorkerd(): Promise<string | null> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  for (const registry of await namesIn(npmCache)) {
    const scope = `${npmCache}/${registry}/@cloudflare`;
    for (const name of await namesIn(scope)) {
      if (!name.startsWith("workerd-")) continue;
      for (const version of await namesIn(`${scope}/${name}`)) {
        const path = `${scope}/${name}/${version}/bin/workerd`;
        if (await isFile(path)) return path;
      }
    }
  }
  return null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}

/** A bundled worker that workerd serves. */
export class Workerd implements AsyncDisposable {
  private constructor(
    readonly origin: string,
    private readonly child: Deno.ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(
    program: string,
    worker: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<Workerd> {
    const folder = await Deno.makeTempDir({ prefix: "quickback-workerd-" });
    await bundle(worker, `${folder}/worker.js`);
    return await Workerd.#serve(program, folder, variables);
  }

  /** Serves a bundle that stands already; it may reach this machine. */
  static async serve(
    program: string,
    bundled: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<Workerd> {
    const folder = await Deno.makeTempDir({ prefix: "quickback-workerd-" });
    await Deno.copyFile(bundled, `${folder}/worker.js`);
    return await Workerd.#serve(program, folder, variables);
  }

  static async #serve(
    program: string,
    folder: string,
    variables: Readonly<Record<string, string>>,
  ): Promise<Workerd> {
    const port = freePort();
    await Deno.writeTextFile(`${folder}/config.capnp`, configFor(port, variables));
    const child = new Deno.Command(program, {
      args: ["serve", "config.capnp"],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const started = new Workerd(`http://127.0.0.1:${port}`, child, folder);
    await started.#answers();
    return started;
  }

  async #answers(): Promise<void> {
    try {
      await until("workerd answers", () => this.#isUp());
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #isUp(): Promise<boolean> {
    try {
      await (await fetch(`${this.origin}/health`)).body?.cancel();
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.child.status;
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function bundle(entry: string, output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--platform", "browser", entry, "-o", output],
  }).output();
  if (!success) throw new Error(`Bundling failed\n${new TextDecoder().decode(stderr)}`);
}

function configFor(port: number, variables: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(variables)
    .map(([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityFlags = ["nodejs_compat"],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [${bindings.join(", ")}],
);
`;
}
