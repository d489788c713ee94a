/** Times contenders against each other in alternating rounds, so that a disturbance affects all of them. */

export interface Contender {
  readonly name: string;
  run(): Promise<void>;
}

const ROUNDS = 15;

/** Returns the median microseconds of one run by contender, in the given order. */
export async function measure(
  contenders: readonly Contender[],
  runsPerRound: number,
): Promise<readonly number[]> {
  for (const contender of contenders) await timed(contender, runsPerRound * 2);
  const rounds: number[][] = contenders.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, contender] of contenders.entries()) {
      rounds[at]?.push(await timed(contender, runsPerRound));
    }
  }
  return rounds.map(median);
}

async function timed(contender: Contender, runs: number): Promise<number> {
  const start = performance.now();
  for (let run = 0; run < runs; run++) await contender.run();
  return ((performance.now() - start) / runs) * 1000;
}

/** Returns the middle value, or the larger of the two middle ones. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
