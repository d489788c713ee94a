/** Reports a compile for people: warnings and errors with their places, then one line with their number (definitions 8). */
import { counted } from "../shared/lib/texts.ts";
import type { ExitCode } from "./exit_codes.ts";
import type { FolderOutcome } from "./compile_folder.ts";
import { shellWord } from "./shell_word.ts";
import type { Output } from "./output.ts";
import { Findings } from "./findings.ts";

/** Prints the outcome of `compile` and returns the exit code. */
export function reportCompile(
  result: FolderOutcome,
  { output, out }: { readonly output: Output; readonly out: string },
): ExitCode {
  const code = reportValidation(result.findings, output);
  if (result.kind === "failed") return code;
  const { left } = result.summary;
  output.result({ out, ...result.summary });
  for (const path of left) {
    output.err(
      `${output.errColors.yellow("left")} ${path} is no longer generated, but was edited by hand`,
    );
  }
  const { written, unchanged, removed } = result.summary;
  const parts = [
    `${counted(written.length, "file")} written`,
    `${unchanged} unchanged`,
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  output.out(`${parts.join(", ")} in ${out}`);
  for (const line of migrationLines(written, result.earlySteps)) output.out(line);
  output.out(`Next: cd ${shellWord(out)} && deno task start`);
  return 0;
}

/** Lists the new migrations, whose numbers data steps begin with, and their steps. */
function migrationLines(
  written: readonly string[],
  early: readonly string[],
): readonly string[] {
  const tags = written.flatMap((path) =>
    /^quickback\/drizzle\/features\/(\d{4,}_[^/]+)\.(?:sql|ts)$/.exec(path)?.[1] ?? []
  );
  const [generated, steps] = [true, false].map((isWanted) =>
    tags.filter((tag) => /^\d+_[0-9a-f]{8}$/.test(tag) === isWanted).toSorted()
  );
  return [
    ...(generated ?? []).map((tag) => `Migration ${tag}`),
    ...(steps ?? []).map((tag) =>
      `Data step ${tag} runs ${early.includes(tag) ? "before" : "after"} migration ${
        tag.split("_")[0]
      }`
    ),
  ];
}

/** Prints the findings of `validate` and returns the exit code. */
export function reportValidation(findings: Findings, output: Output): ExitCode {
  output.findings(findings);
  return findings.errors.length === 0 ? 0 : 1;
}
