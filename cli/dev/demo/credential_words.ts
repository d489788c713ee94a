/**
 * Credentials of the demo's people in the commands that dev prints, which stay short enough to read and to copy: the demo
 * account's is in a shell variable, anybody else's in a file of their own that curl reads.
 */
import { join } from "node:path";
import { shellWord } from "../../shell_word.ts";
import type { Visitor } from "./tour.ts";

/** The one command that a person pastes first: `TOKEN` of the demo account; `COOKIE` where the project has no tokens. */
export function exportLine({ credential: { name, value } }: Visitor): string {
  return name === "cookie"
    ? `export COOKIE=${shellWord(value)}`
    : `export TOKEN=${shellWord(value.replace(/^Bearer /, ""))}`;
}

/** Keeps the header of somebody beside the demo account, for its owner's eyes alone. */
export async function keepHeader(visitor: Visitor, folder: string): Promise<void> {
  const { name, value } = visitor.credential;
  const file = headerFile(visitor, folder);
  await Deno.writeTextFile(file, `${name}: ${value}\n`, { mode: 0o600 });
}

/** The header that a command sends; `demo` is the visitor whose credential the variable holds. */
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
