/** Several instances of one API as processes, on one database and, where asked for, one Redis; each can be killed. */
import { fileURLToPath } from "node:url";
import { buildSync, type OutputFile } from "esbuild";
import { BUILT_MODULES } from "../../container/built_runtime.ts";
import { openDatabase } from "../../library/platform/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { AUTH_SECRET, BASE_URL, type Claims, tokenFor } from "./api.ts";
import { held } from "./held.ts";
import { startHranaServer } from "./hrana_server.ts";
import { schemaOf } from "./model_database.ts";
import { type RedisUnderTest, withRedis } from "./redis_server.ts";
import { type SqldUnderTest, withSqld } from "./sqld.ts";
import { withSteadyFolder, withTempFolder } from "./temp_folder.ts";

export interface Instance {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Asks as a client would, with a token for these claims. */
  fetch(path: string, init?: RequestInit & { readonly as?: Claims }): Promise<Response>;
  /** Without warning. */
  kill(): Promise<void>;
  /** Holds the process still. */
  pause(): Promise<void>;
  resume(): void;
}

export interface InstancesUnderTest {
  start(env?: Readonly<Record<string, string>>): Promise<Instance>;
  /** Null: there is none. */
  readonly redis: RedisUnderTest | null;
  /** libSQL's own server; null: there is none. */
  readonly primary: SqldUnderTest | null;
  readonly databaseUrl: string;
  /** For the files of the test. */
  readonly folder: string;
  /** What the receiver of every delivery was sent, in order. */
  readonly received: readonly Received[];
  /** Forgets what was received. */
  clear(): void;
  /** Decides what the receiver answers; without it: 200. */
  answers(answer: (received: Received) => number | Promise<number>): void;
}

export interface Received {
  /** `webhook-id`. */
  readonly id: string;
  readonly data: unknown;
}

export interface InstancesOptions {
  readonly project: ProjectModel;
  /** Instances share a file, a server of the tests' own, or libSQL's, by the path of its program. */
  readonly database: "file" | "server" | { readonly sqld: string };
  readonly redis: boolean;
  /** Fills the database before anything starts. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
}

/** Whatever was started ends with the body. */
export function withInstances<T>(
  options: InstancesOptions,
  body: (underTest: InstancesUnderTest) => Promise<T>,
): Promise<T> {
  const { project } = options;
  return withTempFolder((folder) =>
    withDatabaseUrl(options, folder, (databaseUrl, primary) =>
      withProgram((program) => {
        const grounds = { project, folder, databaseUrl, primary, program };
        return options.redis
          ? withRedis((redis) => withProcesses({ ...grounds, redis }, body))
          : withProcesses({ ...grounds, redis: null }, body);
      }))
  );
}

let built: readonly OutputFile[] | null = null;

/** The program of an instance, as a few modules: hundreds of them take a quarter longer to start, and there are many starts. */
function withProgram<T>(body: (program: string) => Promise<T>): Promise<T> {
  // Synchronously: this starts a program of its own, and leaves nothing running.
  built ??= buildSync({
    ...BUILT_MODULES,
    entryPoints: [fileURLToPath(new URL("./instance_process.ts", import.meta.url))],
    outdir: "/",
  }).outputFiles;
  const modules = built;
  return withSteadyFolder(async (folder) => {
    for (const { path, contents } of modules) await Deno.writeFile(folder + path, contents);
    return await body(`${folder}/instance_process.js`);
  }, "instance");
}

async function withDatabaseUrl<T>(
  { project, database, prepare }: InstancesOptions,
  folder: string,
  body: (url: string, primary: SqldUnderTest | null) => Promise<T>,
): Promise<T> {
  const filled = async (url: string) => {
    const opened = await openDatabase({ url });
    await opened.migrate(schemaOf(project));
    await opened.close();
    await prepare?.(url);
  };
  if (typeof database !== "string") {
    return await withSqld(database.sqld, async (primary) => {
      await filled(primary.url);
      return await body(primary.url, primary);
    });
  }
  const path = `${folder}/app.db`;
  await filled(`file:${path}`);
  if (database === "file") return await body(`file:${path}`, null);
  const server = startHranaServer({ path, idleMs: 2000 });
  try {
    return await body(server.url, null);
  } finally {
    await server.close();
  }
}

interface Grounds {
  readonly project: ProjectModel;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly primary: SqldUnderTest | null;
  readonly redis: RedisUnderTest | null;
  readonly program: string;
}

async function withProcesses<T>(
  { project, folder, databaseUrl, primary, redis, program }: Grounds,
  body: (underTest: InstancesUnderTest) => Promise<T>,
): Promise<T> {
  const received: Received[] = [];
  let answer: (received: Received) => number | Promise<number> = () => 200;
  const receiver = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const { data } = await request.json();
      const one = { id: request.headers.get("webhook-id") ?? "", data };
      received.push(one);
      return new Response("", { status: await answer(one) });
    },
  );
  const projectFile = `${folder}/project.json`;
  await Deno.writeTextFile(projectFile, JSON.stringify(project));
  const common = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis?.url ?? "",
    AUTH_SECRET: new TextDecoder().decode(AUTH_SECRET),
    BASE_URL,
    PROJECT_FILE: projectFile,
    RECEIVER_PORT: String(receiver.addr.port),
    QUIET: "1",
  };
  const instances: Instance[] = [];
  try {
    return await body({
      redis,
      primary,
      databaseUrl,
      folder,
      received,
      clear: () => void received.splice(0),
      answers: (given) => void (answer = given),
      async start(env = {}) {
        const instance = await startInstance(program, { ...common, ...env });
        instances.push(instance);
        return instance;
      },
    });
  } finally {
    for (const instance of instances) await instance.kill();
    await receiver.shutdown();
  }
}

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

async function startInstance(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Instance> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", CONFIG, program],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const listening = Promise.withResolvers<string>();
  const reading = (async () => {
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      const port = /Listening on (\d+)/.exec(said)?.[1];
      if (port !== undefined) listening.resolve(`http://127.0.0.1:${port}`);
    }
    listening.reject(new Error(`The instance ended: ${said}`));
  })();
  const url = await listening.promise;
  let isRunning = true;
  return {
    url,
    async fetch(path, { as, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (as) headers.set("authorization", `Bearer ${await tokenFor(as, Date.now())}`);
      return await fetch(url + path, { ...init, headers });
    },
    async kill() {
      if (isRunning) child.kill("SIGKILL");
      isRunning = false;
      await child.status;
      await reading;
    },
    pause: () => held(child),
    resume: () => child.kill("SIGCONT"),
  };
}
