/** Runs `compile [folder] --out <folder>`: compiles the definitions of a folder into the files of an API (definitions 8). */
import { compileFolder, compileFolderRemotely, compileInMemory } from "../compile_folder.ts";
import { buildServiceAddress } from "../compile_remotely.ts";
import type { Arguments, Output } from "../command.ts";
import { type ExitCode, UsageError } from "../exit_codes.ts";
import { reportCompile, reportValidation } from "../compile_report.ts";
import { progressLines } from "../progress.ts";
import { IS_INSTALLED } from "../installation.ts";
import { keepDeclarations } from "../types/declarations.ts";
import { type Differences, differencesOf, isSame, outputHash } from "../verify_output.ts";

export async function compileProject(
  { positionals: [folder = "."], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const out = values.get("out");
  if (!out) throw new UsageError("Say where the files go: --out <folder>");
  const beginsEmpty = flags.has("empty-database");
  const vendor = !IS_INSTALLED || flags.has("vendor");
  if (flags.has("verify")) {
    const other = ["force", "service"].find((name) => flags.has(name) || values.has(name));
    if (other) throw new UsageError(`--verify writes nothing: leave out --${other}`);
    return await verify({ folder, out, vendor, beginsEmpty }, output);
  }
  const folders = { folder, out, force: flags.has("force") };
  const service = values.get("service");
  if (service !== undefined) {
    if (beginsEmpty) throw new UsageError("--empty-database compiles here: leave out --service");
    const address = await buildServiceAddress(service, Deno.env.get("SERVICE_API_KEY"));
    return reportCompile(await compileFolderRemotely(folders, address), { output, out });
  }
  const progress = progressLines(output);
  const result = await compileFolder({
    ...folders,
    vendor,
    beginsEmpty,
    onProgress: progress.begin,
  });
  progress.end();
  if (result.kind === "compiled") await keepDeclarations(folder, result.output, output);
  return reportCompile(result, { output, out });
}

/** Returns 0 if the output folder matches the definitions. */
async function verify(
  folders: Parameters<typeof compileInMemory>[0],
  output: Output,
): Promise<ExitCode> {
  const { result, written, findings } = await compileInMemory(folders);
  if (!result.ok) return reportValidation(findings, output);
  const { out } = folders;
  const hash = await outputHash(result.files);
  const differences = await differencesOf(out, written);
  output.result({ hash, ...differences });
  for (const [kind, label] of LABELS) {
    for (const path of differences[kind]) output.out(`${output.outColors.yellow(label)} ${path}`);
  }
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
