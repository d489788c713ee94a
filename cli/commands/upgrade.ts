/** Runs `upgrade [folder] [--to <version>] [--write]`: lists what changes for a project between two versions. */
import { join } from "node:path";
import { readText } from "../../container/repository_files.ts";
import { PACKAGE } from "../../shared/contract/mod.ts";
import { isJsonObject, parsedJson } from "../../shared/lib/json.ts";
import type { Arguments, Output } from "../command.ts";
import { CommandError, type ExitCode } from "../exit_codes.ts";
import { readTextFile } from "../project_folder.ts";
import { VERSION } from "../version.ts";
import { compareVersions, type Release, releasesIn } from "./upgrade/changelog.ts";

export async function upgrade(
  { positionals: [folder = "."], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const known = releasesIn(readText("CHANGELOG.md"));
  const to = knownVersion(values.get("to") ?? VERSION, known);
  const from = await versionOf(folder);
  const between = known.filter(({ version }) =>
    compareVersions(version, from) > 0 && compareVersions(version, to) <= 0
  );
  output.result({ from, to, releases: between });
  for (const { version, changes } of between) {
    output.out(version);
    for (const { kind, text } of changes) output.out(`  ${kind.padEnd(9)}${text}`);
  }
  if (between.length === 0) output.out(`${folder} is of ${from}: nothing changes up to ${to}`);
  const pinned = await pinsIn(folder, to);
  if (pinned === null) {
    output.out(`${folder} is an output: compile its project with quickback ${to}`);
    return 0;
  }
  if (flags.has("write")) {
    output.result({ written: pinned.map(({ file }) => file) });
    for (const { file, text } of pinned) {
      await Deno.writeTextFile(join(folder, file), text);
      output.out(`${output.outColors.green("written")} ${file}`);
    }
  } else if (pinned.length > 0) {
    output.out(`With --write: ${pinned.map(({ file }) => file).join(", ")}`);
  }
  return 0;
}

function knownVersion(version: string, known: readonly Release[]): string {
  if (known.some((release) => release.version === version)) return version;
  const all = known.map((release) => release.version).join(", ");
  throw new CommandError(
    `Version "${version}" is not known here; one of ${all}, or a newer quickback`,
  );
}

/** Returns the version: a project pins the package, and an output names its compiler. */
async function versionOf(folder: string): Promise<string> {
  const config = await jsonIn(join(folder, "deno.json"));
  const compiler = isJsonObject(config.quickback) ? config.quickback.compiler : undefined;
  const { dependencies, devDependencies } = await jsonIn(join(folder, "package.json"));
  const named = [compiler, pinIn(config.imports), pinIn(dependencies), pinIn(devDependencies)];
  const version = named.find((one) => typeof one === "string");
  const plain = typeof version === "string" ? /\d+\.\d+\.\d+/.exec(version)?.[0] : undefined;
  if (plain !== undefined) return plain;
  throw new CommandError(
    `"${folder}" names no version: name an output, or a project whose package.json or deno.json pins quickback`,
  );
}

function pinIn(dependencies: unknown): unknown {
  return isJsonObject(dependencies) ? dependencies.quickback : undefined;
}

async function jsonIn(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readTextFile(path);
  const value = text === null ? {} : parsedJson(text);
  if (isJsonObject(value)) return value;
  throw new CommandError(`"${path}" is no JSON object`);
}

interface Pinned {
  readonly file: string;
  readonly text: string;
}

const PIN = new RegExp(
  `("quickback"\\s*:\\s*"(?:npm:${PACKAGE}@)?[~^]?)\\d+\\.\\d+\\.\\d+(")`,
  "g",
);

/** Returns files with a pin of another version, corrected; null for an output, whose lock must have the same version. */
async function pinsIn(folder: string, to: string): Promise<readonly Pinned[] | null> {
  const { quickback } = await jsonIn(join(folder, "deno.json"));
  if (isJsonObject(quickback) && quickback.compiler !== undefined) return null;
  const found: Pinned[] = [];
  for (const file of ["package.json", "deno.json"]) {
    const text = await readTextFile(join(folder, file));
    const changed = text?.replace(PIN, `$1${to}$2`);
    if (changed !== undefined && changed !== text) found.push({ file, text: changed });
  }
  return found;
}
