/** Walks at random, and the shortest one that breaks what must hold. */
import fc from "fast-check";
import { type Act, at, type Subject, SUBJECTS, type Turn } from "./acts/act.ts";
import { ACTS } from "./acts/mod.ts";
import { judge, proveAll } from "./judge.ts";
import { PEOPLE } from "./people.ts";
import type { WalkedApi } from "./walked_api.ts";
import { Violation, World } from "./world.ts";

/** What was broken, and the walk that broke it, one line for a step. */
export class Broken extends Error {
  constructor(what: string, readonly steps: readonly string[]) {
    super(what);
  }
}

export interface Walks {
  /** How many at most. */
  readonly count: number;
  readonly seed: number;
  /** Subjects that every walk is about; absent: each is about one or two. */
  readonly only?: readonly Subject[];
  /** False: the first walk that breaks something is told as it is. */
  readonly isShortened?: boolean;
}

export interface Walked {
  /** Walks that were made, without those that only shortened the one that was found. */
  readonly count: number;
  /** How often each thing was done. */
  readonly done: ReadonlyMap<string, number>;
  /** Steps of all walks together. */
  readonly steps: number;
  /** Null: nothing was. */
  readonly broken: Broken | null;
}

interface Step extends Turn {
  readonly act: number;
}

interface Plan {
  readonly subjects: readonly Subject[];
  readonly steps: readonly Step[];
  /** True: whoever reads the mail of an address proves it in the end. */
  readonly areProved: boolean;
}

const MAX_STEPS = 12;

/** The first choice is the likeliest, and what a walk is shortened to. */
const CHOICE = fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);
const ANY = fc.noBias(fc.nat(9973));
const WHO = fc.constantFrom(
  ...["stranger", "owner", "stranger", "owner", "stranger", "owner"] as const,
  ...PEOPLE,
);

function plans(only: readonly Subject[] | undefined): fc.Arbitrary<Plan> {
  const any = SUBJECTS.filter((subject) => subject !== "every walk");
  return fc.record({
    subjects: only === undefined
      ? fc.noShrink(fc.subarray(any, { minLength: 1, maxLength: 2 }))
      : fc.constant(only),
    steps: fc.array(
      fc.record({
        act: fc.noShrink(fc.nat(997)),
        who: WHO,
        first: CHOICE,
        second: CHOICE,
        any: ANY,
      }),
      { maxLength: MAX_STEPS, size: "max" },
    ),
    areProved: fc.boolean(),
  });
}

/** Walks until as many walks were made, or one broke what must hold: that one is made shorter while it still does. */
export async function walk(
  api: WalkedApi,
  { count, seed, only, isShortened = true }: Walks,
): Promise<Walked> {
  const done = new Map<string, number>();
  let steps = 0;
  const property = fc.asyncProperty(plans(only), async (plan) => {
    const world = new World(api);
    try {
      await follow(world, plan);
    } finally {
      for (const name of world.done) done.set(name, (done.get(name) ?? 0) + 1);
      steps += world.told.length;
    }
  });
  const { failed, numRuns, errorInstance, counterexample } = await fc.check(property, {
    numRuns: count,
    seed,
    endOnFailure: !isShortened,
  });
  if (!failed) return { count: numRuns, done, steps, broken: null };
  if (!(errorInstance instanceof Broken) || counterexample === null) throw errorInstance;
  const broken = isShortened
    ? await shortened(api, counterexample[0], errorInstance)
    : errorInstance;
  return { count: numRuns, done, steps, broken };
}

/** Without every step that the breach does without, and with a mere sign-up in the place of what only began with one. */
async function shortened(api: WalkedApi, plan: Plan, found: Broken): Promise<Broken> {
  for (const [place, step] of plan.steps.entries()) {
    for (const instead of [[], [{ ...step, act: 0 }]]) {
      const shorter = { ...plan, steps: plan.steps.toSpliced(place, 1, ...instead) };
      const again = await follow(new World(api), shorter)
        .then(() => null, (error: unknown) => error);
      if (!(again instanceof Broken) || again.steps.length >= found.steps.length) continue;
      return await shortened(api, shorter, again);
    }
  }
  return found;
}

async function follow(world: World, { subjects, steps, areProved }: Plan): Promise<void> {
  await world.api.reset();
  const acts = actsOf(subjects);
  try {
    for (const { act, ...turn } of steps) {
      const [name, one] = at(acts, act) ?? [];
      if (name === undefined || one === undefined) continue;
      const before = world.told.length;
      const who = one.who && !one.who.includes(turn.who) ? at(one.who, 0) : turn.who;
      await one.run(world, { ...turn, who: who ?? turn.who });
      if (world.told.length > before) world.done.add(`act: ${name}`);
    }
    if (areProved) await proveAll(world);
    await judge(world);
  } catch (error) {
    if (error instanceof Violation) throw new Broken(error.message, world.told);
    const said = world.told.map((line) => `  ${line}`).join("\n");
    throw new Error(`The walk went wrong after\n${said}`, { cause: error });
  } finally {
    for (const one of world.credentials) if (one.kind === "stream") await one.leave();
  }
}

/** What every walk has, and what its subjects have: two of three steps are about those. */
function actsOf(subjects: readonly Subject[]): readonly (readonly [string, Act])[] {
  const all = Object.entries(ACTS);
  const common = all.filter(([, act]) => act.subjects.includes("every walk"));
  const own = all.filter(([, act]) => act.subjects.some((one) => subjects.includes(one)));
  const times = Math.max(1, Math.round(2 * common.length / own.length));
  return [...common, ...Array.from({ length: times }, () => own).flat()];
}

/** Says how to see it again. */
export function reportOf({ broken, count }: Walked, seed: number): string {
  if (broken === null) return `${count} walks from seed ${seed} broke nothing`;
  return [
    broken.message,
    ...broken.steps.map((step, place) => `  ${place + 1}. ${step}`),
    `Found by walk ${count} of seed ${seed}: deno task walks --seed ${seed} --walks ${count}`,
  ].join("\n");
}
