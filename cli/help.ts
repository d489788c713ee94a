/** The usage texts, made from the commands themselves so that none is forgotten (definitions 8). */
import type { Command } from "./command.ts";
import type { Colors } from "./terminal.ts";

const PROGRAM = "deno task quickback";

/** All commands, one line each. */
export function overview(commands: readonly Command[], colors: Colors): string {
  const lines = commands.map((command) =>
    [`  ${command.name} ${command.usage}`.trimEnd(), command.summary] as const
  );
  return [
    `${colors.bold("Usage:")} ${PROGRAM} <command>`,
    "",
    colors.bold("Commands:"),
    ...aligned([...lines, ["  help [command]", "Shows this, or one command's options"]]),
    "",
    "Exit codes: 0 done, 1 the project has errors, 2 the command line has",
  ].join("\n");
}

/** One command with its options. */
export function commandHelp(command: Command, colors: Colors): string {
  const options = Object.entries(command.optionHelp).map(([name, help]) =>
    [`  --${name}${takesValue(command, name) ? " <value>" : ""}`, help] as const
  );
  return [
    `${colors.bold("Usage:")} ${PROGRAM} ${command.name} ${command.usage}`.trimEnd(),
    "",
    command.summary,
    ...(options.length === 0 ? [] : ["", colors.bold("Options:"), ...aligned(options)]),
  ].join("\n");
}

function takesValue(command: Command, option: string): boolean {
  return command.options[option]?.type === "string";
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => left.padEnd(width) + right);
}
