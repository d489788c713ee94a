/** Report of `compile --verify` for people (definitions 8). */
import type { ExitCode } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { type Differences, isSame } from "./verify_output.ts";

/** 0 when the folder is what its definitions say. */
export function reportVerification(
  differences: Differences,
  { hash, out, terminal }: {
    readonly hash: string;
    readonly out: string;
    readonly terminal: Terminal;
  },
): ExitCode {
  const lines = LABELS.flatMap(([kind, label]) =>
    differences[kind].map((path) => `${terminal.outColors.yellow(label)} ${path}`)
  );
  for (const line of lines) terminal.out(line);
  if (isSame(differences)) {
    terminal.out(`${out} is what its definitions compile to: ${hash}`);
    return 0;
  }
  terminal.err(
    `${
      terminal.errColors.red("error")
    } ${out} is not what its definitions compile to: compile again, and keep changes in the definitions`,
  );
  return 1;
}

const LABELS: readonly (readonly [keyof Differences, string])[] = [
  ["edited", "changed by hand"],
  ["outdated", "out of date    "],
  ["missing", "missing        "],
  ["stale", "not generated  "],
];
