/** Prints a line for each phase, with its duration (definitions 8). */
import type { CompileHost } from "../shared/compiler/host.ts";
import type { Terminal } from "./terminal.ts";

interface ProgressLines {
  /** Begins a phase, which ends the one before. */
  readonly begin: NonNullable<CompileHost["onProgress"]>;
  /** Ends the last phase, or the phase in which the compile stopped. */
  end(): void;
}

export function progressLines(
  terminal: Terminal,
  now: () => number = () => performance.now(),
): ProgressLines {
  let current: { readonly stage: string; readonly message: string; readonly since: number } | null =
    null;
  const end = () => {
    if (current === null) return;
    const time = `${Math.round(now() - current.since)} ms`;
    const { errColors } = terminal;
    terminal.progress(
      `${errColors.cyan(current.stage.padEnd(9))}${current.message} ${errColors.dim(time)}`,
    );
    current = null;
  };
  return {
    begin: (stage, message) => {
      end();
      current = { stage, message, since: now() };
    },
    end,
  };
}
