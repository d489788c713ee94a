/**
 * Sends a file to a record of an API in this process, which is killed at a named step:
 * `deno run -A tests/support/killed_upload.ts <folder> <record> <step>`.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  folderStore,
  openDatabase,
  readForm,
  systemClock,
  systemRandomness,
} from "../../library/platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import {
  createApp,
  type Database,
  type FileStore,
  filesWithAddresses,
  type Ports,
} from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL, type Claims, tokenFor } from "./api.ts";

/** In the order in which an upload takes them. */
export const STEPS = ["begun", "received", "kept", "committed"] as const;
export type Step = typeof STEPS[number];

export function papersProject(): ProjectModel {
  const validation = validate({
    "quickback/quickback.config.ts": 'export default { name: "papers" };\n',
    "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: { organizationId: q.scope("organization"), scan: q.file({ maxSize: 5_000_000_000 }) },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] }, mode: "soft" },
});
`,
  });
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  return validation.model;
}

const MEMBER: Claims = { sub: "user_1", orgId: "org_1", roles: ["member"] };

/** The API over the database and the files of a folder, asked as a member. */
export async function openPapers(
  folder: string,
  { wrap = (one) => one, wrapStore = (one) => one }: {
    readonly wrap?: (database: Database) => Database;
    readonly wrapStore?: (store: FileStore) => FileStore;
  } = {},
) {
  const project = papersProject();
  const url = pathToFileURL(join(folder, "app.db")).href;
  const database = await openDatabase({ url, synchronous: "NORMAL" });
  const store = wrapStore(folderStore(join(folder, "files")));
  const settings = {
    baseUrl: BASE_URL,
    authSecret: AUTH_SECRET,
    production: false,
    exposeErrorStack: false,
    allowedHosts: null,
  };
  const ports: Ports = {
    database: wrap(database),
    clock: systemClock,
    random: systemRandomness,
    logger: { log: () => {} },
    accounts: null,
    limiter: null,
    files: filesWithAddresses({ store, readForm, graceMs: 0 }, settings, systemClock),
  };
  const app = createApp(project, ports, settings, { openapi: null, asyncapi: null });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("host", new URL(BASE_URL).host);
    headers.set("authorization", `Bearer ${await tokenFor(MEMBER, Date.now())}`);
    const request = new Request(`${BASE_URL}/api/v1/papers${path}`, { ...init, headers });
    return await app.fetch(request, { clientIp: null });
  };
  return { project, database, store, ports, app, ask, close: () => database.close() };
}

function killed(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  throw new Error("It goes on after its end");
}

async function uploadUntil(folder: string, id: string, step: string): Promise<void> {
  const papers = await openPapers(folder, {
    wrap: (database) => ({
      ...database,
      run: (statement) => database.run(statement),
      runAll: (statements) => database.runAll(statements),
      migrate: (statements) => database.migrate(statements),
      close: () => database.close(),
      async write(body) {
        const done = await database.write(body);
        return step === "committed" ? killed() : done;
      },
    }),
    wrapStore: (store) => ({
      ...store,
      async put(key, body) {
        const kept = await store.put(
          key,
          async function* () {
            for await (const chunk of body) {
              yield chunk;
              if (step === "begun") killed();
            }
            if (step === "received") killed();
          }(),
        );
        return step === "kept" ? killed() : kept;
      },
    }),
  });
  const body = new Blob(["x".repeat(100_000), "y".repeat(100_000)]).stream();
  await papers.ask(`/${id}/scan`, {
    method: "PUT",
    body,
    headers: { "content-type": "text/plain" },
  });
}

if (import.meta.main) {
  const [folder = "", id = "", step = ""] = Deno.args;
  await uploadUntil(folder, id, step);
}
