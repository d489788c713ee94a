/** The shell variable that holds a visitor's credential, so that commands stay short enough to read and to copy. */
import { shellWord } from "../../shell_word.ts";
import type { Visitor } from "./tour.ts";

/** `TOKEN` of the demo account, `AGENT_TOKEN` of others; `COOKIE` where the project has no tokens. */
export function variableOf({ name, credential }: Visitor): string {
  const what = credential.name === "cookie" ? "COOKIE" : "TOKEN";
  return name === "demo" ? what : `${name.replaceAll(/\W/g, "_").toUpperCase()}_${what}`;
}

/** The command that sets it. */
export function exportLine(visitor: Visitor): string {
  const { value } = visitor.credential;
  return `export ${variableOf(visitor)}=${shellWord(value.replace(/^Bearer /, ""))}`;
}

/** The header that a command sends, with the variable in place of the secret. */
export function headerWord(visitor: Visitor): string {
  const scheme = visitor.credential.name === "cookie" ? "" : "Bearer ";
  return `"${visitor.credential.name}: ${scheme}$${variableOf(visitor)}"`;
}
