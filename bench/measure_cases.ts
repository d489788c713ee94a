/** Measures the cases: rounds of the contenders take turns, so that what disturbs one disturbs all. */
import { join } from "node:path";
import type { Case } from "./cases.ts";
import { COMPARED_MAX, requireEqualAnswers } from "./compare_answers.ts";
import { type Contender, type ContenderName, CONTENDERS, startContender } from "./contender.ts";
import { addTickets, copyOf, DELETABLE, type World } from "./world.ts";
import { load } from "./wrk.ts";

/** Medians over the rounds. */
export interface Figures {
  readonly requestsPerSecond: number;
  /** Of processor time, of all the contender's processes. */
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
  /** Megabytes after all of it, and milliseconds to the first answer. */
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
  const cases: MeasuredCase[] = [];
  for (const one of extent.cases) {
    const taking = started.filter(({ name }) => one.contenders.includes(name));
    if (one.isUsedUp) {
      for (const { name } of taking) {
        await addTickets(join(world.folder, `${name}.db`), "del", DELETABLE);
      }
    }
    cases.push({ case: one, figures: await measureCase(world, one, taking, extent) });
    console.error(one.name);
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

async function measureCase(
  world: World,
  one: Case,
  contenders: readonly Contender[],
  { seconds, rounds }: Extent,
): Promise<ReadonlyMap<ContenderName, Figures>> {
  const headers = {
    authorization: `Bearer ${world.token}`,
    ...(one.requests.some(({ body }) => body !== undefined)
      ? { "content-type": "application/json" }
      : {}),
  };
  await requireEqualAnswers(one, contenders, headers);
  const taken = new Map<ContenderName, Figures[]>(contenders.map(({ name }) => [name, []]));
  const places = new Map<ContenderName, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const { name, origin, cpuSeconds } of contenders) {
      const isWarmUp = round === 0;
      const from = one.isUsedUp ? places.get(name) ?? COMPARED_MAX : 0;
      const before = await cpuSeconds();
      const figures = await load(origin, one.requests, {
        headers,
        seconds: isWarmUp ? WARM_UP_SECONDS : seconds,
        folder: world.folder,
        from,
      });
      const cpuMicros = (await cpuSeconds() - before) / figures.requests * 1e6;
      // Requests that were sent and not answered any more are used up, too.
      places.set(name, from + figures.requests + 64);
      if (!isWarmUp) taken.get(name)?.push({ ...figures, cpuMicros });
    }
  }
  return new Map([...taken].map(([name, figures]) => [name, medians(figures)]));
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
