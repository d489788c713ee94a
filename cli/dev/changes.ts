/** Tells when a project's definitions have changed and come to rest: one event per save, however many files it touched. */
import { basename, join, relative } from "node:path";

const QUIET_MILLISECONDS = 120;

/** Yields after every burst of changes until aborted; watches from now on, so that no change during the caller's work is lost. */
export function projectChanges(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  const watchers = [
    Deno.watchFs(join(folder, "quickback")),
    // For wrangler.toml, which stands beside.
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

/** Editors leave swap files, and compiles leave migration state; neither is an edit. */
function isDefinition(path: string): boolean {
  const name = basename(path);
  if (name.startsWith(".") || name.endsWith("~")) return false;
  if (path === "wrangler.toml") return true;
  return path.startsWith("quickback/") && !path.startsWith("quickback/drizzle/");
}
