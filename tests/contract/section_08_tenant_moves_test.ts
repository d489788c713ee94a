/** An organization's database goes to another place (definitions 8, `tenant move`): nobody else waits, nothing is lost or doubled. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { exportFiles } from "../../library/platform/mod.ts";
import { openTenantFiles } from "../../library/platform/libsql/tenant_files.ts";
import { runTenantCommand } from "../../shared/runtime/mod.ts";
import type { TenantStore } from "../../shared/runtime/ports.ts";
import type { Timer } from "../../shared/runtime/timer.ts";
import { markMoving, tenantName } from "../../shared/runtime/data/tenants/tenant_rows.ts";
import { ANNA, BERT, FILES, texts, write } from "../support/apart_project.ts";
import { type ApiUnderTest, withDefinitions } from "../support/api.ts";
import { type DriverUnderTest, TENANT_DRIVERS } from "../support/databases.ts";
import { migrationOf } from "../support/divided_database.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const ELSEWHERE = "file:/elsewhere";

interface Grounds {
  readonly api: ApiUnderTest;
  readonly store: TenantStore;
  readonly elsewhere: TenantStore;
  /** `meanwhile` runs while the move waits for others to have looked. */
  move(to: string | null, meanwhile?: () => Promise<void>): Promise<readonly string[]>;
}

function withPlaces(driver: DriverUnderTest, body: (grounds: Grounds) => Promise<void>) {
  return withTempFolder(async (folder) => {
    const elsewhere = await openTenantFiles({ folder, busyTimeout: 5000, synchronous: "NORMAL" });
    let store: TenantStore | null = null;
    const placing: DriverUnderTest = {
      name: driver.name,
      with: (use) =>
        driver.with((database, copy, own) => {
          assert(own, "This driver has no place for organizations");
          store = { ...own, at: () => Promise.resolve(elsewhere) };
          return use(database, copy, store);
        }),
    };
    await withDefinitions(FILES, async (api) => {
      assert(store);
      const { database: directory, tenants, clock, random } = api.ports;
      assert(tenants);
      const own = store;
      const move = async (to: string | null, meanwhile = () => Promise.resolve()) => {
        const timer: Timer = {
          after(milliseconds, run) {
            api.pass(milliseconds);
            void meanwhile().then(run);
            return () => {};
          },
        };
        const { lines } = await runTenantCommand({ kind: "move", organizationId: "org_a", to }, {
          ...{ project: api.project, directory, tenants, clock, random },
          migrations: [migrationOf(schemaOf(api.project))],
          files: exportFiles(null),
          moving: { store: own, timer },
          endOrganization: organizationEnding(api.project),
          progress: () => {},
        });
        return lines;
      };
      await body({ api, store, elsewhere, move });
    }, { driver: placing });
  });
}

for (const driver of TENANT_DRIVERS) {
  const test = (name: string, body: (grounds: Grounds) => Promise<void>) =>
    Deno.test(`${driver.name}: ${name}`, () => withPlaces(driver, body));

  test("a database goes to another place and back, and whoever had it open follows", async (grounds) => {
    const { api, store, elsewhere, move } = grounds;
    await write(api, ANNA, "one");
    await write(api, BERT, "of b");
    const name = await tenantName("org_a");
    const during: unknown[] = [];
    const lines = await move(ELSEWHERE, async () => {
      for (const ask of [{ as: ANNA }, { as: ANNA, body: { text: "lost" } }]) {
        const { status, body, headers } = await api.ask("notes", ask);
        during.push([status, body["code"], headers.get("retry-after")]);
      }
      assertEquals(await texts(api, BERT), ["of b"]);
      await write(api, BERT, "also of b");
    });
    assertEquals(during, [503, 503].map((status) => [status, "DATABASE_UNAVAILABLE", "1"]));
    assert(lines[0]?.startsWith(`Moved org_a (${name}), 1 rows`), lines.join("\n"));
    assertEquals([await store.has(name), await elsewhere.has(name)], [false, true]);
    assertEquals(await texts(api, ANNA), ["one"]);
    await write(api, ANNA, "two");
    await assertRejects(() => move(ELSEWHERE), Error, "there already");
    await move(null);
    assertEquals([await store.has(name), await elsewhere.has(name)], [true, false]);
    assertEquals(await texts(api, ANNA), ["one", "two"]);
    await write(api, ANNA, "three");
    assertEquals(await texts(api, BERT), ["also of b", "of b"]);
  });

  test("who opened the old database before writes nothing that the new one would not have", async (grounds) => {
    const { api, store, move } = grounds;
    await write(api, ANNA, "one");
    const late = await store.open(await tenantName("org_a"));
    await move(ELSEWHERE);
    const sql = `INSERT INTO notes (id, organization_id, text, created_at, modified_at)
      VALUES ('late', 'org_a', 'late', '2026', '2026')`;
    await assertRejects(() => late.write((transaction) => transaction.run({ sql, args: [] })));
    await late.close();
    assertEquals(await texts(api, ANNA), ["one"]);
  });

  test("a move that fails leaves everything as it was; one that was broken off goes on, or is called off", async (grounds) => {
    const { api, elsewhere, move } = grounds;
    await write(api, ANNA, "one");
    const name = await tenantName("org_a");
    const stranger = await elsewhere.make(name);
    await stranger.migrate([{ sql: "CREATE TABLE notes (id text)", args: [] }]);
    await stranger.close();
    await assertRejects(() => move(ELSEWHERE), Error, "move it away first");
    await elsewhere.remove(name);
    const { database: directory } = api.ports;
    const breakOff = async () => {
      await directory.write((transaction) => markMoving(transaction, "org_a"));
      api.pass(2000);
      assertEquals((await api.ask("notes", { as: ANNA })).status, 503);
    };
    await breakOff();
    await move(null);
    assertEquals(await texts(api, ANNA), ["one"]);
    await write(api, ANNA, "two");
    await breakOff();
    await move(ELSEWHERE);
    assertEquals(await texts(api, ANNA), ["one", "two"]);
    assertEquals(await elsewhere.has(name), true);
  });
}
