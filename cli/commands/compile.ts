/** `compile <folder> --out <folder>`: definitions in, an API's files out (definitions 8). */
import { compileFolder, compileFolderRemotely, compileInMemory } from "../compile_folder.ts";
import { buildServiceAddress } from "../compile_remotely.ts";
import { type Command, type ExitCode, UsageError } from "../command.ts";
import { reportCompile, reportValidation } from "../compile_report.ts";
import { progressLines } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import { reportVerification } from "../verification_report.ts";
import { differencesOf, outputHash } from "../verify_output.ts";

export const compileCommand: Command = {
  name: "compile",
  usage: "<folder> --out <folder>",
  summary: "Compiles a project's definitions into an API",
  positionals: { least: 1, most: 1 },
  options: {
    out: { type: "string" },
    force: { type: "boolean" },
    service: { type: "string" },
    verify: { type: "boolean" },
  },
  optionHelp: {
    out: "Folder for the files; what an earlier compile wrote there is brought up to date",
    force: "Overwrite files in that folder that no compile has written",
    service: "Compile at this build service, with SERVICE_API_KEY or after login, instead of here",
    verify: "Write nothing; say whether the folder is what its definitions compile to",
  },
  async run({ positionals: [folder = ""], values, flags }, terminal) {
    const out = values.get("out");
    if (!out) throw new UsageError("Say where the files go: --out <folder>");
    if (flags.has("verify")) {
      const other = ["force", "service"].find((name) => flags.has(name) || values.has(name));
      if (other) throw new UsageError(`--verify writes nothing: leave out --${other}`);
      return await verify({ folder, out }, terminal);
    }
    const folders = { folder, out, force: flags.has("force") };
    const service = values.get("service");
    if (service !== undefined) {
      const address = await buildServiceAddress(service, Deno.env.get("SERVICE_API_KEY"));
      return reportCompile(await compileFolderRemotely(folders, address), { terminal, out });
    }
    const progress = progressLines(terminal);
    const result = await compileFolder({ ...folders, onProgress: progress.begin });
    progress.end();
    return reportCompile(result, { terminal, out });
  },
};

async function verify(
  folders: { readonly folder: string; readonly out: string },
  terminal: Terminal,
): Promise<ExitCode> {
  const { result, written, findings } = await compileInMemory(folders);
  if (!result.ok) return reportValidation(findings, terminal);
  const { out } = folders;
  const hash = await outputHash(result.files);
  return reportVerification(await differencesOf(out, written), { hash, out, terminal });
}
