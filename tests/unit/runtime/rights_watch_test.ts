/** One look a second for all callers whose answers outlive their request (contract 6.3). */
import { assertEquals } from "@std/assert";
import { ANONYMOUS, type Principal } from "../../../shared/model/mod.ts";
import type { RequestContext } from "../../../shared/runtime/context.ts";
import {
  createRightsWatch,
  keepsRights,
} from "../../../shared/runtime/layers/1-authentication/rights_watch.ts";
import type { StandingCallers } from "../../../shared/runtime/layers/1-authentication/standing.ts";
import { manualTimer } from "../../support/realtime.ts";

const ANNA: Principal = {
  ...ANONYMOUS,
  credential: "session",
  userId: "anna",
  organizationId: "acme",
  roles: ["admin", "member"],
};

/** Nothing of a request is looked at here. */
const REQUEST: RequestContext = Object.create(null);

interface Watching {
  /** What the watched were told, in order. */
  readonly told: string[];
  readonly looks: number[];
  watch(name: string, principal?: Principal): Promise<() => void>;
  elapse(milliseconds: number): Promise<void>;
}

function watching(look: StandingCallers["look"]): Watching {
  const time = { now: 0 };
  const timer = manualTimer({ now: () => time.now });
  const told: string[] = [];
  const looks: number[] = [];
  const rights = createRightsWatch({
    of: () => Promise.resolve([]),
    look(all) {
      looks.push(all.length);
      return look(all);
    },
  }, { timer, logger: { log: ({ message }) => void told.push(message) } });
  return {
    told,
    looks,
    watch: (name, principal = ANNA) =>
      rights.watch({ request: REQUEST, principal }, {
        become: (found) => void told.push(`${name} ${found?.roles.join("+") ?? "nobody"}`),
        hold: () => void told.push(`${name} waits`),
        resume: () => void told.push(`${name} goes on`),
      }),
    async elapse(milliseconds) {
      time.now += milliseconds;
      timer.fire();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

Deno.test("a thousand callers are looked at once a second, and nobody when all have left", async () => {
  const { watch, elapse, looks } = watching((all) => Promise.resolve(all.map(() => ANNA)));
  const left = await Promise.all(Array.from({ length: 1000 }, (_, at) => watch(`s${at}`)));
  for (let second = 0; second < 3; second += 1) await elapse(1000);
  assertEquals(looks, [1000, 1000, 1000]);
  for (const leave of left) leave();
  for (let second = 0; second < 3; second += 1) await elapse(1000);
  assertEquals(looks.length, 3);
  await watch("again");
  await elapse(1000);
  assertEquals(looks, [1000, 1000, 1000, 1]);
});

Deno.test("a caller hears of what they have become once, and nothing after they are nobody", async () => {
  let found: Principal | null = ANNA;
  const { watch, elapse, told, looks } = watching((all) => Promise.resolve(all.map(() => found)));
  await watch("anna");
  await elapse(1000);
  found = { ...ANNA, roles: ["member"] };
  for (let second = 0; second < 2; second += 1) await elapse(1000);
  found = null;
  for (let second = 0; second < 2; second += 1) await elapse(1000);
  assertEquals(told, [
    "anna goes on",
    "anna member",
    "anna goes on",
    "anna goes on",
    "anna nobody",
  ]);
  assertEquals(looks.length, 4);
});

for (
  const [who, found] of [
    ["another user", { ...ANNA, userId: "ben" }],
    ["another credential", { ...ANNA, credential: "apiKey" }],
  ] as const
) {
  Deno.test(`credentials of ${who} are nobody's for an answer that began before`, async () => {
    const { watch, elapse, told } = watching((all) => Promise.resolve(all.map(() => found)));
    await watch("anna");
    await elapse(1000);
    assertEquals(told, ["anna nobody"]);
  });
}

Deno.test("callers wait while a look fails or lasts longer than a second", async () => {
  const answers: PromiseWithResolvers<readonly (Principal | null)[]>[] = [];
  const { watch, elapse, told, looks } = watching(() => {
    const answer = Promise.withResolvers<readonly (Principal | null)[]>();
    answers.push(answer);
    return answer.promise;
  });
  await watch("anna");
  await elapse(1000);
  answers[0]?.reject(new Error("No connection"));
  await elapse(0);
  assertEquals(told, ["The rights of streams could not be looked at", "anna waits"]);
  await elapse(1000);
  await elapse(1000);
  assertEquals([told.at(-1), looks.length], ["anna waits", 2]);
  answers[1]?.resolve([ANNA]);
  await elapse(0);
  assertEquals(told.at(-1), "anna goes on");
});

Deno.test("keepsRights() finds every loss, and no gain", () => {
  const kept: readonly Partial<Principal>[] = [{}, { roles: ["member", "admin", "owner"] }, {
    userRole: "sysadmin",
  }];
  const lost: readonly Partial<Principal>[] = [
    { roles: ["member"] },
    { organizationId: null },
    { organizationId: "other" },
    { teamId: "other" },
    { grants: {} },
  ];
  for (const change of kept) assertEquals(keepsRights(ANNA, { ...ANNA, ...change }), true);
  for (const change of lost) assertEquals(keepsRights(ANNA, { ...ANNA, ...change }), false);
  assertEquals(keepsRights({ ...ANNA, userRole: "sysadmin" }, ANNA), false);
});
