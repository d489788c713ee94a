/** `validate <folder> [--out <folder>]`: finds every mistake and writes nothing (definitions 8). */
import { validateFolder } from "../compile_folder.ts";
import type { Command } from "../command.ts";
import { reportValidation } from "../compile_report.ts";

export const validateCommand: Command = {
  name: "validate",
  usage: "<folder> [--out <folder>]",
  summary: "Checks a project's definitions and writes nothing",
  positionals: { least: 1, most: 1 },
  options: { out: { type: "string" } },
  optionHelp: { out: "The API's folder, whose migrations the next one would follow" },
  async run({ positionals: [folder = ""], values }, terminal) {
    return reportValidation(await validateFolder(folder, values.get("out") ?? null), terminal);
  },
};
