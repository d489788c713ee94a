/** A playground over a project in a folder of its own, asked as its page asks it. */
import { dirname, join } from "node:path";
import { CommandError } from "../../cli/exit_codes.ts";
import { compileFilesOf } from "../../cli/compile_folder.ts";
import { compileHost } from "../../cli/installation.ts";
import { NO_STATUS } from "../../playground/mod.ts";
import { createPlaygroundApp, type PlaygroundApp } from "../../playground/server/app.ts";
import type { ApiAddress } from "../../playground/server/ask_api.ts";
import { ROUTES, TOKEN_HEADER } from "../../playground/protocol.ts";

export const PORT = 8001;
export const TOKEN = "0123456789abcdef0123456789abcdef0123456789abcdef";
export const ORIGIN = `http://127.0.0.1:${PORT}`;

/** What a browser and the page's own script send with every request. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  host: `127.0.0.1:${PORT}`,
  origin: ORIGIN,
  "sec-fetch-site": "same-origin",
  [TOKEN_HEADER]: TOKEN,
};

export const NOTES = "quickback/features/notes/notes.ts";

const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts":
    `import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";

export default defineConfig({
  name: "notes",
  providers: {
    runtime: defineRuntime("deno"),
    database: defineDatabase("libsql"),
    auth: defineAuth("better-auth"),
  },
});
`,
  [NOTES]: `import { feature, q } from "quickback";

export default feature("notes", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
});
`,
};

/** Left by an earlier compile. */
export const DECLARED = { ".quickback/types.d.ts": "export {};\n" };

export interface TestPlayground {
  /** Absolute path of the project. */
  readonly folder: string;
  readonly app: PlaygroundApp;
  /** What it wrote to the log. */
  readonly logged: readonly string[];
  /** As the page: `headers` come on top, null takes one away. */
  ask(path: string, init?: AskOptions): Promise<Response>;
  read(path: string): Promise<string>;
}

export interface AskOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

export async function withPlayground(
  body: (playground: TestPlayground) => Promise<void>,
  api: ApiAddress | null = null,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const logged: string[] = [];
  const app = createPlaygroundApp({
    home: { port: PORT, token: TOKEN },
    project: {
      name: "notes",
      folder,
      read: () =>
        compileFilesOf({ folder, out: join(folder, "out") }).catch((error: unknown) => {
          if (error instanceof CommandError) return { unreadable: error.message };
          throw error;
        }),
      declared: () => Promise.resolve(DECLARED),
    },
    library: () => Promise.resolve({ options: {}, files: {} }),
    host: () => compileHost({ vendor: true }),
    cache: null,
    status: NO_STATUS,
    deliveries: [],
    development: {
      seed: () => Promise.resolve("Planted 1 rows"),
      stored: (table, ids) => Promise.resolve(Object.fromEntries(ids.map((id) => [id, { table }]))),
      reset: () => Promise.resolve(),
    },
    api: () => api,
    log: ({ message }) => void logged.push(message),
  });
  try {
    for (const [path, text] of Object.entries(FILES)) await put(join(folder, path), text);
    await body({
      folder,
      app,
      logged,
      ask: (path, options) => app.fetch(requestOf(path, options)),
      read: (path) => Deno.readTextFile(join(folder, path)),
    });
  } finally {
    app.feed.close();
    await Deno.remove(folder, { recursive: true });
  }
}

export function requestOf(
  path: string,
  { method = "GET", body, headers }: AskOptions = {},
): Request {
  const given = Object.entries({ ...PAGE_HEADERS, ...headers })
    .filter((entry): entry is [string, string] => entry[1] !== null);
  return new Request(ORIGIN + path, {
    method,
    headers: given,
    ...(body === undefined ? {} : { body }),
  });
}

/** What the page sends to write a file. */
export function writeOf(path: string): string {
  return `${ROUTES.files}/${path}`;
}

async function put(file: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, text);
}
