/** State of one compile so far, as the page shows it. */
import type { CompileNews, Finding, OutputFile } from "./compile_stream.ts";

export interface Phase {
  readonly stage: string;
  readonly message: string;
  /** Start time on the run's clock, in milliseconds. */
  readonly begun: number;
  readonly ended: number | null;
}

export interface CompileRun {
  readonly isComplete: boolean;
  readonly phases: readonly Phase[];
  /** Number of files; null until it is known. */
  readonly fileCount: number | null;
  readonly files: readonly OutputFile[];
  readonly findings: readonly Finding[];
  readonly outcome: "running" | "valid" | "failed";
  /** Reason why there is no list of findings; null if there is a list. */
  readonly message: string | null;
  readonly milliseconds: number;
}

export function begunRun(isComplete: boolean): CompileRun {
  return {
    isComplete,
    phases: [],
    fileCount: null,
    files: [],
    findings: [],
    outcome: "running",
    message: null,
    milliseconds: 0,
  };
}

/** Adds an event to a run. `at`: milliseconds since the run began. */
export function continued(run: CompileRun, news: CompileNews, at: number): CompileRun {
  const now = { ...run, milliseconds: at };
  switch (news.kind) {
    case "phase": {
      const { stage, message } = news;
      const phases = [...ended(run.phases, at), { stage, message, begun: at, ended: null }];
      return { ...now, phases };
    }
    case "announced":
      return { ...now, fileCount: news.fileCount };
    case "file":
      return { ...now, files: [...run.files, news.file] };
    case "done":
      return { ...now, phases: ended(run.phases, at), findings: news.findings, outcome: "valid" };
    case "failed": {
      const message = news.findings.length > 0 ? null : news.message;
      return { ...now, findings: news.findings, outcome: "failed", message };
    }
  }
}

function ended(phases: readonly Phase[], at: number): readonly Phase[] {
  return phases.map((phase) => phase.ended === null ? { ...phase, ended: at } : phase);
}
