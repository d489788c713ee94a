/** A file of the repository that a test keeps equal to what the code makes; `UPDATE_GOLDEN=1` writes it. */
import { assertEquals } from "./assert.ts";

export function assertGolden(path: string, actual: string): void {
  const url = new URL(`../../${path}`, import.meta.url);
  if (Deno.env.get("UPDATE_GOLDEN") === "1") Deno.writeTextFileSync(url, actual);
  assertEquals(
    Deno.readTextFileSync(url),
    actual,
    `${path} is out of date: run with UPDATE_GOLDEN=1`,
  );
}
