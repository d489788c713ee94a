/** Walks at random, and the shortest one that breaks what must hold. */
import fc from "fast-check";
import { type Act, type Subject, SUBJECTS, type Turn } from "./acts/act.ts";
import { ACTS } from "./acts/mod.ts";
import { judge } from "./judge.ts";
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
  /** Subjects that the walks are about; absent: any. */
  readonly only?: readonly Subject[];
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
}

const MAX_STEPS = 14;

/** The first choice is the likeliest, and what a walk is shortened to. */
const CHOICE = fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);
const WHO = fc.constantFrom(
  ...["stranger", "owner", "stranger", "owner", "stranger", "owner"] as const,
  ...PEOPLE,
);

export function plans(only: readonly Subject[] | undefined): fc.Arbitrary<Plan> {
  const subjects = only ?? SUBJECTS.filter((subject) => subject !== "every walk");
  return fc.record({
    subjects: fc.noShrink(
      fc.subarray([...subjects], { minLength: 1, maxLength: Math.min(2, subjects.length) }),
    ),
    steps: fc.array(
      fc.record({ act: fc.noShrink(fc.nat(997)), who: WHO, first: CHOICE, second: CHOICE }),
      { maxLength: MAX_STEPS, size: "max" },
    ),
  });
}

/** Walks until as many walks were made, or one broke what must hold: that one is made shorter while it still does. */
export async function walk(api: WalkedApi, { count, seed, only }: Walks): Promise<Walked> {
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
  });
  if (!failed) return { count: numRuns, done, steps, broken: null };
  if (!(errorInstance instanceof Broken) || counterexample === null) throw errorInstance;
  const broken = await shortened(api, counterexample[0], errorInstance);
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

export async function follow(world: World, { subjects, steps }: Plan): Promise<void> {
  await world.api.reset();
  const acts = actsOf(subjects);
  try {
    for (const { act, ...turn } of steps) {
      const [name, one] = acts[act % acts.length] ?? [];
      if (name === undefined || one === undefined) continue;
      if (one.who && !one.who.includes(turn.who)) {
        await one.run(world, { ...turn, who: one.who[0] ?? turn.who });
      } else await one.run(world, turn);
      world.done.add(`act: ${name}`);
    }
    await judge(world);
  } catch (error) {
    if (error instanceof Violation) throw new Broken(error.message, world.told);
    const said = world.told.map((line) => `  ${line}`).join("\n");
    throw new Error(`The walk went wrong after\n${said}`, { cause: error });
  } finally {
    for (const one of world.credentials) if (one.kind === "stream") await one.leave();
  }
}

/** What every walk has, and what its subjects have. */
function actsOf(subjects: readonly Subject[]): readonly (readonly [string, Act])[] {
  const all = Object.entries(ACTS);
  const own = all.filter(([, { subject }]) => subjects.includes(subject));
  const common = all.filter(([, { subject }]) => subject === "every walk");
  return [...common, ...own, ...own];
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
