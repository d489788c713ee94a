/** `validate <folder>`: finds every mistake and writes nothing (definitions 8). */
import { validateFolder } from "../compile_folder.ts";
import type { Command } from "../command.ts";
import { reportValidation } from "../compile_report.ts";

export const validateCommand: Command = {
  name: "validate",
  usage: "<folder>",
  summary: "Checks a project's definitions and writes nothing",
  positionals: { least: 1, most: 1 },
  options: {},
  optionHelp: {},
  async run({ positionals: [folder = ""] }, terminal) {
    return reportValidation(await validateFolder(folder), terminal);
  },
};
