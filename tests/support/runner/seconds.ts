/** How long the test files take: `seconds.json`, which `deno task test --all --measure` writes. */
import measured from "./seconds.json" with { type: "json" };

const SECONDS: Readonly<Record<string, number>> = measured;

/** Of a file that nobody has measured. */
const USUAL_SECONDS = 0.5;

/** Files that take longer than this run with `--all` alone. */
const SHORT_SECONDS = 2;

/** What takes less is not written down: it is about as long as a file that nobody has measured. */
const WRITTEN_SECONDS = 1;

export function secondsOf(file: string): number {
  return SECONDS[file] ?? USUAL_SECONDS;
}

export function isShort(file: string): boolean {
  return secondsOf(file) <= SHORT_SECONDS;
}

/** Writes what a run measured; files that the run left out keep their figure. Files that are gone are dropped. */
export async function writeSeconds(
  run: ReadonlyMap<string, number>,
  files: readonly string[],
): Promise<void> {
  const all = files.toSorted().map((file) => [file, run.get(file) ?? secondsOf(file)] as const)
    .filter(([, seconds]) => seconds >= WRITTEN_SECONDS)
    .map(([file, seconds]) => [file, Math.round(seconds)]);
  const text = JSON.stringify(Object.fromEntries(all), null, 2);
  await Deno.writeTextFile(new URL("./seconds.json", import.meta.url), `${text}\n`);
}
