/** Runs the compiler's first three phases over a few files. */
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import { atOnce } from "../../shared/lib/steps.ts";
import { Report } from "../../shared/compiler/diagnostics/report.ts";
import { read } from "../../shared/compiler/phases/1-read/read.ts";
import { parse } from "../../shared/compiler/phases/2-parse/parse.ts";
import { evaluate } from "../../shared/compiler/phases/3-evaluate/evaluate.ts";
import type { Definitions, Value } from "../../shared/compiler/phases/values.ts";

export interface FrontResult {
  readonly definitions: Definitions;
  readonly errors: readonly Diagnostic[];
}

/** The files as they are. */
export function runFront(files: Readonly<Record<string, string>>): FrontResult {
  const report = new Report();
  const definitions = atOnce(evaluate(atOnce(parse(read(files, report), report)), report));
  return { definitions, errors: report.errors };
}

export const CONFIG = "quickback/quickback.config.ts";
export const JOBS = "quickback/features/jobs/jobs.ts";

/** The files of a project beside a configuration that is right. */
export function runProject(files: Readonly<Record<string, string>>): FrontResult {
  return runFront({ [CONFIG]: 'export default { name: "sample" };\n', ...files });
}

/** `CODE line:column message` per error. */
export function told(errors: readonly Diagnostic[]): readonly string[] {
  return errors.map(({ code, place, message }) =>
    `${code} ${place.line}:${place.column} ${message}`
  );
}

/** A value without its places, as plain JSON: what a test compares. */
export function plain(value: Value | null | undefined): unknown {
  if (!value) return null;
  switch (value.kind) {
    case "string":
    case "number":
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "array":
      return value.items.map(plain);
    case "object":
      return Object.fromEntries(value.entries.map((entry) => [entry.key, plain(entry.value)]));
    case "call":
      return {
        call: value.callee,
        args: value.args.map(plain),
        chain: value.chain.map((link) => [link.name, ...link.args.map(plain)]),
      };
    case "reference":
      return { reference: `${value.target.file}#${value.target.name}`, members: value.members };
    case "thunk":
      return { thunk: plain(value.value) };
    case "function":
      return { function: value.text };
    case "regex":
      return { regex: `/${value.source}/${value.flags}` };
    case "unreadable":
      return { unreadable: value.construct };
  }
}
