/** A registry of npm packages on this machine, which takes what a test publishes and hands on what it does not have. */
import { join } from "node:path";
import { freePort } from "../support/free_port.ts";
import { until } from "../support/until.ts";

/** Later ones ask for a tag of node-fetch that not every registry has; of 6.1.6 the override is enough. */
const VERDACCIO = {
  private: true,
  dependencies: { verdaccio: "6.1.6" },
  overrides: { "node-fetch": "2.7.0" },
};

export interface LocalRegistry extends AsyncDisposable {
  readonly origin: string;
  publish(pathOrFolder: string): Promise<void>;
}

/** Null: this machine has no npm, or reaches no registry to install it from. */
export async function localRegistry(
  folder: string,
  ownScopes: readonly string[],
): Promise<LocalRegistry | null> {
  const upstream = await ran("npm", ["config", "get", "registry"], folder);
  if (upstream === null) return skipped("npm is not installed");
  await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(VERDACCIO));
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (await ran("npm", install, folder) === null) return skipped("no registry answers");
  await Deno.writeTextFile(join(folder, "config.yaml"), config(upstream.trim(), ownScopes));
  return await started(folder);
}

function skipped(reason: string): null {
  console.log(`Skipped: ${reason}`);
  return null;
}

/** What is published here is asked of nobody else. */
function config(upstream: string, ownScopes: readonly string[]): string {
  return JSON.stringify({
    storage: "./storage",
    uplinks: { upstream: { url: upstream } },
    packages: {
      ...Object.fromEntries(ownScopes.map((name) => [name, OPEN])),
      "**": { ...OPEN, proxy: "upstream" },
    },
    max_body_size: "100mb",
    log: { type: "stdout", format: "json", level: "error" },
  });
}

const OPEN = { access: "$all", publish: "$anonymous" };

async function started(folder: string): Promise<LocalRegistry> {
  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = new Deno.Command("node", {
    args: [
      "node_modules/verdaccio/bin/verdaccio",
      "--config",
      "config.yaml",
      "--listen",
      `127.0.0.1:${port}`,
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answers(`${origin}/-/ping`);
  return {
    origin,
    async publish(path) {
      const args = ["publish", path, "--registry", origin, `--//127.0.0.1:${port}/:_authToken=any`];
      if (await ran("npm", args, folder) === null) throw new Error(`"${path}" was not published`);
    },
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
    },
  };
}

/** Waits until the address answers with success. */
export async function answers(address: string): Promise<void> {
  await until(`${address} answers`, () => isAnswering(address));
}

async function isAnswering(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** What it printed; null: it is not there, or failed. */
async function ran(program: string, args: readonly string[], cwd: string): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command(program, {
      args: [...args],
      cwd,
      stdin: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
