/** The lock of everything that outputs import, out of this repository's own: what it was tested with (definitions 7, "files of an output"). */
import { type DenoLock, lockOf, readDenoLock } from "../shared/compiler/front.ts";
import { readText } from "./repository_files.ts";

/** `foreign`: what this repository's lock does not have. */
export function readOutputLock(
  imports: Readonly<Record<string, string>>,
  foreign: DenoLock,
): DenoLock {
  const own = readDenoLock(readText("deno.lock"));
  if (own === null) throw new Error("The repository's deno.lock cannot be read");
  const all = {
    specifiers: new Map([...own.specifiers, ...foreign.specifiers]),
    packages: new Map([...own.packages, ...foreign.packages]),
  };
  return lockOf(Object.values(imports), all);
}
