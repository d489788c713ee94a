/**
 * Writes credentials of the demo's people for the commands that `dev` prints, so that these stay short enough to read and to
 * copy. The demo account's credential is in a shell variable, any other in a file that curl reads.
 */
import { join } from "node:path";
import { shellWord } from "../../shell_word.ts";
import type { Visitor } from "./tour.ts";

/**
 * Writes the command that a user pastes first: it sets `TOKEN` of the demo account, or `COOKIE` if the project has no tokens.
 */
export function exportLine({ credential: { name, value } }: Visitor): string {
  return name === "cookie"
    ? `export COOKIE=${shellWord(value)}`
    : `export TOKEN=${shellWord(value.replace(/^Bearer /, ""))}`;
}

/** Writes the header of a caller other than the demo account to a file that only its owner can read. */
export async function keepHeader(visitor: Visitor, folder: string): Promise<void> {
  const { name, value } = visitor.credential;
  const file = headerFile(visitor, folder);
  await Deno.writeTextFile(file, `${name}: ${value}\n`, { mode: 0o600 });
}

/** Writes the header argument of a command; `demo` is the visitor whose credential is in the variable. */
export function headerWord(visitor: Visitor, { demo, folder }: Credentials): string {
  if (visitor.name !== demo.name) return shellWord(`@${headerFile(visitor, folder)}`);
  return visitor.credential.name === "cookie"
    ? '"cookie: $COOKIE"'
    : '"authorization: Bearer $TOKEN"';
}

/** Places where the commands find credentials. */
export interface Credentials {
  readonly demo: Visitor;
  /** Absolute path of dev's folder. */
  readonly folder: string;
}

function headerFile({ name }: Visitor, folder: string): string {
  return join(folder, `${name.replaceAll(/\W/g, "_")}.header`);
}
