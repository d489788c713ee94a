/** Exit codes of commands, and the errors of a user's mistake that end one (definitions 8). */

/** Every exit code of the command line. The help shows the texts, and each error below has its own code. */
export const EXIT_CODES = {
  done: { code: 0, when: "done" },
  project: { code: 1, when: "the project or a folder is not as the command needs it" },
  commandLine: { code: 2, when: "the command line is wrong" },
  surroundings: { code: 3, when: "the network, a port, a database or a service is not" },
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]["code"];

/** Error of the command line, printed with the usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: ExitCode = EXIT_CODES.commandLine.code;
}

/** Error of a folder or file that the command cannot use, printed as its message. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: ExitCode = EXIT_CODES.project.code;
}

/** Error of the network, a port, a database or a service, printed as its message. */
export class EnvironmentError extends CommandError {
  override readonly name = "EnvironmentError";
  override readonly exitCode: ExitCode = EXIT_CODES.surroundings.code;
}
