/** Programs that some tests need and not every machine has: their tests say that they were skipped, and why. */

/** The first of these that exists; null: none. */
export function installed(paths: readonly string[], needed: string): string | null {
  const found = paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  });
  if (found === undefined) console.log(`Skipped: ${needed} is not installed`);
  return found ?? null;
}

export const chromium = (): string | null =>
  installed(
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    "Chromium",
  );

export const redisServer = (): string | null =>
  installed(["/usr/bin/redis-server", "/usr/local/bin/redis-server"], "redis-server");
