/** Runs `completion <shell>`: completes words in a shell, from the records of the commands. */
import { RootCommand } from "@bomb.sh/tab";
import type { Arguments, Command } from "../command.ts";
import { type ExitCode, UsageError } from "../exit_codes.ts";
import { COMMANDS, GROUPS } from "../commands.ts";
import { FORMATS, type Output } from "../output.ts";

const SHELLS: readonly string[] = ["bash", "zsh", "fish"];

/** Prints the script for `source <(quickback completion bash)`. */
export function printScript({ positionals: [shell = ""] }: Arguments, output: Output) {
  if (!SHELLS.includes(shell)) {
    throw new UsageError(`"${shell}" is no shell that is known; one of ${SHELLS.join(", ")}`);
  }
  words().setup("quickback", output.program, shell);
  return Promise.resolve<ExitCode>(0);
}

/** Answers the script each time the user presses the key. */
export function complete({ positionals }: Arguments) {
  words().parse([...positionals]);
  return Promise.resolve<ExitCode>(0);
}

function words(): RootCommand {
  const root = new RootCommand();
  for (const [name, summary] of GROUPS) root.command(name, summary);
  for (const command of COMMANDS) if (!command.isHidden) addWords(root, command);
  root.command("help", "Shows this, or one command's options");
  return root;
}

function addWords(
  root: RootCommand,
  { name, summary, options = {}, printsFindings, ...command }: Command,
) {
  const known = root.command(name, summary);
  for (const argument of command.arguments) {
    const word = argument.replace(/[<>[\]]/g, "");
    if (word === "shell") {
      known.argument(word, (offer) => SHELLS.forEach((shell) => offer(shell, "")));
    } else known.argument(word, FOLDERS.includes(word) ? offerFolders : undefined);
  }
  for (const [option, { value, help }] of Object.entries(options)) {
    if (value === undefined) known.option(option, help);
    else known.option(option, help, value === "folder" ? offerFolders : () => {});
  }
  known.option("json", "Print one JSON document, for programs");
  if (!printsFindings) return;
  known.option("format", "Print what is found so", (offer) => {
    for (const format of FORMATS) offer(format, "");
  });
}

const FOLDERS: readonly string[] = ["folder", "old", "new"];

/** Offers folders of projects, which are usually beside the current folder or below it. */
function offerFolders(offer: (value: string, description: string) => void): void {
  for (const entry of Deno.readDirSync(".")) {
    if (entry.isDirectory && !entry.name.startsWith(".")) offer(entry.name, "");
  }
}
