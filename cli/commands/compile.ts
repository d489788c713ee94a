/** `compile <folder> --out <folder>`: definitions in, an API's files out (definitions 8). */
import { compileFolder } from "../compile_folder.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../command.ts";
import { reportCompile } from "../compile_report.ts";
import { progressLines } from "../progress.ts";

export const compileCommand: Command = {
  name: "compile",
  usage: "<folder> --out <folder>",
  summary: "Compiles a project's definitions into an API",
  positionals: { least: 1, most: 1 },
  options: { out: { type: "string" }, force: { type: "boolean" } },
  optionHelp: {
    out: "Folder for the files; what an earlier compile wrote there is brought up to date",
    force: "Overwrite files in that folder that no compile has written",
  },
  async run({ positionals: [folder = ""], values, flags }, terminal) {
    const out = values.get("out");
    if (!out) throw new UsageError("Say where the files go: --out <folder>");
    const progress = progressLines(terminal);
    const result = await compileFolder({
      folder,
      out,
      force: flags.has("force"),
      onProgress: progress.begin,
    });
    progress.end();
    return reportCompile(result, { terminal, out });
  },
};
