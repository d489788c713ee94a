/** Watches a project's definitions: yields one event for each save, however many files it changed. */
import { basename, join, relative } from "node:path";

const QUIET_MILLISECONDS = 120;

/**
 * Yields after every burst of changes until aborted. It watches from the call on, so that changes during the caller's work are
 * not lost.
 */
export function projectChanges(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  const watchers = [
    Deno.watchFs(join(folder, "quickback")),
    // The folder itself is watched for wrangler.toml.
    Deno.watchFs(folder, { recursive: false }),
  ];
  const bursts = new Bursts();
  for (const watcher of watchers) void forward(watcher, folder, () => bursts.note());
  signal.addEventListener("abort", () => {
    watchers.forEach((watcher) => watcher.close());
    bursts.wake();
  }, { once: true });
  return bursts.until(signal);
}

class Bursts {
  #isDirty = false;
  wake = () => {};

  note(): void {
    this.#isDirty = true;
    this.wake();
  }

  async *until(signal: AbortSignal): AsyncGenerator<void> {
    while (!signal.aborted) {
      if (!this.#isDirty) await new Promise<void>((resolve) => this.wake = resolve);
      while (this.#isDirty && !signal.aborted) {
        this.#isDirty = false;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MILLISECONDS));
      }
      if (!signal.aborted) yield;
    }
  }
}

async function forward(watcher: Deno.FsWatcher, folder: string, note: () => void): Promise<void> {
  for await (const event of watcher) {
    if (event.kind === "access") continue;
    if (event.paths.some((path) => isDefinition(relative(folder, path)))) note();
  }
}

/** False for swap files of editors and migration state of compiles, which are not edits. */
function isDefinition(path: string): boolean {
  const name = basename(path);
  if (name.startsWith(".") || name.endsWith("~")) return false;
  if (path === "wrangler.toml") return true;
  return path.startsWith("quickback/") && !path.startsWith("quickback/drizzle/");
}
