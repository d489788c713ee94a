/**
 * The contract over a copy of a libSQL server's database: suites that hold on a file hold there too (definitions 8,
 * `DATABASE_REPLICA`). Any other one runs so by `TEST_TOPOLOGY=replica deno test -A <file>`, and over the server alone by
 * `TEST_TOPOLOGY=server`.
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

const program = await sqld();

Deno.test({
  name: "what holds on a file holds over a copy of a server's database",
  ignore: program === null,
  async fn() {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "-A",
        "--no-check",
        "--quiet",
        ...SUITES.map((name) => new URL(`./${name}_test.ts`, import.meta.url).pathname),
      ],
      env: { TEST_TOPOLOGY: "replica", NO_COLOR: "1", RUST_LOG: "off" },
      stdin: "null",
    }).output();
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    assert(success, said.slice(-20_000));
    assert(/^ok \| [1-9]\d{2,} passed/m.test(said), said.slice(-500));
  },
});
