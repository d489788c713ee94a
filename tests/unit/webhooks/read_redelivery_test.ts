/** The command line of `deno task redeliver`. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  readRedelivery,
  REDELIVERY_USAGE,
  redeliveryReport,
} from "../../../library/platform/webhooks/read_redelivery.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const ENDPOINT = `wep_${"0f".repeat(16)}`;

Deno.test("flags are read in any order, with defaults for what is not given", () => {
  assertEquals(readRedelivery(["--since", "2026-01-30"], NOW), {
    since: "2026-01-30T00:00:00.000Z",
    endpointId: null,
    status: "failed",
    isRehearsal: false,
  });
  const all = [
    "--dry-run",
    "--status=delivered",
    "--endpoint",
    ENDPOINT,
    "--since=2026-01-30T10:00:00+02:00",
  ];
  assertEquals(readRedelivery(all, NOW), {
    since: "2026-01-30T08:00:00.000Z",
    endpointId: ENDPOINT,
    status: "delivered",
    isRehearsal: true,
  });
});

const SINCE = ["--since", "2026-01-30"];
const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
  [[], "--since is missing"],
  [["--since"], "since"],
  [["--since", ""], "--since needs"],
  [["--since", "yesterday"], "--since needs"],
  [["--since", "2026-02-30"], "--since needs"],
  [["--since", "2026-13-01"], "--since needs"],
  [["--since", "2026-01-30T10:00:00"], "--since needs"],
  [["--since", "2026-01-30T25:00:00Z"], "--since needs"],
  [["--since", "1769731200000"], "--since needs"],
  [["--since", "2026-02-01"], "must not be in the future"],
  [[...SINCE, "--since", "2026-01-29"], "--since is given more than once"],
  [[...SINCE, "--endpoint", "*"], "--endpoint needs"],
  [[...SINCE, "--endpoint", "wep_1"], "--endpoint needs"],
  [[...SINCE, "--endpoint", ""], "--endpoint needs"],
  [[...SINCE, "--status", "pending"], "--status needs"],
  [[...SINCE, "--status", "FAILED"], "--status needs"],
  [[...SINCE, "--dry-run=yes"], "dry-run"],
  [[...SINCE, "--force"], "--force"],
  [[...SINCE, "all"], "all"],
  [[...SINCE, "--", "all"], "all"],
];

for (const [args, says] of REFUSED) {
  Deno.test(`redeliver ${args.join(" ")} is refused`, () => {
    const error = assertThrows(() => readRedelivery(args, NOW));
    assertEquals(error instanceof Error && error.message.includes(says), true, String(error));
  });
}

Deno.test("a flag that there is none of is answered with those that there are", () => {
  for (const args of [["--help"], [...SINCE, "--force"], [...SINCE, "all"], ["--since"]]) {
    const error = assertThrows(() => readRedelivery(args, NOW));
    assertEquals(error instanceof Error && error.message.endsWith(REDELIVERY_USAGE), true);
  }
});

Deno.test("the command says how many events go to how many endpoints", () => {
  const request = readRedelivery(SINCE, NOW);
  const one = { deliveries: 1, endpoints: 1 };
  assertEquals(redeliveryReport(request, one), "Emitted again: 1 event to 1 endpoint");
  assertEquals(
    redeliveryReport({ ...request, isRehearsal: true }, { deliveries: 12, endpoints: 0 }),
    "Would emit again: 12 events to 0 endpoints",
  );
});
