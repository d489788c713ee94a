/**
 * A registry of npm packages on this machine: what a test publishes is Verdaccio's, everything else comes straight from the
 * registry that npm is configured for. Verdaccio would take in all of that once more.
 */
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
  publish(archive: string): Promise<void>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [key: string]: unknown;
}

interface Packages {
  /** The name of the package that a test publishes. */
  readonly own: string;
  /** What is told of further packages, which nobody takes. */
  readonly standIns: readonly Manifest[];
}

/** Null: this machine has no npm, or reaches no registry to install it from. */
export async function localRegistry(
  folder: string,
  packages: Packages,
): Promise<LocalRegistry | null> {
  const upstream = await ran("npm", ["config", "get", "registry"], folder);
  if (upstream === null) return skipped("npm is not installed");
  await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(VERDACCIO));
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  if (await ran("npm", install, folder) === null) return skipped("no registry answers");
  await Deno.writeTextFile(join(folder, "config.yaml"), CONFIG);
  const verdaccio = `http://127.0.0.1:${freePort()}`;
  const front = frontOf({ ...packages, verdaccio, upstream: upstream.trim().replace(/\/$/, "") });
  return await started(folder, verdaccio, front);
}

function skipped(reason: string): null {
  console.log(`Skipped: ${reason}`);
  return null;
}

const CONFIG = JSON.stringify({
  storage: "./storage",
  packages: { "**": { access: "$all", publish: "$anonymous" } },
  max_body_size: "100mb",
  log: { type: "stdout", format: "json", level: "error" },
});

async function started(
  folder: string,
  verdaccio: string,
  { origin, end }: Front,
): Promise<LocalRegistry> {
  const program = ["node_modules/verdaccio/bin/verdaccio", "--config", "config.yaml"];
  const server = new Deno.Command("node", {
    args: [...program, "--listen", verdaccio.slice("http://".length)],
    cwd: folder,
    env: { VERDACCIO_PUBLIC_URL: origin },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answers(`${verdaccio}/-/ping`);
  return {
    origin,
    async publish(archive) {
      const token = `--${origin.slice("http:".length)}/:_authToken=any`;
      const args = ["publish", archive, "--registry", origin, token];
      if (await ran("npm", args, folder) === null) throw new Error(`"${archive}" is not published`);
    },
    async [Symbol.asyncDispose]() {
      // Told politely, it waits for connections that are kept.
      server.kill("SIGKILL");
      await Promise.all([server.status, end()]);
    },
  };
}

interface Front {
  readonly origin: string;
  /** Does not wait for the connections that clients keep. */
  end(): Promise<void>;
}

function frontOf(
  { own, standIns, verdaccio, upstream }: Packages & { verdaccio: string; upstream: string },
): Front {
  const known: Answers = new Map();
  const ending = new AbortController();
  const listening = { hostname: "127.0.0.1", port: 0, signal: ending.signal, onListen: () => {} };
  const server = Deno.serve(listening, (request) => {
    const { origin, pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    const name = decodeURIComponent(pathname.slice(1));
    if (name === own || name.startsWith(`${own}/`)) return handedOn(request, `${verdaccio}${path}`);
    const standIn = standIns.find((manifest) => manifest.name === name);
    if (standIn !== undefined) return Response.json(packument(standIn, origin));
    return answered({ from: upstream, to: origin, path }, known);
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    end() {
      ending.abort();
      return server.finished;
    },
  };
}

function packument(manifest: Manifest, origin: string) {
  const { name, version } = manifest;
  const dist = { tarball: `${origin}/${name}/-/none.tgz`, shasum: "0".repeat(40) };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

/** As public registries let it: nobody asks twice within a test. */
const KEPT = { "cache-control": "public, max-age=86400" };

/** What the other registry says of its packages, by path. */
type Answers = Map<string, Promise<string | null>>;

/** The other registry's answer: an archive as it is. Archives are said to be here, where locks expect them. */
async function answered(
  { from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
  known: Answers,
): Promise<Response> {
  if (path.endsWith(".tgz")) {
    const { body, status } = await fetch(`${from}${path}`);
    return new Response(body, { status, headers: KEPT });
  }
  const asked = known.get(path) ?? abbreviated(`${from}${path}`);
  known.set(path, asked);
  const text = await asked;
  if (text === null) return new Response(null, { status: 404 });
  const headers = { "content-type": "application/json", ...KEPT };
  return new Response(text.replaceAll(`${from}/`, `${to}/`), { headers });
}

/** What an installation takes from a version's manifest: the rest can be fifty megabytes, which npm and Deno would read, too. */
const INSTALLED = [
  ...["name", "version", "deprecated", "dist", "bin", "scripts", "hasInstallScript"],
  ...["dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"],
  ...["bundleDependencies", "bundledDependencies", "os", "cpu", "libc", "engines"],
];

/** Null: there is no such package. */
async function abbreviated(address: string): Promise<string | null> {
  const response = await fetch(address);
  if (!response.ok) return await response.body?.cancel().then(() => null) ?? null;
  const { name, "dist-tags": tags, time, versions } = await response.json();
  const manifests = Object.entries<Record<string, unknown>>(versions).map(([version, manifest]) => [
    version,
    Object.fromEntries(INSTALLED.map((key) => [key, manifest[key]])),
  ]);
  const told = { name, "dist-tags": tags, time, versions: Object.fromEntries(manifests) };
  return JSON.stringify(told);
}

async function handedOn(request: Request, address: string): Promise<Response> {
  const { method, headers, body } = request;
  return await fetch(address, { method, headers, body });
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
