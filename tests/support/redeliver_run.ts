/**
 * Runs in a network namespace (`network_namespace.ts`): starts the compiled project in a folder, lets a delivery fail for
 * good, calls `deno task redeliver` with each of the given command lines, and prints what became of it all as JSON.
 */
import { AUTH_SECRET, BASE_URL, type Claims, tokenFor } from "./api.ts";
import { PUBLIC_ADDRESS } from "./network_namespace.ts";
import { until } from "./until.ts";

export interface RedeliverRun {
  /** Of each command line: its exit code, and the last line that it printed. */
  readonly said: readonly (readonly [code: number, line: string])[];
  /** Data of what the endpoint was sent. */
  readonly received: readonly unknown[];
  /** How many ids that came under. */
  readonly ids: number;
  /** Of the endpoint's deliveries, sorted. */
  readonly statuses: readonly unknown[];
}

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
/** In a command line: the endpoint's id. */
const ENDPOINT = "ENDPOINT";

const [folder = "", commandLines = "[]"] = Deno.args;
const received: { readonly id: string | null; readonly data: unknown }[] = [];
let status = 302;

const receiver = Deno.serve(
  { hostname: PUBLIC_ADDRESS, port: 80, onListen() {} },
  async (request) => {
    const { data } = await request.json();
    received.push({ id: request.headers.get("webhook-id"), data });
    return new Response("", { status, headers: { location: "http://elsewhere.example.com/" } });
  },
);
const resolver = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
  const isA = new URL(request.url).searchParams.get("type") === "A";
  return Response.json({ Status: 0, Answer: isA ? [{ type: 1, data: PUBLIC_ADDRESS }] : [] });
});
const env = {
  DATABASE_URL: `file:${folder}/app.db`,
  AUTH_SECRET: new TextDecoder().decode(AUTH_SECRET),
  WEBHOOK_RESOLVER_URL: `http://127.0.0.1:${resolver.addr.port}/`,
  BASE_URL,
  PORT: new URL(BASE_URL).port,
  NO_COLOR: "1",
};
const api = task("start").spawn();
try {
  console.log(JSON.stringify(await run(JSON.parse(commandLines))));
} finally {
  api.kill("SIGTERM");
  await api.output();
  await Promise.all([receiver.shutdown(), resolver.shutdown()]);
}

async function run(lines: readonly (readonly string[])[]): Promise<RedeliverRun> {
  await until(
    "the API answers",
    () => fetch(`${BASE_URL}/health`).then(({ ok }) => ok, () => false),
  );
  const endpoint = await ask("/webhooks/v1/endpoints", {
    name: "Hook",
    url: "http://hooks.example.com/in",
    events: ["*"],
  });
  const deliveries = `/webhooks/v1/endpoints/${endpoint.id}/deliveries`;
  const settled = async (count: number) =>
    (await ask(`${deliveries}?status=pending`)).data.length === 0 && received.length >= count;
  const { id } = await ask("/api/v1/notes", { title: "Paint" });
  await ask(`/api/v1/notes/${id}/tell`, {});
  await until("the delivery has ended", () => settled(1));
  // A test send has no event behind it.
  await ask(`/webhooks/v1/endpoints/${endpoint.id}/test`, {});
  await until("the test send has ended", () => settled(2));
  status = 200;
  const said: (readonly [number, string])[] = [];
  for (const line of lines) {
    said.push(await redeliver(line.map((word) => word === ENDPOINT ? endpoint.id : word)));
  }
  await until("what was sent again has ended", () => settled(3));
  const { data } = await ask(deliveries);
  return {
    said,
    received: received.map(({ data }) => data),
    ids: new Set(received.map(({ id }) => id)).size,
    statuses: data.map((record: { readonly status: unknown }) => record.status).sort(),
  };
}

async function redeliver(args: readonly string[]): Promise<readonly [number, string]> {
  const { code, stdout, stderr } = await task("redeliver", ...args).output();
  const text = new TextDecoder().decode(code === 0 ? stdout : stderr).trim();
  return [code, text.split("\n").at(-1) ?? ""];
}

function task(name: string, ...args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", name, ...args],
    cwd: folder,
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function ask(path: string, body?: unknown) {
  const authorization = `Bearer ${await tokenFor(ADMIN, Date.now())}`;
  const response = await fetch(BASE_URL + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
