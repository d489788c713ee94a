/** `compile <folder> --out <folder>`: definitions in, an API's files out (definitions 8). */
import { compileFolder, compileFolderRemotely, compileInMemory } from "../compile_folder.ts";
import { buildServiceAddress } from "../compile_remotely.ts";
import { type Arguments, type ExitCode, UsageError } from "../command.ts";
import { reportCompile, reportValidation } from "../compile_report.ts";
import { progressLines } from "../progress.ts";
import type { Output } from "../output.ts";
import { keepDeclarations } from "../types/declarations.ts";
import { reportVerification } from "../verification_report.ts";
import { differencesOf, outputHash } from "../verify_output.ts";

export async function compileProject(
  { positionals: [folder = ""], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const out = values.get("out");
  if (!out) throw new UsageError("Say where the files go: --out <folder>");
  if (flags.has("verify")) {
    const other = ["force", "service"].find((name) => flags.has(name) || values.has(name));
    if (other) throw new UsageError(`--verify writes nothing: leave out --${other}`);
    return await verify({ folder, out }, output);
  }
  const folders = { folder, out, force: flags.has("force") };
  const service = values.get("service");
  if (service !== undefined) {
    const address = await buildServiceAddress(service, Deno.env.get("SERVICE_API_KEY"));
    return reportCompile(await compileFolderRemotely(folders, address), { output, out });
  }
  const progress = progressLines(output);
  const result = await compileFolder({ ...folders, onProgress: progress.begin });
  progress.end();
  if (result.kind === "compiled") await keepDeclarations(folder, result.output, output);
  return reportCompile(result, { output, out });
}

async function verify(
  folders: { readonly folder: string; readonly out: string },
  output: Output,
): Promise<ExitCode> {
  const { result, written, findings } = await compileInMemory(folders);
  if (!result.ok) return reportValidation(findings, output);
  const { out } = folders;
  const hash = await outputHash(result.files);
  return reportVerification(await differencesOf(out, written), { hash, out, output });
}
