/** Definitions 6, hooks of records: code of the author around every write, in its transaction (contract 4.1, 4.4). */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, isRecord } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { systemTimer } from "../../library/platform/system_timer.ts";
import { ANN, BEN, hooked, hooksFile, logging } from "../support/hooked_project.ts";

interface Log {
  readonly what: string;
  readonly about: unknown;
}

/** Logs since the last look, oldest first. */
async function logsOf(api: ApiUnderTest): Promise<readonly Log[]> {
  const { rows } = await api.database.run({
    sql: "SELECT what, about FROM logs ORDER BY rowid",
    args: [],
  });
  await api.database.write((transaction) => transaction.run({ sql: "DELETE FROM logs", args: [] }));
  return rows.map(([what, about]) => ({
    what: String(what),
    about: JSON.parse(String(about ?? "null")),
  }));
}

const names = (logs: readonly Log[]) => logs.map(({ what }) => what);

const ask = (
  api: ApiUnderTest,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => api.ask(path, { method, as: ANN, headers, ...(body === undefined ? {} : { body }) });

async function make(api: ApiUnderTest, title = "One"): Promise<string> {
  const answer = await ask(api, "POST", "orders", { title });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

Deno.test("hooks run around single writes", async (t) => {
  await withCompiledActions(hooked(), async (api) => {
    let id = "";
    await t.step("a create gets what a hook sets beside the guards", async () => {
      const made = await ask(api, "POST", "orders", { title: "One", amount: "3.00", tags: ["a"] });
      assertEquals([made.status, made.body["made"], made.body["half"]], [201, "by ann", "1.5000"]);
      id = String(made.body["id"]);
      assertEquals(await logsOf(api), [
        {
          what: "beforeCreate",
          about: {
            operation: "create",
            changes: { title: "One", amount: "3.00", tags: ["a"] },
            status: "draft",
            made: null,
          },
        },
        { what: "afterCreate", about: { title: "One", made: "by ann" } },
      ]);
    });
    await t.step("a change sees the record as it is, and as it would be", async () => {
      const sent = await ask(api, "PATCH", `orders/${id}`, { status: "sent", amount: "5" });
      assertEquals([sent.status, sent.body["sentAt"]], [200, "2026-03-04T05:06:07.000Z"]);
      assertEquals(await logsOf(api), [
        {
          what: "beforeUpdate",
          about: {
            operation: "update",
            was: "draft",
            changes: { status: "sent", amount: "5.00" },
            title: "One",
            half: "2.5000",
          },
        },
        {
          what: "afterUpdate",
          about: {
            operation: "update",
            changed: ["status", "sentAt", "amount"],
            was: "draft",
            is: "sent",
          },
        },
      ]);
      assertEquals(sent.body["version"], 2);
    });
    await t.step("what the layers refuse runs no hook", async () => {
      await ask(api, "PATCH", `orders/${id}`, { kind: "other" });
      await ask(api, "PATCH", `orders/${id}`, { status: "lost" });
      await ask(api, "PATCH", `orders/none`, { title: "x" });
      await ask(api, "POST", "orders", { title: 5 });
      await api.ask(`orders/${id}`, { method: "PATCH", as: BEN, body: { title: "x" } });
      assertEquals(await logsOf(api), []);
    });
    await t.step("a move that the service makes is an update", async () => {
      const paid = await ask(api, "POST", `orders/${id}/pay`, {});
      assertEquals(paid.status, 200, paid.text);
      const [before, after] = await logsOf(api);
      assert(isRecord(before?.about) && isRecord(after?.about));
      assertEquals([before.about["operation"], before.about["was"]], ["transition", "sent"]);
      assertEquals([after.about["was"], after.about["is"]], ["sent", "paid"]);
    });
    await t.step("a file is an update", async () => {
      const headers = {
        "content-type": "text/plain",
        "content-disposition": 'attachment; filename="a.txt"',
      };
      const sent = await ask(api, "PUT", `orders/${id}/paper`, "hello", headers);
      assertEquals(sent.status, 200, sent.text);
      const [before] = await logsOf(api);
      assert(isRecord(before?.about) && isRecord(before.about["changes"]));
      assertEquals([before.about["operation"], Object.keys(before.about["changes"])], ["file", [
        "paper",
      ]]);
      assertEquals((await ask(api, "DELETE", `orders/${id}/paper`)).status, 200);
      assertEquals(names(await logsOf(api)), ["beforeUpdate", "afterUpdate"]);
    });
    await t.step("a deletion counts what went along, and a restore is an update", async () => {
      for (const quantity of [1, 2]) await ask(api, "POST", "lines", { orderId: id, quantity });
      assertEquals((await ask(api, "DELETE", `orders/${id}`)).status, 200);
      assertEquals(await logsOf(api), [
        { what: "beforeDelete", about: { title: "One" } },
        { what: "afterDelete", about: { title: "One", cascaded: { lines: 2 } } },
      ]);
      const back = await ask(api, "POST", `orders/${id}/restore`);
      assertEquals([back.status, back.body["deletedAt"]], [200, null]);
      const logs = await logsOf(api);
      assertEquals(logs.map(({ about }) => isRecord(about) && about["operation"]), [
        "restore",
        "restore",
      ]);
    });
    await t.step("an Idempotency-Key runs them once", async () => {
      const headers = { "idempotency-key": "once-and-no-more" };
      const [one, two] = [
        await ask(api, "POST", "orders", { title: "Once" }, headers),
        await ask(api, "POST", "orders", { title: "Once" }, headers),
      ];
      assertEquals([one.status, two.text], [201, one.text]);
      assertEquals(names(await logsOf(api)), ["beforeCreate", "afterCreate"]);
    });
    await t.step(
      "a changeset runs them in its one transaction, and a batch for each record",
      async () => {
        const data = { title: "Set" };
        const set = await ask(api, "POST", "changeset", {
          operations: [
            { op: "create", resource: "orders", data, as: "one" },
            { op: "update", resource: "orders", id: { $ref: "one.id" }, data: { status: "sent" } },
          ],
        });
        assertEquals(set.status, 200, set.text);
        assertEquals(names(await logsOf(api)), [
          "beforeCreate",
          "afterCreate",
          "beforeUpdate",
          "afterUpdate",
        ]);
        const batch = await ask(api, "POST", "orders/batch", {
          records: [{ title: "a" }, { title: "b" }],
        });
        assertEquals(batch.status, 201, batch.text);
        assertEquals(names(await logsOf(api)), [
          "beforeCreate",
          "afterCreate",
          "beforeCreate",
          "afterCreate",
        ]);
        const { success } = batch.body;
        const ids = Array.isArray(success)
          ? success.map((one) => isRecord(one) ? one["id"] : null)
          : [];
        await ask(api, "PATCH", "orders/batch", {
          records: ids.map((id) => ({ id, status: "sent" })),
        });
        assertEquals(names(await logsOf(api)), [
          "beforeUpdate",
          "afterUpdate",
          "beforeUpdate",
          "afterUpdate",
        ]);
        await ask(api, "DELETE", "orders/batch", { ids });
        assertEquals(names(await logsOf(api)), [
          "beforeDelete",
          "afterDelete",
          "beforeDelete",
          "afterDelete",
        ]);
      },
    );
    await t.step("db.records runs them, and plain statements do not", async () => {
      const one = await make(api);
      await logsOf(api);
      assertEquals((await ask(api, "POST", `orders/${one}/touch`, {})).status, 200);
      assertEquals(names(await logsOf(api)), ["beforeUpdate", "afterUpdate"]);
      const rehearsed = await ask(api, "POST", `orders/${one}/touch?dryRun=true`, {});
      assertEquals([rehearsed.status, await logsOf(api)], [200, []]);
    });
  });
});

Deno.test("an ActionError of a hook is the answer, and undoes the write", async (t) => {
  const no = (name: string) =>
    `({ record, next }) => { if ((next ?? record).title === "no") throw new ActionError("Not so", "NOT_SO", 409, { why: "${name}" }); }`;
  const hooks = logging({
    beforeCreate: `async (given) => {
      await given.db.insert(logs).values({ what: "beforeCreate" });
      (${no("create")})(given);
      return { made: "x" };
    }`,
    beforeUpdate: no("update"),
    afterDelete: no("delete"),
  });
  await withCompiledActions(hooked({ hooks }), async (api) => {
    const code = { error: "Not so", code: "NOT_SO" };
    await t.step("of a single write", async () => {
      const made = await ask(api, "POST", "orders", { title: "no" });
      assertEquals([made.status, made.body], [409, { ...code, details: { why: "create" } }]);
      const id = await make(api);
      await logsOf(api);
      const changed = await ask(api, "PATCH", `orders/${id}`, { title: "no" });
      assertEquals([changed.status, changed.body["details"]], [409, { why: "update" }]);
      assertEquals(await logsOf(api), []);
    });
    await t.step("under an Idempotency-Key it is kept", async () => {
      const headers = { "idempotency-key": "no-and-no" };
      const one = await ask(api, "POST", "orders", { title: "no" }, headers);
      const two = await ask(api, "POST", "orders", { title: "no" }, headers);
      assertEquals([two.status, two.text, one.status], [409, one.text, 409]);
      assertEquals(two.headers.get("idempotency-replayed"), "true");
    });
    await t.step("in a batch it is one record's, and undoes what its hook wrote", async () => {
      await logsOf(api);
      const records = [{ title: "a" }, { title: "b" }, { title: "no" }, { title: "d" }];
      const batch = await ask(api, "POST", "orders/batch", { records });
      assertEquals(batch.status, 207, batch.text);
      assertEquals(batch.body["errors"], [{
        index: 2,
        record: { title: "no" },
        error: {
          error: "Not so",
          layer: "action",
          code: "NOT_SO",
          details: { why: "create" },
          hint: "",
        },
      }]);
      assertEquals(
        (await logsOf(api)).filter(({ what }) => what === "beforeCreate").length,
        3,
      );
      const all = await ask(api, "POST", "orders/batch", { records, options: { failFast: true } });
      assertEquals([all.status, all.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals(await logsOf(api), []);
    });
    await t.step("in a changeset it ends all of it", async () => {
      const set = await ask(api, "POST", "changeset", {
        operations: [
          { op: "create", resource: "orders", data: { title: "kept" } },
          { op: "create", resource: "orders", data: { title: "no" } },
        ],
      });
      const { details } = set.body;
      assertEquals([set.status, set.body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assert(isRecord(details));
      assertEquals([details["failedAt"], details["errorDetails"]], [1, {
        ...code,
        details: { why: "create" },
      }]);
      assertEquals(await logsOf(api), []);
    });
    await t.step("after a deletion it undoes the deletion", async () => {
      const id = await make(api);
      await api.database.write((transaction) =>
        transaction.run({ sql: "UPDATE orders SET title = 'no' WHERE id = ?", args: [id] })
      );
      const gone = await ask(api, "DELETE", `orders/${id}`);
      assertEquals([gone.status, gone.body["code"]], [409, "NOT_SO"]);
      assertEquals((await ask(api, "GET", `orders/${id}`)).status, 200);
    });
  });
});

Deno.test("the mistakes of a hook are 500 and undo the request", async (t) => {
  const mistakes = {
    string: `() => { throw "oops"; }`,
    error: `() => { throw new RangeError("secret"); }`,
    mutates: `({ changes }) => { changes.title = "mine"; }`,
    deep: `({ changes }) => { changes.tags.push("mine"); }`,
    unknown: `() => ({ colour: "red" })`,
    id: `() => ({ id: "mine" })`,
    scope: `() => ({ organizationId: "org_b" })`,
    stamp: `() => ({ createdAt: "2020-01-01T00:00:00.000Z" })`,
    author: `() => ({ modifiedBy: "me" })`,
    revision: `() => ({ version: 7 })`,
    computed: `() => ({ half: "1.0000" })`,
    file: `() => ({ paper: null })`,
    list: `() => [1]`,
    text: `() => "made"`,
    foreign:
      `async ({ db }) => { await db.insert(logs).values({ what: "x", organizationId: "org_b" }); }`,
    constraint:
      `async ({ db }) => { await db.insert(customers).values([{ name: "a" }, { name: "a" }]); }`,
  };
  for (const [name, code] of Object.entries(mistakes)) {
    await t.step(
      name,
      () =>
        withCompiledActions(hooked({ hooks: hooksFile({ beforeCreate: code }) }), async (api) => {
          const one = await ask(api, "POST", "orders", { title: "One", tags: ["a"] });
          assertEquals([one.status, one.body["code"]], [500, "ACTION_EXECUTION_FAILED"], one.text);
          assert(!one.text.includes("secret") && !one.text.includes("hooks/orders.ts"));
          // The log has the author's place.
          assert(
            api.log.some(({ error }) =>
              error instanceof Error &&
              error.message.includes("quickback/features/shop/hooks/orders.ts")
            ),
          );
          const batch = await ask(api, "POST", "orders/batch", {
            records: [{ title: "a", tags: ["a"] }],
          });
          assertEquals(batch.status, 500);
          assertEquals((await ask(api, "GET", "orders")).body["data"], []);
        }),
    );
  }
  await t.step("immutable on update", () =>
    withCompiledActions(
      hooked({
        hooks: hooksFile({
          beforeCreate: `() => ({ made: "x", kind: "set" })`,
          beforeUpdate: `() => ({ kind: "x" })`,
        }),
      }),
      async (api) => {
        const id = await make(api);
        const changed = await ask(api, "PATCH", `orders/${id}`, { title: "x" });
        assertEquals([changed.status, changed.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
        assertEquals((await ask(api, "GET", `orders/${id}`)).body["kind"], "set");
      },
    ));
});

Deno.test("what a hook sets is validated as a body is", async (t) => {
  const given: Readonly<Record<string, readonly [string, string]>> = {
    type: [`() => ({ made: 5 })`, "made"],
    bounds: [`() => ({ made: "x", amount: "99999999.00" })`, "amount"],
    choice: [`() => ({ made: "x", status: "lost" })`, "status"],
    missing: [`() => undefined`, "made"],
    empty: [`() => ({ made: null })`, "made"],
    key: [`() => ({ made: "x", customerId: "none" })`, "customerId"],
  };
  for (const [name, [code, field]] of Object.entries(given)) {
    await t.step(
      name,
      () =>
        withCompiledActions(hooked({ hooks: hooksFile({ beforeCreate: code }) }), async (api) => {
          const one = await ask(api, "POST", "orders", { title: "One" });
          const { details } = one.body;
          assertEquals([one.status, one.body["code"]], [400, "VALIDATION_ERROR"], one.text);
          assert(isRecord(details) && isRecord(details["fields"]));
          assertEquals(Object.keys(details["fields"]), [field]);
        }),
    );
  }
});

Deno.test("a hook reaches the rows of its caller alone", () =>
  withCompiledActions(
    hooked({
      hooks: hooksFile({
        beforeCreate: `async ({ db, changes }) => {
          await db.update(customers).set({ name: "taken over" });
          await db.update(customers).set({ name: "taken over" }).where(eq(customers.id, changes.title));
          const told = [];
          try { await db.records.update(customers, changes.title, { name: "x" }); } catch (error) { told.push(error.code); }
          return { made: told.join() };
        }`,
      }),
    }),
    async (api) => {
      const foreign = await api.ask("customers", {
        method: "POST",
        as: BEN,
        body: { name: "Ben's" },
      });
      const one = await ask(api, "POST", "orders", { title: String(foreign.body["id"]) });
      assertEquals([one.status, one.body["made"]], [201, "FIREWALL_NOT_FOUND"], one.text);
      const { body } = await api.ask(`customers/${foreign.body["id"]}`, { as: BEN });
      assertEquals(body["name"], "Ben's");
    },
  ));

Deno.test("hooks that call one another end five deep", async (t) => {
  const again = `async ({ db, changes }) => {
    const depth = Number(changes.title);
    CATCH
    return { made: "at " + depth };
  }`;
  const call = `await db.records.create(orders, { title: String(depth + 1), made: "x" });`;
  await t.step("uncaught: 500, and nothing is kept", () =>
    withCompiledActions(
      hooked({ hooks: hooksFile({ beforeCreate: again.replace("CATCH", call) }) }),
      async (api) => {
        const one = await ask(api, "POST", "orders", { title: "1" });
        assertEquals([one.status, one.body["code"]], [500, "ACTION_EXECUTION_FAILED"], one.text);
        assertEquals((await ask(api, "GET", "orders")).body["data"], []);
      },
    ));
  await t.step("caught: the calls above stand", () =>
    withCompiledActions(
      hooked({
        hooks: hooksFile({ beforeCreate: again.replace("CATCH", `try { ${call} } catch {}`) }),
      }),
      async (api) => {
        const one = await ask(api, "POST", "orders", { title: "1" });
        assertEquals(one.status, 201, one.text);
        const { data } = (await ask(api, "GET", "orders?sort=title&fields=title,made")).body;
        assertEquals(
          data,
          ["1", "2", "3", "4", "5"].map((title) => ({ title, made: `at ${title}` })),
        );
      },
    ));
});

/** As a client that comes again when the database is busy: each of these writes commits alone. */
async function created(api: ApiUnderTest, title: string): Promise<number> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { status, body, text } = await ask(api, "POST", "orders", { title });
    if (status === 201) return Number(body["made"]);
    assertEquals([status, body["code"]], [503, "DATABASE_UNAVAILABLE"], text);
  }
  throw new Error("The database stays busy");
}

Deno.test("64 creates at once number themselves by a hook that counts", () =>
  withCompiledActions(
    hooked({
      hooks: hooksFile({
        beforeCreate: `async ({ db }) => ({ made: String(await db.$count(orders)) })`,
      }),
    }),
    async (api) => {
      const made = await Promise.all(
        Array.from({ length: 64 }, (_, at) => created(api, `${at}`)),
      );
      assertEquals(made.sort((a, b) => a - b), Array.from({ length: 64 }, (_, at) => at));
    },
  ));

Deno.test("a hook that takes too long is 503, and leaves the writer to others", async (t) => {
  const hooks: Readonly<Record<string, string>> = {
    fetch: `async () => { await new Promise(() => {}); }`,
    nested: `async ({ db, changes }) => {
      if (changes.title === "inner") await new Promise(() => {});
      await db.records.create(orders, { title: "inner", made: "x" });
      return { made: "x" };
    }`,
    late: `async ({ db }) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await db.insert(logs).values({ what: "late" });
      return { made: "x" };
    }`,
  };
  for (const [name, beforeCreate] of Object.entries(hooks)) {
    await t.step(name, () =>
      withCompiledActions(
        hooked({ hooks: hooksFile({ beforeCreate }) }),
        async (api) => {
          const one = await ask(api, "POST", "orders", { title: "One" });
          assertEquals([one.status, one.body["code"], one.body["layer"]], [
            503,
            "ACTION_TIMEOUT",
            "action",
          ]);
          assertEquals((await ask(api, "POST", "customers", { name: "Next" })).status, 201);
          await new Promise((resolve) => setTimeout(resolve, 500));
          assertEquals(await logsOf(api), []);
          assertEquals((await ask(api, "GET", "orders")).body["data"], []);
        },
        { timer: systemTimer, settings: { hookTimeoutMs: 200 } },
      ));
  }
});
