/** A compiled API as a worker of the edge platform, on a libSQL server over HTTP (definitions 2, `cloudflare`). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCompileHost } from "../../container/host.ts";
import { compile, validate, VERSION } from "../../shared/compiler/mod.ts";
import { startHranaServer } from "../support/hrana_server.ts";
import { projectFiles } from "../support/sample_files.ts";
import { withSteadyFolder } from "../support/temp_folder.ts";
import { findWorkerd, Workerd } from "../support/workerd.ts";

const EXAMPLE = new URL("../../examples/helpdesk/", import.meta.url);
const CONFIG = "quickback/quickback.config.ts";

const workerd = await findWorkerd();
if (workerd === null) console.log("Skipped: there is no workerd; name one in WORKERD or on PATH");

Deno.test({
  name: "a compiled API serves as a worker: accounts and their hooks, tenants, writes, description",
  ignore: workerd === null,
  async fn() {
    assert(workerd !== null);
    await inOutput(async (folder) => {
      await deno(folder, ["check", "src/worker.ts"]);
      await deno(folder, ["task", "build"]);
      const bundled = await Deno.readTextFile(`${folder}/dist/worker.js`);
      const imported = [...bundled.matchAll(/\bfrom ?"(node:[a-z_/]+)"/g)].map(([, name]) => name);
      assertEquals(imported, ["node:async_hooks"]);
      const server = startHranaServer({ path: `${folder}/app.db`, authToken: "token" });
      try {
        const variables = {
          DATABASE_URL: server.url,
          DATABASE_AUTH_TOKEN: "token",
          AUTH_SECRET: "a secret of the tests that is long enough",
          BASE_URL: "http://localhost:8000",
          ROWS_MAX_PER_TENANT: String(ROWS_MAX),
        };
        await deno(folder, ["task", "migrate"], variables);
        await using worker = await Workerd.serve(workerd, `${folder}/dist/worker.js`, variables);
        await serves(worker.origin);
      } finally {
        await server.close();
      }
    });
  },
});

/** Of one organization in the worker's test. */
const ROWS_MAX = 9;

const HOOKS = `import { ActionError } from "quickback";

export function beforeSignUp({ user }: { user: { name: string } }): void {
  if (user.name === "Banned") throw new ActionError("Not here", "NOT_WELCOME", 403);
}
`;

async function serves(origin: string): Promise<void> {
  const ask = asking(origin);
  const signUp = await ask("/auth/v1/sign-up/email", {
    name: "Ada",
    email: "ada@example.com",
    password: "correct horse battery",
  });
  assertEquals(signUp.status, 200, signUp.text);
  const cookie = signUp.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  assertEquals((await ask("/api/v1/tickets")).status, 401);

  const refused = await ask("/auth/v1/sign-up/email", {
    name: "Banned",
    email: "banned@example.com",
    password: "correct horse battery",
  });
  assertEquals([refused.status, JSON.parse(refused.text).code], [403, "NOT_WELCOME"]);

  const made = await ask("/auth/v1/organization/create", { name: "Acme", slug: "acme" }, cookie);
  assertEquals(made.status, 200, made.text);
  const organizationId = JSON.parse(made.text).id;
  await ask("/auth/v1/organization/set-active", { organizationId }, cookie);

  // Many at a time: no request may wait for what another one opened.
  const customers = await Promise.all(
    Array.from(
      { length: 8 },
      (_, at) =>
        ask("/api/v1/customers", { name: `Customer ${at}`, email: `c${at}@example.com` }, cookie),
    ),
  );
  assertEquals(customers.map(({ status }) => status), Array(8).fill(201), customers[0]?.text);
  const list = await ask("/api/v1/customers?total=true", undefined, cookie);
  assertEquals(JSON.parse(list.text).data.length, 8);
  const more = [];
  for (const at of [8, 9]) {
    const body = { name: `Customer ${at}`, email: `c${at}@example.com` };
    more.push(await ask("/api/v1/customers", body, cookie));
  }
  assertEquals(more.map(({ status }) => status), [201, 403], more[0]?.text);
  const { code, details } = JSON.parse(more[1]?.text ?? "{}");
  assertEquals([code, details], ["QUOTA_EXCEEDED", { scope: "tenant", limit: ROWS_MAX }]);
  const page = await fetch(`${origin}/auth/v1/verify-email?token=none`, {
    headers: { accept: "text/html", "accept-language": "de-AT, en;q=0.5" },
  });
  assertEquals([page.status, page.headers.get("content-language")], [400, "de"]);
  const html = await page.text();
  assertStringIncludes(html, "<h1>Dieser Link gilt nicht mehr</h1>");
  assertStringIncludes(html, "--main: #0a5bd3; --on-main: #ffffff");
  assertStringIncludes(html, "<header>The Desk</header>");
  const description = await ask("/openapi.json");
  assertEquals(JSON.parse(description.text).openapi, "3.1.0");
  assertEquals((await ask("/health")).status, 200);
  assertEquals((await ask("/api/v1/nothing")).status, 404);
}

function asking(origin: string) {
  return async (path: string, body?: unknown, cookie?: string) => {
    const response = await fetch(origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        // The worker goes by its own origin, as it does behind the platform.
        origin: "http://localhost:8000",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(cookie === undefined ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

Deno.test("the author's wrangler.toml is kept, and what the worker needs is added", async () => {
  const own =
    '# ours\nname = "desk"\ncompatibility_flags = ["nodejs_compat", "global_navigator"]\n' +
    '[vars]\nGREETING = "hi" # kept\n[[queues.producers]]\nqueue = "jobs"\nbinding = "JOBS"\n';
  const text = fileOf(await compiled({ "wrangler.toml": own }), "wrangler.toml");
  assertStringIncludes(text, own.trim());
  assertStringIncludes(text, 'main = "dist/worker.js"');
  assertStringIncludes(text, 'name = "RATE_LIMIT_120_60"');
  assertEquals(text.split("compatibility_flags").length, 2);
  assertEquals(text, fileOf(await compiled({ "wrangler.toml": own }), "wrangler.toml"));
});

Deno.test("an output's wrangler.toml compiles again to the same bytes, whatever an author adds", async () => {
  const added = [
    null,
    '# ours\nname = "desk"\n\n\n[vars]\nA = "1"\n',
    "[build]\r\n" + 'command = "deno task build"\r\n',
  ];
  for (const own of added) {
    const first = fileOf(
      await compiled(own === null ? {} : { "wrangler.toml": own }),
      "wrangler.toml",
    );
    const again = fileOf(await compiled({ "wrangler.toml": first }), "wrangler.toml");
    assertEquals(again, first);
    if (own !== null) assertStringIncludes(again, own.trim());
  }
});

Deno.test("a mistake in an output's wrangler.toml keeps its line", async () => {
  const output = fileOf(await compiled({}), "wrangler.toml");
  const lines = output.split("\n").length;
  const files = await edgeProject({ "wrangler.toml": `${output}name = \n` });
  const result = compile(files, HOST);
  assertEquals(result.ok ? [] : result.errors.map(({ place }) => place.line), [lines]);
});

const CONFLICTS: readonly (readonly [what: string, text: string, told: readonly string[]])[] = [
  ["is no TOML", "name = \n", ['WRANGLER_INVALID 1:8 "wrangler.toml" is not valid TOML']],
  ["starts another file", 'main = "src/index.ts"', [
    'WRANGLER_CONFLICT 1:1 "main" of "wrangler.toml" must say: main = "dist/worker.js"',
  ]],
  ["lacks a flag", 'compatibility_flags = ["x"]', [
    'WRANGLER_CONFLICT 1:1 "compatibility_flags" of "wrangler.toml" must say: compatibility_flags = [ "nodejs_compat" ]',
  ]],
  ["builds by itself", '[build]\ncommand = "npm run build"', [
    'WRANGLER_CONFLICT 1:1 "build.command" of "wrangler.toml" must say: command = "deno task build"',
  ]],
  [
    "starts another file in one environment",
    '[env.staging]\nname = "s"\nmain = "other.js"\n[env.staging.build]\ncwd = "x"\n[env.live.vars]\nA = "1"',
    [
      'WRANGLER_CONFLICT 1:1 "env.staging.build.command" of "wrangler.toml" must say: command = "deno task build"',
      'WRANGLER_CONFLICT 1:1 "env.staging.main" of "wrangler.toml" must say: main = "dist/worker.js"',
    ],
  ],
  ["names the limits itself", '[[ratelimits]]\nname = "X"', [
    'WRANGLER_CONFLICT 1:1 "ratelimits" of "wrangler.toml" must say: no ratelimits: the project\'s rateLimit makes them',
  ]],
];

for (const [what, text, told] of CONFLICTS) {
  Deno.test(`a wrangler.toml that ${what} is a mistake`, async () => {
    const result = compile(await edgeProject({ "wrangler.toml": text }), HOST);
    assertEquals(result.ok, false);
    const errors = result.ok ? [] : result.errors;
    assertEquals(
      errors.map(({ code, message, place }) => `${code} ${place.line}:${place.column} ${message}`),
      told,
    );
  });
}

Deno.test("what a worker does not have is told of a project that asks for it", async () => {
  const files = await edgeProject({});
  const config = String(files[CONFIG]).replace(
    "defineConfig({",
    "defineConfig({ webhooks: { outbound: true },",
  );
  const told = validate({ ...files, [CONFIG]: config }).warnings
    .filter(({ code }) => code === "WORKER_LACKS").map(({ message }) => message);
  assertEquals(told, [
    "A worker has no documentation browser",
    "A worker has no outbound webhooks",
  ]);
});

Deno.test("a project for servers has no worker and no wrangler.toml of ours", async () => {
  const files = await projectFiles(EXAMPLE);
  const result = compile({ ...files, "wrangler.toml": 'main = "x"' }, HOST);
  assert(result.ok);
  const paths = result.files.map(({ path }) => path);
  assertEquals(paths.filter((path) => /wrangler|src\/worker\.ts|cloudflare/.test(path)), []);
});

const HOST = readCompileHost({ version: VERSION });

async function edgeProject(more: Readonly<Record<string, string>>) {
  const files = await projectFiles(EXAMPLE);
  const config = (files[CONFIG] ?? "").replace(
    'defineRuntime("deno")',
    'defineRuntime("cloudflare")',
  );
  return { ...files, [CONFIG]: config, ...more };
}

async function compiled(more: Readonly<Record<string, string>> = {}) {
  const result = compile(await edgeProject(more), HOST);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.files;
}

function fileOf(files: Awaited<ReturnType<typeof compiled>>, path: string): string {
  const found = files.find((file) => file.path === path);
  assert(found !== undefined, path);
  return found.content;
}

/** A name, a colour and pages in German. */
async function withFace(more: Readonly<Record<string, string>>) {
  const { [CONFIG]: config = "" } = await edgeProject({});
  const branding = 'branding: { name: "The Desk", color: "#0A5BD3" },';
  return {
    ...more,
    [CONFIG]: config.replace("defineConfig({", `defineConfig({ ${branding}`),
    "quickback/email-templates/de/pages.json": '{ "invalid.title": "Dieser Link gilt nicht mehr" }',
  };
}

function inOutput(body: (folder: string) => Promise<void>): Promise<void> {
  return withSteadyFolder(async (folder) => {
    for (
      const { path, content } of await compiled(
        await withFace({ "quickback/hooks/auth.ts": HOOKS }),
      )
    ) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, content);
    }
    await Deno.writeTextFile(`${folder}/.env`, "");
    await body(folder);
  });
}

async function deno(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { ...env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, text(stdout) + text(stderr));
}
