/** The table of a mutation run in `docs/proof.md`. */
import { HARMLESS } from "./harmless.ts";
import type { Verdict } from "./judge.ts";

const BEGIN = "<!-- mutants: begin -->";
const END = "<!-- mutants: end -->";

/** Text between the marks of the page, the score first, then each module and each survivor. */
export function reportOf(verdicts: readonly Verdict[], seed: number): string {
  const modules = [...new Set(verdicts.map(({ mutant }) => mutant.module))].sort();
  const survivors = verdicts.filter(({ outcome }) => outcome !== "killed");
  return [
    `Seed ${seed}: ${scoreOf(verdicts)}`,
    "",
    "| Module | Mutants | Killed |",
    "| --- | --- | --- |",
    ...modules.map((module) => {
      const own = verdicts.filter(({ mutant }) => mutant.module === module);
      return `| ${module} | ${own.length} | ${killed(own)} |`;
    }),
    "",
    ...survivors.length === 0 ? [] : ["Survivors:", "", ...survivors.map(survivorLine), ""],
  ].join("\n");
}

/** "97.5 % of 240 mutants were killed". */
export function scoreOf(verdicts: readonly Verdict[]): string {
  const share = verdicts.length === 0 ? 0 : (100 * killed(verdicts)) / verdicts.length;
  return `${share.toFixed(1)} % of ${verdicts.length} mutants were killed.`;
}

/** "path:line: change in `text`", and why that harms nobody, where it is known. */
export function survivorLine({ mutant, outcome }: Verdict): string {
  const known = HARMLESS.find(({ module, text, change }) =>
    module === mutant.module && text === mutant.text && change === mutant.change
  );
  const why = known?.reason ?? (outcome === "unreached" ? "no test runs it" : "no test fails");
  return `- ${mutant.module}:${mutant.line}, ${mutant.change} in \`${mutant.text}\`: ${why}`;
}

/** Puts the report between the marks of `docs/proof.md`. Throws when the page lacks them. */
export async function writeReport(path: string, report: string): Promise<void> {
  const page = await Deno.readTextFile(path);
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`"${path}" has no "${BEGIN}" before "${END}"`);
  const text = `${page.slice(0, begin + BEGIN.length)}\n\n${report}\n${page.slice(end)}`;
  await Deno.writeTextFile(path, text);
}

function killed(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ outcome }) => outcome === "killed").length;
}
