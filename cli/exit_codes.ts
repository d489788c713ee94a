/** The ways in which a command ends, and the failures of a person that end one (definitions 8). */

/** Every exit code of the command line; help tells the texts, and each failure below has its own. */
export const EXIT_CODES = {
  done: { code: 0, when: "done" },
  project: { code: 1, when: "the project or a folder is not as the command needs it" },
  commandLine: { code: 2, when: "the command line is wrong" },
  surroundings: { code: 3, when: "the network, a port, a database or a service is not" },
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]["code"];

/** The command line is wrong: answered with the usage, too. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: ExitCode = EXIT_CODES.commandLine.code;
}

/** A folder or file is not as the command needs it: answered with the message. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: ExitCode = EXIT_CODES.project.code;
}

/** The network, a port, a database or a service is not as the command needs it: answered with the message. */
export class EnvironmentError extends CommandError {
  override readonly name = "EnvironmentError";
  override readonly exitCode: ExitCode = EXIT_CODES.surroundings.code;
}
