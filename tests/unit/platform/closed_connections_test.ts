/** Descriptors of databases that are opened and closed in turn, as with more organizations than `DATABASE_POOL`. */
import { assert, assertEquals } from "@std/assert";
import {
  closedConnections,
  HELD_MAX,
  HELD_MIN,
} from "../../../library/platform/libsql/closed_connections.ts";
import { openTenantFiles } from "../../../library/platform/libsql/tenant_files.ts";
import { until } from "../../support/until.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

/** The timer that was set last, and those that were stopped. */
function watchedTimer() {
  const set: { readonly milliseconds: number; isStopped: boolean; run(): void }[] = [];
  const after = (milliseconds: number, run: () => void) => {
    const one = { milliseconds, isStopped: false, run };
    set.push(one);
    return () => void (one.isStopped = true);
  };
  return { set, after };
}

Deno.test("closed connections are collected when it is quiet, and at once when they are many", () => {
  const timer = watchedTimer();
  let collections = 0;
  const closed = closedConnections({ timer, collect: () => void (collections += 1) });
  // Held here, so that none of them is collected.
  const natives = Array.from({ length: HELD_MAX }, () => ({}));
  for (const native of natives.slice(0, HELD_MIN - 1)) closed.note(native);
  assertEquals(timer.set, []);
  for (const native of natives.slice(HELD_MIN - 1, HELD_MAX - 1)) closed.note(native);
  assertEquals([...new Set(timer.set.map(({ milliseconds }) => milliseconds))], [1000]);
  closed.note(natives.at(-1) ?? {});
  const [last] = timer.set.splice(-1);
  assertEquals([last?.milliseconds, last?.isStopped], [0, false]);
  assert(timer.set.every(({ isStopped }) => isStopped));
  last?.run();
  assertEquals(collections, 1);
  closed.note({});
  closed.close();
  closed.note({});
  assertEquals(timer.set.map(({ isStopped }) => isStopped).at(-1), true);
});

const DATABASES = 60;

Deno.test({
  name: "databases that were opened and closed hold no descriptor when it is quiet",
  // Descriptors are counted where the kernel lists them.
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withTempFolder(async (folder) => {
      const store = await openTenantFiles({ folder, busyTimeout: 0, synchronous: "NORMAL" });
      const places = () =>
        [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
          try {
            return [Deno.readLinkSync(`/proc/self/fd/${name}`)];
          } catch {
            // The descriptor of the listing itself is gone.
            return [];
          }
        }).filter((place) => place.startsWith(folder));
      for (let at = 0; at < DATABASES; at += 1) {
        const database = await store.make(`t-${at}`);
        await database.write((transaction) =>
          transaction.run({ sql: "CREATE TABLE t (x)", args: [] })
        );
        await database.run({ sql: "SELECT * FROM t", args: [] });
        await database.close();
      }
      await until("their files are given back", () => places().length === 0);
      await store.close();
    }),
});
