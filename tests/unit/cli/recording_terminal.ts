/** A terminal that keeps what was written to it; no person reads, so no colours. */
import picocolors from "picocolors";
import type { Terminal } from "../../../cli/terminal.ts";

export interface RecordingTerminal extends Terminal {
  outText(): string;
  errText(): string;
  progressText(): string;
}

export function recordingTerminal(): RecordingTerminal {
  const out: string[] = [];
  const err: string[] = [];
  const progress: string[] = [];
  const plain = picocolors.createColors(false);
  return {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    progress: (text) => void progress.push(text),
    outColors: plain,
    errColors: plain,
    outText: () => out.join("\n"),
    errText: () => err.join("\n"),
    progressText: () => progress.join("\n"),
  };
}
