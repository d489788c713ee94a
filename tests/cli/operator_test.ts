/** `users` and `db`: what an operator does to a real API's database, beside the API. */
import { join } from "node:path";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { compileFolder } from "../../cli/compile_folder.ts";
import { type ApiProcess, startApi } from "../../cli/dev/api_process.ts";
import { freePort } from "../support/free_port.ts";
import { inFolder, type Run, runCli, runHere } from "./command_line.ts";

const ANN = { name: "Ann", email: "ann@example.com", password: "a-long-password" };

Deno.test("an account that is locked is out at once, and in again when that is taken back", () =>
  inApi(async ({ folder, call }) => {
    const cookie = await signUp(call);
    assertEquals(await signedIn(call, cookie), ANN.email);
    const locked = await runCli(["users", "lock", "ANN@example.com", "api"], { cwd: folder });
    assertEquals(locked.code, 0, locked.err);
    assertEquals(await signedIn(call, cookie), null);
    assertEquals(await signIn(call), 403);
    assertStringIncludes((await users(folder)).out, "locked");
    await runHere(["users", "lock", ANN.email, "api", "--undo"], { cwd: folder });
    assertEquals(await signIn(call), 200);
  }));

Deno.test("an address is confirmed on the operator's word, once, and nothing else of the account changes", () =>
  inApi(async ({ folder, call }) => {
    const cookie = await signUp(call);
    const isVerified = async () =>
      JSON.parse((await users(folder, "--json")).out).users[0].verified;
    assertEquals(await isVerified(), false);
    const confirmed = await runCli(["users", "confirm", "ANN@example.com", "api"], { cwd: folder });
    assertEquals([confirmed.code, confirmed.err], [0, ""]);
    assertStringIncludes(confirmed.out, "The address ann@example.com is confirmed");
    assertEquals([await isVerified(), await signedIn(call, cookie)], [true, ANN.email]);
    const again = await runHere(["users", "confirm", ANN.email, "api"], { cwd: folder });
    assertStringIncludes(again.out, "was confirmed already");
    assertEquals(
      (await runHere(["users", "confirm", "bob@example.com", "api"], { cwd: folder })).code,
      1,
    );
  }));

Deno.test("users lists accounts with their role, which sysadmin gives and takes", () =>
  inApi(async ({ folder, call }) => {
    await signUp(call);
    const roleOf = async () => JSON.parse((await users(folder, "--json")).out).users[0].role;
    assertEquals(await roleOf(), null);
    await runHere(["users", "sysadmin", ANN.email, "api"], { cwd: folder });
    assertEquals(await roleOf(), "sysadmin");
    await runHere(["users", "sysadmin", ANN.email, "api", "--undo"], { cwd: folder });
    assertEquals(await roleOf(), null);
    const unknown = await runHere(["users", "sysadmin", "bob@example.com", "api"], { cwd: folder });
    assertEquals(unknown.code, 1);
    assertStringIncludes(unknown.err, '"bob@example.com"');
  }));

Deno.test("a backup of a served database is one that restore puts back, once nobody serves it", () =>
  inApi(async ({ folder, call, stop }) => {
    await signUp(call);
    const backUp = () => runCli(["db", "backup", "api", "--out", "copy.db"], { cwd: folder });
    const restore = () => runCli(["db", "restore", "api", "--from", "copy.db"], { cwd: folder });
    assertEquals((await backUp()).code, 0);
    const { mode } = await Deno.stat(join(folder, "copy.db"));
    assert(mode !== null && (mode & 0o077) === 0, `mode ${mode?.toString(8)}`);
    assertStringIncludes((await backUp()).err, "overwrites nothing");
    await call("/auth/v1/sign-up/email", { ...ANN, email: "later@example.com" });
    assertEquals((await emails(folder)).length, 2);

    const refused = await restore();
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.err, "stop the API first");
    assertEquals((await emails(folder)).length, 2);

    await stop();
    const restored = await restore();
    assertEquals(restored.code, 0, restored.err);
    assertEquals(await emails(folder), [ANN.email]);
  }));

Deno.test("restore takes nothing that is not a whole database of an API", () =>
  inApi(async ({ folder, stop }) => {
    await stop();
    await Deno.writeTextFile(join(folder, "text.db"), "no database");
    await Deno.writeTextFile(join(folder, "empty.db"), "");
    for (const file of ["text.db", "empty.db", "missing.db"]) {
      const run = await runHere(["db", "restore", "api", "--from", file], { cwd: folder });
      assertEquals(run.code, 1, file);
      assertStringIncludes(run.err, file);
    }
    assertEquals(await emails(folder), []);
  }));

Deno.test("the console reads, and writes when that is allowed", () =>
  inApi(async ({ folder, call }) => {
    await signUp(call);
    const console = ["db", "console", "api", "--json"];
    const ask = (...args: string[]) => runHere([...console, ...args], { cwd: folder });
    const select = ["--execute", "SELECT email FROM auth_user"];
    const read = await runCli([...console, ...select], { cwd: folder });
    assertEquals(JSON.parse(read.out).answers[0].rows, [[ANN.email]]);
    const refused = await ask("--execute", "DELETE FROM auth_session");
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.err, "--write allows it");
    const written = await ask("--write", "--execute", "DELETE FROM auth_session");
    assertEquals(JSON.parse(written.out).answers[0].changes, 1);
  }));

type Call = (path: string, body?: unknown, cookie?: string) => Promise<Response>;

interface Scene {
  readonly folder: string;
  readonly call: Call;
  readonly stop: () => Promise<void>;
}

/** An API that serves from `api` in a folder. */
async function inApi(body: (scene: Scene) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    const [shop, out] = [join(folder, "shop"), join(folder, "api")];
    await compileFolder({ folder: shop, out, force: false, checksBundle: false });
    const port = freePort();
    const api = await startApi({
      folder: out,
      port,
      preloaded: [],
      environment: { BASE_URL: `http://localhost:${port}`, DATABASE_URL: "file:./data/app.db" },
      onLine: () => {},
    });
    try {
      await body({ folder, call: callTo(port), stop: () => api.stop() });
    } finally {
      await ended(api);
    }
  });
}

async function ended(api: ApiProcess): Promise<void> {
  await api.stop();
  await api.ended;
}

function callTo(port: number): Call {
  const origin = `http://localhost:${port}`;
  return (path, body, cookie) =>
    fetch(origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { origin, "content-type": "application/json", ...(cookie ? { cookie } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** The cookie of the session. */
async function signUp(call: Call): Promise<string> {
  const response = await call("/auth/v1/sign-up/email", ANN);
  await response.body?.cancel();
  assertEquals(response.status, 200);
  return response.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
}

async function signIn(call: Call): Promise<number> {
  const { email, password } = ANN;
  const response = await call("/auth/v1/sign-in/email", { email, password });
  await response.body?.cancel();
  return response.status;
}

/** Address of the session's account; null: there is no session. */
async function signedIn(call: Call, cookie: string): Promise<string | null> {
  const session = await (await call("/auth/v1/get-session", undefined, cookie)).json();
  return session?.user?.email ?? null;
}

function users(folder: string, ...options: string[]): Promise<Run> {
  return runHere(["users", "list", "api", ...options], { cwd: folder });
}

/** Asked by a process of its own: the driver lets go of a file when its statements are collected. */
async function emails(folder: string): Promise<readonly string[]> {
  const { out } = await runCli(["users", "list", "api", "--json"], { cwd: folder });
  const listed: readonly { readonly email: string }[] = JSON.parse(out).users;
  return listed.map(({ email }) => email);
}
