/** Report of `compile --verify` for people (definitions 8). */
import type { ExitCode } from "./command.ts";
import type { Output } from "./output.ts";
import { type Differences, isSame } from "./verify_output.ts";

/** 0 when the folder is what its definitions say. */
export function reportVerification(
  differences: Differences,
  { hash, out, output }: {
    readonly hash: string;
    readonly out: string;
    readonly output: Output;
  },
): ExitCode {
  output.result({ hash, ...differences });
  const lines = LABELS.flatMap(([kind, label]) =>
    differences[kind].map((path) => `${output.outColors.yellow(label)} ${path}`)
  );
  for (const line of lines) output.out(line);
  if (isSame(differences)) {
    output.out(`${out} is what its definitions compile to: ${hash}`);
    return 0;
  }
  output.err(
    `${
      output.errColors.red("error")
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
