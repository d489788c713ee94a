/** Writes a compile host as JSON and reads it back, for a page that compiles without a server. */
import type { CompileHost } from "../../../shared/compiler/mod.ts";

type Lock = CompileHost["lock"];

export interface HostText extends Omit<CompileHost, "lock" | "onProgress"> {
  readonly lock: {
    readonly specifiers: readonly (readonly [string, string])[];
    readonly packages: readonly (readonly [
      string,
      Lock["packages"] extends ReadonlyMap<string, infer P> ? P : never,
    ])[];
  };
}

export function hostText({ lock: { specifiers, packages }, ...host }: CompileHost): HostText {
  return { ...host, lock: { specifiers: [...specifiers], packages: [...packages] } };
}

export function hostOf({ lock: { specifiers, packages }, ...host }: HostText): CompileHost {
  return { ...host, lock: { specifiers: new Map(specifiers), packages: new Map(packages) } };
}
