/**
 * Parses command lines by the records of the commands; anything undeclared is refused with the nearest known name (definitions
 * 8).
 */
import { Command as Parser, type CommanderError, Option } from "commander";
import { nearest } from "../shared/lib/nearest.ts";
import type { Arguments, Command } from "./command.ts";
import { EXIT_CODES, UsageError } from "./exit_codes.ts";
import { GROUPS } from "./commands.ts";
import { FORMATS } from "./output.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

/** Parsed command line. `help`: the usage for a mistake in it. */
export type CommandLine =
  | {
    readonly kind: "run";
    readonly command: Command;
    readonly args: Arguments;
    readonly help: string;
  }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly message: string; readonly help: string };

interface Reader {
  /** Words that the user typed before the command. */
  readonly program: string;
  readonly commands: readonly Command[];
  readonly terminal: Pick<Terminal, "outColors" | "errColors">;
}

/** Parses the arguments after the program. */
export function readCommandLine(args: readonly string[], reader: Reader): CommandLine {
  const read: Reading = { line: null, texts: [] };
  const program = programOf(reader, read);
  // `help compile` is the same as `compile --help`.
  const words = args[0] === "help" ? [...args.slice(1), "--help"] : args;
  const refused = unknownCommand(words, program);
  if (refused !== null) return refused;
  try {
    program.parse([...words], { from: "user" });
  } catch (error) {
    // The library throws an error for every refusal and every help text; `read` contains the result.
    if (read.line === null && read.texts.length === 0) throw error;
  }
  return read.line ?? { kind: "text", text: read.texts.join("").trimEnd() };
}

/** Parses the arguments after one command's name. */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const plain = { isColorSupported: false, bold: (text: string) => text } as Terminal["outColors"];
  const terminal = { outColors: plain, errColors: plain };
  const reader = { program: "quickback", commands: [command], terminal };
  const line = readCommandLine([command.name, ...args], reader);
  if (line.kind === "run") return line.args;
  throw new UsageError(line.kind === "text" ? line.text : line.message);
}

/** State of one call of the library. */
interface Reading {
  line: CommandLine | null;
  /** Help or version, in parts. */
  readonly texts: string[];
}

function programOf({ program: name, commands, terminal }: Reader, read: Reading): Parser {
  const program = new Parser(name);
  program
    .usage("<command>")
    .version(VERSION, "--version", "Print the version of the compiler")
    .helpOption("-h, --help", "Show this, or one command's options")
    .helpCommand("help [command]", "Shows this, or one command's options")
    .addHelpText("after", ENDINGS)
    .configureOutput({
      writeOut: (text) => void read.texts.push(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHasColors: () => terminal.outColors.isColorSupported,
      getErrHasColors: () => terminal.errColors.isColorSupported,
    })
    .configureHelp({
      styleTitle: terminal.outColors.bold,
      subcommandTerm: termOf,
      visibleArguments: () => [],
    });
  refuseWith(program, read);
  for (const command of commands) addCommand(program, command, read);
  return program;
}

/** Returns the name with its arguments; its own help lists the options. */
function termOf(command: Parser): string {
  const given = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
  );
  const rest = command.commands.length > 0 ? ["<command>"] : given;
  return [command.name(), ...rest].join(" ");
}

const ENDINGS = `
Exit codes:
${Object.values(EXIT_CODES).map(({ code, when }) => `  ${code}  ${when}`).join("\n")}`;

function addCommand(program: Parser, command: Command, read: Reading): void {
  const words = command.name.split(" ");
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? "", read);
  const parser = parent.command(words.at(-1) ?? "", { hidden: command.isHidden ?? false })
    .usage(command.usage)
    .description(command.summary)
    .helpOption("-h, --help", "Show this");
  for (const argument of command.arguments) parser.argument(argument);
  for (const [name, { value, choices, help }] of Object.entries(command.options ?? {})) {
    const option = new Option(`--${name}${value === undefined ? "" : ` <${value}>`}`, help);
    parser.addOption(choices === undefined ? option : option.choices(choices));
  }
  addFormats(parser, command);
  refuseWith(parser, read, command);
  parser.action(() => {
    read.line = { kind: "run", command, args: argumentsOf(parser), help: helpOf(parser) };
  });
}

function addFormats(parser: Parser, { printsFindings = false }: Command): void {
  const json = new Option("--json", "Print one JSON document, for programs");
  parser.addOption(printsFindings ? json.conflicts("format") : json);
  if (!printsFindings) return;
  const help = "Print what is found so; --json is short for one of them";
  parser.addOption(new Option("--format <format>", help).choices(FORMATS));
}

function groupOf(program: Parser, name: string, read: Reading): Parser {
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = program.command(name).usage("<command>").description(GROUPS.get(name) ?? "");
  group.helpCommand(false).helpOption("-h, --help", "Show this");
  refuseWith(group, read);
  return group;
}

function argumentsOf(parser: Parser): Arguments {
  const given = parser.options.map((option) => {
    const value: unknown = parser.getOptionValue(option.attributeName());
    // The library reads `--no-x` as the negation of an option `x`.
    return [option.name(), option.negate ? value === false : value] as const;
  });
  return {
    positionals: parser.args,
    values: new Map(
      given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
    ),
    flags: new Set(given.flatMap(([name, value]) => value === true ? [name] : [])),
  };
}

/** Records a refusal of the library in our words, with the help of the command that it concerns. */
function refuseWith(parser: Parser, read: Reading, command?: Command): void {
  parser.exitOverride((error) => {
    if (error.exitCode !== 0) {
      read.line = {
        kind: "refused",
        message: refusalText(error, command),
        help: helpOf(parser),
      };
    }
    throw error;
  });
}

const WRONG_NUMBER = ["commander.missingArgument", "commander.excessArguments"];

function refusalText({ code, message }: CommanderError, command: Command | undefined): string {
  if (command !== undefined && WRONG_NUMBER.includes(code)) {
    return `Command "${command.name}" is written: ${command.name} ${command.usage}`.trimEnd();
  }
  const text = message.replace(/^error: /, "").replaceAll("\n", " ").replace(/\.$/, "");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Reports the first word that is not a command, or the missing command. */
function unknownCommand(words: readonly string[], program: Parser): CommandLine | null {
  let parser = program;
  for (const word of words) {
    if (parser.commands.length === 0 || word.startsWith("-")) return null;
    const next = parser.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const meant = nearest(word, parser.commands.map((command) => command.name()));
      const suggestion = meant === null ? "" : `; did you mean "${meant}"?`;
      return {
        kind: "refused",
        message: `There is no command "${word}"${suggestion}`,
        help: helpOf(parser),
      };
    }
    parser = next;
  }
  if (parser.commands.length === 0) return null;
  return { kind: "refused", message: "Name a command", help: helpOf(parser) };
}

function helpOf(parser: Parser): string {
  return parser.helpInformation({ error: true }).trimEnd();
}
