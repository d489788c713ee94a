/** Databases of organizations at addresses of their own (definitions 8, `DATABASE_TENANT_URL`), on libSQL's own server. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { openTenantStore, readTenantPlace } from "../../../library/platform/mod.ts";
import { DatabaseUnavailableError, type TenantStore } from "../../../shared/runtime/ports.ts";
import { sqld, withSqld } from "../../support/sqld.ts";

const [ONE, OTHER] = [`t_${"1".repeat(32)}`, `t_${"2".repeat(32)}`];

/** A way to the server as a provider has it: each database at an address of its own, here below a path. */
async function withAddresses(
  url: string,
  body: (template: string) => Promise<void>,
): Promise<void> {
  const front = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const [, name = "", rest = ""] = /^\/db\/(t-[0-9a-f]{32})\/(.*)$/.exec(pathname) ?? [];
      if (name === "") return new Response("", { status: 404 });
      const headers = new Headers(request.headers);
      headers.set(
        "x-namespace-bin",
        new TextEncoder().encode(name).toBase64({ omitPadding: true }),
      );
      const hasBody = request.method === "POST";
      return await fetch(`${url}/${rest}`, {
        method: request.method,
        headers,
        ...(hasBody ? { body: await request.text() } : {}),
      });
    },
  );
  try {
    await body(`http://127.0.0.1:${front.addr.port}/db/{tenant}`);
  } finally {
    await front.shutdown();
  }
}

async function withStore(
  isMadeByHand: boolean,
  body: (store: TenantStore, make: (name: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const program = await sqld();
  assert(program);
  await withSqld(program, ({ url, adminUrl }) =>
    withAddresses(url, async (template) => {
      const variables = new Map([
        ["DATABASE_TENANT_URL", template],
        ...(isMadeByHand ? [] : [["DATABASE_ADMIN_URL", adminUrl] as const]),
      ]);
      const store = await openTenantStore({
        databaseUrl: url,
        databaseAuthToken: null,
        tenants: readTenantPlace(variables),
      });
      await body(store, async (name) => {
        const answer = await fetch(`${adminUrl}/v1/namespaces/${name.replace("_", "-")}/create`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        });
        await answer.body?.cancel();
        assert(answer.ok);
      });
    }), { hasNamespaces: true });
}

const ignore = await sqld() === null;

Deno.test({
  name: "each database has its own address, and the admin interface makes and removes it",
  ignore,
  fn: () =>
    withStore(false, async (store) => {
      assertEquals(await store.has(ONE), false);
      await assertRejects(() => store.open(ONE), DatabaseUnavailableError);
      const [one, other] = [await store.make(ONE), await store.make(OTHER)];
      await one.migrate([{ sql: "CREATE TABLE notes (text text)", args: [] }]);
      await one.write((transaction) =>
        transaction.run({ sql: "INSERT INTO notes VALUES ('of one')", args: [] })
      );
      const { rows } = await (await store.open(ONE)).run({ sql: "SELECT * FROM notes", args: [] });
      assertEquals(rows, [["of one"]]);
      await assertRejects(() => other.run({ sql: "SELECT * FROM notes", args: [] }));
      await store.remove(ONE);
      assertEquals([await store.has(ONE), await store.has(OTHER)], [false, true]);
    }),
});

Deno.test({
  name: "without an admin interface a database is made by hand, and what is removed is emptied",
  ignore,
  fn: () =>
    withStore(true, async (store, make) => {
      const error = await assertRejects(() => store.make(ONE), DatabaseUnavailableError);
      assert(String(error.cause).includes(`'${ONE.replace("_", "-")}'`), String(error.cause));
      await make(ONE);
      assertEquals(await store.has(ONE), false);
      const one = await store.make(ONE);
      await one.migrate([{ sql: "CREATE TABLE notes (text text)", args: [] }]);
      assertEquals([await store.has(ONE), await store.has(OTHER)], [true, false]);
      await store.remove(ONE);
      assertEquals(await store.has(ONE), false);
    }),
});

Deno.test("a template that is no address, or that names no tenant, is refused at start", () => {
  for (const text of ["libsql://acme.turso.io", "{tenant}", "ftp://{tenant}.example.com"]) {
    assertThrows(
      () => readTenantPlace(new Map([["DATABASE_TENANT_URL", text]])),
      Error,
      "DATABASE_TENANT_URL must be",
    );
  }
});
