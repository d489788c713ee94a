/**
 * Checks that JSON is a parsed project, and one that agrees with itself: every value's place is in one of its files, every
 * range in its text (contract 4.8). Refuses the first thing that is not.
 */
import { z } from "zod";
import { jsonFaultOf, pointerTo } from "../../lib/json.ts";
import { NESTING_MAX } from "../phases/2-parse/nesting.ts";
import { consistencyFault } from "./consistency.ts";
import type { ParsedProject } from "./parsed_project.ts";
import { PARSED_PROJECT } from "./schema.ts";

export type ParsedReading =
  | { readonly kind: "parsed"; readonly project: ParsedProject }
  /** The pointer is into the project. */
  | { readonly kind: "fault"; readonly pointer: string; readonly message: string };

/** An object in an object is three levels of JSON: the entry, its list, the value. */
const DEPTH_MAX = 3 * NESTING_MAX;

export function readParsedProject(value: unknown): ParsedReading {
  const unsafe = jsonFaultOf(value, { depthMax: DEPTH_MAX });
  if (unsafe !== null) {
    return { kind: "fault", pointer: pointerTo(...unsafe.path), message: unsafe.message };
  }
  const read = PARSED_PROJECT.safeParse(value);
  if (!read.success) return { kind: "fault", ...shapeFault(read.error) };
  const fault = consistencyFault(read.data);
  return fault === null ? { kind: "parsed", project: read.data } : { kind: "fault", ...fault };
}

const MESSAGE_MAX = 200;

function shapeFault({ issues: [issue] }: z.ZodError) {
  return {
    pointer: pointerTo(...(issue?.path ?? []).map(String)),
    message: (issue?.message ?? "Is no parsed project").slice(0, MESSAGE_MAX),
  };
}
