/** The chain of changes: whole over every driver, and broken wherever a row is not what was written (definitions 4, `audit`). */
import { assertEquals } from "@std/assert";
import { organizationRowsOf } from "../../../shared/runtime/data/organization_rows.ts";
import { runAuditCommand, startEntry } from "../../../shared/runtime/mod.ts";
import type { ChainVerdict, Database } from "../../../shared/runtime/ports.ts";
import { auditLines, AuditUsageError, readAuditCommand } from "../../../library/platform/mod.ts";
import type { ApiUnderTest } from "../../support/api.ts";
import { withCompiledActions } from "../../support/compiled_actions.ts";
import { DRIVERS, type DriverUnderTest, TENANT_DRIVERS } from "../../support/databases.ts";
import {
  ADMIN,
  changesOf,
  historyProject,
  made,
  MEMBER,
  OTHER,
} from "../../support/history_project.ts";

const PER_ORGANIZATION = historyProject(
  'providers: { database: { name: "libsql", config: { tenancy: "perOrganization" } } },',
);

/** Two tickets of one organization, of which one changes twice, and one of another. */
async function written(api: ApiUnderTest): Promise<string> {
  const id = await made(api, "tickets", { title: "A" });
  await made(api, "tickets", { title: "other" });
  await made(api, "tickets", { title: "theirs" }, OTHER);
  for (const title of ["B", "C"]) {
    await api.ask(`tickets/${id}`, { method: "PATCH", as: MEMBER, body: { title } });
  }
  return id;
}

async function verified(
  { ports }: Pick<ApiUnderTest, "ports">,
): Promise<readonly ChainVerdict[]> {
  const { database, tenants = null } = ports;
  const outcome = await runAuditCommand({ kind: "verify" }, { database, tenants });
  return outcome.kind === "verified" ? outcome.chains : [];
}

const told = (chains: readonly ChainVerdict[]) =>
  chains.map(({ chain, changes, erased, broken }) => [
    chain,
    changes,
    erased,
    broken && [broken.sequence, broken.why],
  ]);

const all = new Map<string, DriverUnderTest>(
  [...DRIVERS, ...TENANT_DRIVERS].map((driver) => [driver.name, driver]),
);

for (const driver of all.values()) {
  Deno.test(`changes are chained for each organization (${driver.name})`, async () => {
    const isApart = driver.name === "perOrganization" || driver.name === "namespaces";
    const body = async (api: ApiUnderTest) => {
      const id = await written(api);
      assertEquals(told(await verified(api)), [["org_1", 4, 0, null], ["org_2", 1, 0, null]]);
      const kinds = (await changesOf(api, `tickets/${id}`)).map(({ kind }) => kind);
      assertEquals(kinds, ["update", "update", "create"]);
      assertEquals((await api.ask(`tickets/${id}/history`, { as: OTHER })).status, 403);
    };
    await withCompiledActions(isApart ? PER_ORGANIZATION : historyProject(), body, { driver });
  });
}

const TAMPERINGS: readonly (readonly [name: string, sql: string, sequence: number, why: string])[] =
  [
    [
      "a value",
      `UPDATE audit_changes SET after = replace(after, '"B"', '"X"') WHERE sequence = 3`,
      3,
      "The row is not what was written",
    ],
    [
      "an actor",
      `UPDATE audit_changes SET actor_user_id = 'user_9' WHERE sequence = 3`,
      3,
      "The row is not what was written",
    ],
    ["a row that is gone", `DELETE FROM audit_changes WHERE sequence = 3`, 3, "The row is gone"],
    [
      "the newest rows",
      `DELETE FROM audit_changes WHERE sequence >= 3 AND chain = 'org_1'`,
      3,
      "The rows up to 4 are gone",
    ],
    [
      "the oldest rows",
      `DELETE FROM audit_changes WHERE sequence = 1 AND chain = 'org_1'`,
      1,
      "The row is gone",
    ],
    [
      "a row that takes another's place",
      `UPDATE audit_changes SET previous_hash = hash WHERE sequence = 2`,
      2,
      "The row follows another one than the one before it",
    ],
    [
      "a row behind the newest one",
      `INSERT INTO audit_changes (id, chain, sequence, previous_hash, hash)
        SELECT 'chg_x', chain, 5, hash, hash FROM audit_changes WHERE sequence = 4 AND chain = 'org_1'`,
      5,
      "The row stands behind the end",
    ],
    [
      "ends that are gone",
      `DELETE FROM audit_chains WHERE chain = 'org_1'`,
      0,
      "Nothing says where the chain begins and ends",
    ],
  ];

Deno.test("verify names the first broken row", async (t) => {
  for (const [name, sql, sequence, why] of TAMPERINGS) {
    await t.step(name, async () => {
      await withCompiledActions(historyProject(), async (api) => {
        await written(api);
        await api.database.write((transaction) => transaction.run({ sql, args: [] }));
        const [first, second] = await verified(api);
        assertEquals([first?.chain, first?.broken?.sequence, first?.broken?.why], [
          "org_1",
          sequence,
          why,
        ]);
        assertEquals(second?.broken, null);
      });
    });
  }
});

Deno.test("what is written while verify reads breaks no chain", async () => {
  await withCompiledActions(historyProject(), async (api) => {
    const id = await written(api);
    const { database } = api.ports;
    let edits = 0;
    const edited = async <T>(answer: Promise<T>): Promise<T> => {
      const rows = await answer;
      edits += 1;
      const body = { title: `Edit ${edits}` };
      assertEquals(
        (await api.ask(`tickets/${id}`, { method: "PATCH", as: MEMBER, body })).status,
        200,
      );
      await made(api, "tickets", { title: "new" }, { ...OTHER, orgId: `org_new_${edits}` });
      return rows;
    };
    const busy: Database = {
      ...database,
      run: (statement) => edited(database.run(statement)),
      runAll: (statements) => edited(database.runAll(statements)),
    };
    const outcome = await runAuditCommand({ kind: "verify" }, { database: busy, tenants: null });
    assertEquals(outcome.kind === "verified" && outcome.chains.map(({ broken }) => broken), [
      null,
      null,
    ]);
    assertEquals((await verified(api)).every(({ broken }) => broken === null), true);
  });
});

/** Cells that could tell of a person or a record, of changes that are erased. */
async function leftOf(database: Database): Promise<readonly unknown[]> {
  const { rows } = await database.run({
    sql: `SELECT DISTINCT coalesce(resource, record_id, kind, operation, request_id, actor_user_id,
        impersonator_user_id, "before", "after", salt, created_at, expires_at) FROM audit_changes
      WHERE chain = 'org_1'`,
    args: [],
  });
  return rows.map(([cell]) => cell);
}

Deno.test("an erased history keeps its place and its hash alone", async () => {
  await withCompiledActions(historyProject(), async (api) => {
    const id = await written(api);
    const { database } = api;
    const erased = await runAuditCommand({
      kind: "erase",
      resource: "tickets",
      recordId: id,
      organizationId: "org_1",
    }, { database, tenants: null });
    assertEquals(erased, { kind: "erased", changes: 3 });
    assertEquals(await changesOf(api, `tickets/${id}`), []);
    assertEquals(told(await verified(api)), [["org_1", 4, 3, null], ["org_2", 1, 0, null]]);
    await api.ask(`tickets/${id}`, { method: "PATCH", as: MEMBER, body: { title: "D" } });
    assertEquals((await changesOf(api, `tickets/${id}`, ADMIN)).length, 1);
    assertEquals(told(await verified(api))[0], ["org_1", 5, 3, null]);
  });
});

Deno.test("the purge of an organization leaves hashes alone, and other chains as they are", async () => {
  await withCompiledActions(historyProject(), async (api) => {
    await written(api);
    const rows = organizationRowsOf(api.project);
    for (let isMore = true; isMore;) {
      isMore = await api.database.write((transaction) => rows.removeSome(transaction, "org_1"));
    }
    assertEquals(await leftOf(api.database), [null]);
    assertEquals(told(await verified(api)), [["org_1", 4, 4, null], ["org_2", 1, 0, null]]);
  });
});

Deno.test("the line of a start names the history of records", async () => {
  await withCompiledActions(historyProject(), ({ project }) => {
    const facts = { database: "a.db", topology: "a file", migrations: 1, applied: 1, switches: [] };
    const features = String(startEntry(project, facts).fields?.["features"]).split(", ");
    assertEquals(features.includes("history of records"), true);
    const without = { ...project, resources: project.resources.map(({ audit: _, ...one }) => one) };
    const others = String(startEntry(without, facts).fields?.["features"]);
    assertEquals(others.includes("history"), false);
    return Promise.resolve();
  });
});

Deno.test("deno task audit takes verify and erase, and says what it found", () => {
  assertEquals(readAuditCommand(["verify", "--json"]), {
    command: { kind: "verify" },
    isJson: true,
  });
  assertEquals(
    readAuditCommand(["erase", "tickets", "t1", "--organization", "o1", "--yes"]).command,
    { kind: "erase", resource: "tickets", recordId: "t1", organizationId: "o1" },
  );
  for (const args of [[], ["prove"], ["erase", "tickets"], ["erase", "tickets", "t1"], ["--no"]]) {
    let refused: unknown = null;
    try {
      readAuditCommand(args);
    } catch (error) {
      refused = error;
    }
    assertEquals(refused instanceof AuditUsageError, true, args.join(" "));
  }
  const chain = { chain: "o1", changes: 3, erased: 1, head: "abc", broken: null };
  const broken = { sequence: 2, id: "chg_1", why: "The row is gone" };
  const chains = [chain, { ...chain, chain: "", broken }];
  assertEquals(auditLines({ kind: "verified", chains, hasFailed: true }), [
    "ok: 3 changes of organization o1, 1 of them erased; head abc",
    "BROKEN: change 2 (chg_1) of no organization: The row is gone",
  ]);
});
