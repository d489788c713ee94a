/**
 * The contract over a copy of a libSQL server's database, and over a database for each organization: suites that hold on a file
 * hold there too (definitions 2, `tenancy`; 8, `DATABASE_REPLICA`). Any other one runs so by `TEST_TOPOLOGY=replica deno test -A
 * <file>`, by `perOrganization` and `namespaces`, and over the server alone by `server`.
 */
import { assert } from "@std/assert";
import { sqld } from "../support/sqld.ts";

/** Records, actions and transitions, keys, `If-Match`, batches and accounts. */
const SUITES: readonly string[] = [
  "section_02_06_batch",
  "section_03_02_moves",
  "section_04_01_idempotency",
  "section_04_01_preconditions",
  "section_04_04_actions",
  "section_04_writes",
  "section_05_accounts",
  "section_05_api_keys",
];

/** The same, and what tells of changes and of several writes; the others differ by design in some places (decisions). */
const APART: readonly string[] = [
  "section_01_isolation",
  "section_03_02_moves",
  "section_04_01_preconditions",
  "section_05_api_keys",
  "section_06_03_realtime",
  "section_07_changeset",
];

async function requireSuites(topology: string, suites: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--no-check",
      "--quiet",
      ...suites.map((name) => new URL(`./${name}_test.ts`, import.meta.url).pathname),
    ],
    env: { TEST_TOPOLOGY: topology, NO_COLOR: "1", RUST_LOG: "off" },
    stdin: "null",
  }).output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
  assert(success, said.slice(-20_000));
  assert(/^ok \| [1-9]\d{1,} passed/m.test(said), said.slice(-500));
}

Deno.test({
  name: "what holds on a file holds over a copy of a server's database",
  ignore: await sqld() === null,
  fn: () => requireSuites("replica", SUITES),
});

Deno.test("what holds on a file holds over a database for each organization", () =>
  requireSuites("perOrganization", APART));
