/** The table of a mutation run in `docs/proof.md`. */
import { HARMLESS } from "./harmless.ts";
import type { Verdict } from "./judge.ts";
import type { Mutant } from "./mutations.ts";

/** Share of mutants, in percent, that tests must notice. */
const AIM = 97;
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

/** "97.5 % of 240 mutants were killed", and how many others change nothing that anybody could see. */
export function scoreOf(verdicts: readonly Verdict[]): string {
  const harmless = verdicts.filter(isHarmless).length;
  const rest = harmless === 0 ? "" : ` ${harmless} more change nothing and do not count.`;
  const counted = verdicts.length - harmless;
  return `${shareOf(verdicts).toFixed(1)} % of ${counted} mutants were killed.${rest}`;
}

/** True where enough were killed of those that change anything. */
export function isGoodEnough(verdicts: readonly Verdict[]): boolean {
  return shareOf(verdicts) >= AIM;
}

/** "path:line: change in `text`", and why that harms nobody, where it is known. */
export function survivorLine({ mutant, outcome }: Verdict): string {
  const why = reasonOf(mutant) ?? (outcome === "unreached" ? "no test runs it" : "no test fails");
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
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", path] }).output();
}

function shareOf(verdicts: readonly Verdict[]): number {
  const counted = verdicts.filter((verdict) => !isHarmless(verdict));
  return counted.length === 0 ? 0 : (100 * killed(counted)) / counted.length;
}

/** It survived, and the reason for that is written down. */
function isHarmless({ mutant, outcome }: Verdict): boolean {
  return outcome !== "killed" && reasonOf(mutant) !== undefined;
}

function reasonOf({ module, text, change }: Mutant): string | undefined {
  return HARMLESS.find((known) =>
    known.module === module && known.text === text && known.change === change
  )?.reason;
}

function killed(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ outcome }) => outcome === "killed").length;
}
