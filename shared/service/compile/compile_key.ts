/** The name of what a compile compiles: equal for equal requests, and for no others. */
import { hex } from "../../lib/bytes.ts";
import type { CompileInput } from "./compile_event.ts";

export interface KeyedCompile {
  readonly input: CompileInput;
  readonly complete: boolean;
  /** Owner of the compile: answers tell nobody that somebody else has compiled the same. */
  readonly caller: string;
}

/** SHA-256 in hexadecimal. Members keep their order: another order is another request. */
export async function compileKey({ input, complete, caller }: KeyedCompile): Promise<string> {
  const { files, actionInputSchemas, parsed = null } = input;
  const text = JSON.stringify([caller, complete, files, actionInputSchemas, parsed]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
}
