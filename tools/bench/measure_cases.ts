/** Measures the cases. Rounds of cases and contenders alternate, so that a disturbance affects all of them. */
import { join } from "node:path";
import type { Case } from "./cases.ts";
import { COMPARED_MAX, requireEqualAnswers } from "./compare_answers.ts";
import { type Contender, type ContenderName, CONTENDERS, startContender } from "./contender.ts";
import { median } from "./measure.ts";
import { addTickets, copyOf, DELETABLE, type World } from "./world.ts";
import { load } from "./wrk.ts";

/** Medians over the rounds. */
export interface Figures {
  readonly requestsPerSecond: number;
  /** Processor microseconds of all processes of the contender. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

export interface MeasuredCase {
  readonly case: Case;
  readonly figures: ReadonlyMap<ContenderName, Figures>;
}

export interface Measured {
  readonly cases: readonly MeasuredCase[];
  /** Megabytes at the end, and milliseconds to the first answer. */
  readonly contenders: ReadonlyMap<
    ContenderName,
    { readonly memoryMb: number; readonly restMb: number; readonly startMs: number }
  >;
}

export interface Extent {
  readonly cases: readonly Case[];
  readonly seconds: number;
  readonly rounds: number;
}

const FIRST_PORT = 18_400;
const WARM_UP_SECONDS = 1;

export async function measureCases(world: World, extent: Extent): Promise<Measured> {
  await using running = new AsyncDisposableStack();
  const started: Contender[] = [];
  const rest: number[] = [];
  for (const [at, name] of CONTENDERS.entries()) {
    const database = await copyOf(world, join(world.folder, `${name}.db`));
    const contender = await startContender(name, { world, database, port: FIRST_PORT + at });
    started.push(running.use(contender));
    rest.push(await contender.memoryMb());
  }
  // Written rows make later reads slower, so writes come last.
  const groups = [extent.cases.filter(isRead), extent.cases.filter((one) => !isRead(one))];
  const cases: MeasuredCase[] = [];
  for (const group of groups) {
    cases.push(...await measureTogether(world, started, { ...extent, cases: group }));
  }
  const contenders = new Map<
    ContenderName,
    { memoryMb: number; restMb: number; startMs: number }
  >();
  for (const [at, { name, startMs, memoryMb }] of started.entries()) {
    contenders.set(name, { memoryMb: await memoryMb(), restMb: rest[at] ?? NaN, startMs });
  }
  return { cases, contenders };
}

function isRead({ requests }: Case): boolean {
  return requests.every(({ method }) => method === "GET");
}

/** A case with the results of its rounds. */
interface CaseRun {
  readonly case: Case;
  readonly contenders: readonly Contender[];
  readonly headers: Readonly<Record<string, string>>;
  readonly taken: ReadonlyMap<ContenderName, Figures[]>;
  /** Index of the next request, for cases whose requests count once. */
  readonly places: Map<ContenderName, number>;
}

/** Measures a round of each case in turn. A disturbance then affects one round of many and no median. */
async function measureTogether(
  world: World,
  started: readonly Contender[],
  { cases, seconds, rounds }: Extent,
): Promise<readonly MeasuredCase[]> {
  const runs: CaseRun[] = [];
  for (const one of cases) runs.push(await begun(world, one, started));
  for (let round = 0; round <= rounds; round++) {
    const isWarmUp = round === 0;
    for (const run of runs) {
      const figures = await roundOf(world, run, isWarmUp ? WARM_UP_SECONDS : seconds);
      if (isWarmUp) continue;
      for (const [name, one] of figures) run.taken.get(name)?.push(one);
    }
    console.error(`${isWarmUp ? "Warm-up" : `Round ${round}`} of ${cases.length} cases`);
  }
  return runs.map(({ case: one, taken }) => ({
    case: one,
    figures: new Map([...taken].map(([name, figures]) => [name, medians(figures)])),
  }));
}

async function begun(world: World, one: Case, started: readonly Contender[]): Promise<CaseRun> {
  const contenders = started.filter(({ name }) => one.contenders.includes(name));
  if (one.isUsedUp) {
    for (const { name } of contenders) {
      await addTickets(join(world.folder, `${name}.db`), "del", DELETABLE);
    }
  }
  const headers = {
    authorization: `Bearer ${world.token}`,
    ...(one.requests.some(({ body }) => body !== undefined)
      ? { "content-type": "application/json" }
      : {}),
  };
  await requireEqualAnswers(one, contenders, headers);
  const taken = new Map<ContenderName, Figures[]>(contenders.map(({ name }) => [name, []]));
  return { case: one, contenders, headers, taken, places: new Map() };
}

async function roundOf(
  { folder }: World,
  { case: { requests, isUsedUp }, contenders, headers, places }: CaseRun,
  seconds: number,
): Promise<ReadonlyMap<ContenderName, Figures>> {
  const taken = new Map<ContenderName, Figures>();
  for (const { name, origin, cpuSeconds } of contenders) {
    const from = isUsedUp ? places.get(name) ?? COMPARED_MAX : 0;
    const before = await cpuSeconds();
    const figures = await load(origin, requests, { headers, seconds, folder, from });
    const cpuMicros = (await cpuSeconds() - before) / figures.requests * 1e6;
    // Requests that were sent without an answer are used up too.
    places.set(name, from + figures.requests + 64);
    taken.set(name, { ...figures, cpuMicros });
  }
  return taken;
}

function medians(figures: readonly Figures[]): Figures {
  const of = (pick: (one: Figures) => number) => median(figures.map(pick));
  return {
    requestsPerSecond: of((one) => one.requestsPerSecond),
    cpuMicros: of((one) => one.cpuMicros),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    failures: figures.reduce((sum, one) => sum + one.failures, 0),
  };
}
