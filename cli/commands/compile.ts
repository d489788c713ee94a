/** `compile <folder> --out <folder>`: definitions in, an API's files out (definitions 8). */
import { compileFolder, compileFolderRemotely } from "../compile_folder.ts";
import { buildServiceAddress } from "../compile_remotely.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../command.ts";
import { reportCompile } from "../compile_report.ts";
import { progressLines } from "../progress.ts";

export const compileCommand: Command = {
  name: "compile",
  usage: "<folder> --out <folder>",
  summary: "Compiles a project's definitions into an API",
  positionals: { least: 1, most: 1 },
  options: { out: { type: "string" }, force: { type: "boolean" }, service: { type: "string" } },
  optionHelp: {
    out: "Folder for the files; what an earlier compile wrote there is brought up to date",
    force: "Overwrite files in that folder that no compile has written",
    service: "Compile at this build service, with the key in SERVICE_API_KEY, instead of here",
  },
  async run({ positionals: [folder = ""], values, flags }, terminal) {
    const out = values.get("out");
    if (!out) throw new UsageError("Say where the files go: --out <folder>");
    const folders = { folder, out, force: flags.has("force") };
    const service = values.get("service");
    if (service !== undefined) {
      const address = buildServiceAddress(service, Deno.env.get("SERVICE_API_KEY"));
      return reportCompile(await compileFolderRemotely(folders, address), { terminal, out });
    }
    const progress = progressLines(terminal);
    const result = await compileFolder({ ...folders, onProgress: progress.begin });
    progress.end();
    return reportCompile(result, { terminal, out });
  },
};
