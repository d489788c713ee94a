/** The tests of a process that failed, from what `deno test` prints of them at its end. */

/** A test, or a file, and why it failed. */
export interface Failure {
  /** The file's path from the working folder. */
  readonly file: string;
  /** The test's name with that of the step, or what became of the file. */
  readonly name: string;
  /** The error as it was printed, its stack included. Empty where a process died before it could tell. */
  readonly error: string;
}

/** So that the end of a log tells all of it. */
const LINES = 40;

const TEST = /^(.+) => (\S+?):\d+:\d+$/;
const OUTSIDE = /^(\S+) \((uncaught error)\)$/;

/** The failures below "ERRORS"; the counts' line ends them. Nothing where a process printed no such list. */
export function failuresIn(output: string): readonly Failure[] {
  const start = output.lastIndexOf("\n ERRORS \n");
  if (start < 0) return [];
  const lines = output.slice(start).split("\n FAILURES \n")[0]!.split("\n");
  const found: { file: string; name: string; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const begins = lines[index + 1]?.startsWith("error: ") ?? false;
    const [, name, place] = begins ? TEST.exec(line) ?? [] : [];
    const [, file, end] = begins ? OUTSIDE.exec(line) ?? [] : [];
    if (place !== undefined) found.push({ file: plain(place), name: name!, lines: [] });
    else if (file !== undefined) found.push({ file: plain(file), name: end!, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ file, name, lines }) => ({ file, name, error: lines.join("\n") }));
}

/** Some failures in at most 40 lines: each one's place and name, and as much of its error as there is room for. */
export function told(failures: readonly Failure[]): string {
  const shown = failures.slice(0, LINES / 2);
  const room = Math.floor(LINES / Math.max(1, shown.length)) - 1;
  const lines = shown.flatMap(({ file, name, error }) => [
    `${file}: ${name}`,
    ...error.split("\n").filter((line) => line.trim() !== "").slice(0, room)
      .map((line) => `    ${line.replace(/^error: /, "").slice(0, 200)}`),
  ]);
  const more = failures.length - shown.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function plain(path: string): string {
  return path.replace(/^\.\//, "");
}
