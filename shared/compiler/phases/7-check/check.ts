/**
 * Runs phase 7, which reports mistakes that only the whole output shows, at the author's own lines (contract 4.8, the bundle
 * check).
 */
import type { MemberExpression, Node } from "@babel/types";
import { nearest } from "../../../lib/nearest.ts";
import type { ProjectModel } from "../../../model/mod.ts";
import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { positionAt } from "../../diagnostics/lines.ts";
import { Report } from "../../diagnostics/report.ts";
import { shorten } from "../../diagnostics/wording.ts";
import type { FileOrigin, GeneratedFile } from "../../host.ts";
import { type SizeLimits, type Target, TARGETS } from "../../platforms/mod.ts";
import { CONFIG_PATH } from "../1-read/layout.ts";
import { parseText } from "../2-parse/parse_text.ts";
import { nodesBelow } from "../3-evaluate/walk.ts";

export interface BundledOutput {
  readonly model: Pick<ProjectModel, "runtime">;
  readonly files: readonly GeneratedFile[];
  readonly problems: readonly BundleProblem[];
  /** Size of the project's own code, in compressed bytes; null if it was not measured. */
  readonly bytes: number | null;
}

export interface CheckFindings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** Returns the findings. Throws for a problem in code that no author wrote, which is a defect of quickback. */
export function check({ model, files, problems, bytes }: BundledOutput): CheckFindings {
  const report = new Report();
  const target = TARGETS[model.runtime];
  const context: CheckContext = {
    report,
    target,
    files: new Map(files.map((file) => [file.path, file])),
  };
  for (const problem of problems) reportProblem(problem, context);
  for (const { origin } of files) {
    for (const { member, place } of origin ? missingMembers(origin, target) : []) {
      report.add("BUNDLE_HOST_MEMBER", place, { member, target: target.title });
    }
  }
  if (bytes !== null && target.size !== null) checkSize(bytes, target.size, context);
  return { errors: report.errors, warnings: report.warnings };
}

interface CheckContext {
  readonly report: Report;
  readonly target: Target;
  readonly files: ReadonlyMap<string, GeneratedFile>;
}

function reportProblem(problem: BundleProblem, context: CheckContext): void {
  const { report } = context;
  const place = placeOf(problem, context);
  switch (problem.kind) {
    case "notCode":
      return report.add("BUNDLE_NOT_CODE", place, { specifier: problem.specifier });
    case "noExport":
    case "noMember": {
      const { name, module, available } = problem;
      const details = { name, module, nearest: nearest(name, available) };
      return problem.kind === "noExport"
        ? report.add("BUNDLE_EXPORT_MISSING", place, details)
        : report.add("BUNDLE_MEMBER_MISSING", place, details);
    }
    case "invalid":
      return report.add("BUNDLE_INVALID", place, { problem: shorten(problem.problem, 160) });
    default:
      return reportImport(problem, place, context);
  }
}

function reportImport(
  { kind, specifier, chain: steps }: ImportProblem,
  place: Place,
  context: CheckContext,
): void {
  const { report, target: { title } } = context;
  const chain = chainText(steps, context);
  switch (kind) {
    case "unresolved":
      return report.add("BUNDLE_IMPORT_UNRESOLVED", place, { specifier, chain });
    case "hostModule":
      return report.add("BUNDLE_HOST_MODULE", place, { specifier, chain, target: title });
    case "nativeAddon":
      return report.add("BUNDLE_NATIVE_ADDON", place, { specifier, chain, target: title });
    case "require":
      return report.add("BUNDLE_REQUIRE", place, { specifier });
  }
}

function placeOf({ place }: BundleProblem, { files }: CheckContext): Place {
  const file = files.get(place.file);
  const source = file && sourcePlace(file, place);
  if (source) return source;
  throw new Error(`The bundle check refuses generated code at ${place.file}:${place.line}`);
}

const CHAIN_MAX = 6;

/** Returns the chain of imports as text; empty when the place is enough. */
function chainText(steps: readonly string[], { files }: CheckContext): string {
  if (steps.length < 3) return "";
  const names = steps.map((step) => shorten(files.get(step)?.origin?.file ?? step, 80));
  const shown = names.length <= CHAIN_MAX
    ? names
    : [...names.slice(0, 2), "…", ...names.slice(3 - CHAIN_MAX)];
  return ` (${shown.join(" → ")})`;
}

function checkSize(
  own: number,
  { carried, smallPlanMax, max }: SizeLimits,
  context: CheckContext,
): void {
  const bytes = own + carried;
  const { report, target } = context;
  const place = { file: CONFIG_PATH, line: 1, column: 1, length: 1 };
  const details = { target: target.title, size: mebibytes(bytes) };
  if (bytes > max) {
    report.add("BUNDLE_TOO_LARGE", place, { ...details, limit: mebibytes(max) });
  } else if (bytes > smallPlanMax) {
    report.add("BUNDLE_NEEDS_LARGER_PLAN", place, { ...details, limit: mebibytes(smallPlanMax) });
  }
}

/** Formats bytes, rounded up, so that a size above the limit never looks equal to it. */
function mebibytes(bytes: number): string {
  return `${(Math.ceil(bytes / (1024 * 1024) * 10) / 10).toFixed(1)} MiB`;
}

/** A use of a member of the platform's global object, such as `Deno.readFile`, that the platform does not have. */
interface MemberUse {
  /** Name of the member: `Deno.readFile`. */
  readonly member: string;
  readonly place: Place;
}

const OBJECT = "Deno";
const GLOBALS: ReadonlySet<string> = new Set(["globalThis", "self"]);

/** Returns the uses in source order. A file that declares the global's name itself refers to its own declaration. */
function missingMembers(
  { file, text }: FileOrigin,
  { hasDenoMember }: Target,
): readonly MemberUse[] {
  if (!text.includes(OBJECT)) return [];
  const outcome = parseText(file, text, "stop");
  if (outcome.kind !== "parsed") return [];
  const nodes = nodesBelow(outcome.program);
  if (nodes.some(declaresObject)) return [];
  return nodes.flatMap((node) => {
    if (node.type !== "MemberExpression" && node.type !== "OptionalMemberExpression") return [];
    const member = (node.object.type === "Identifier"
        ? node.object.name === OBJECT
        : node.object.type === "MemberExpression" && node.object.object.type === "Identifier" &&
          GLOBALS.has(node.object.object.name) && nameOf(node.object) === OBJECT)
      ? nameOf(node)
      : null;
    if (member === null || hasDenoMember(member)) {
      return [];
    }
    const [start, end] = [node.start ?? 0, node.end ?? 0];
    const place = { file, ...positionAt(text, start), length: Math.max(1, end - start) };
    return [{ member: `${OBJECT}.${member}`, place }];
  });
}

function nameOf({ property, computed }: Pick<MemberExpression, "property" | "computed">) {
  if (property.type === "StringLiteral") return property.value;
  return property.type === "Identifier" && !computed ? property.name : null;
}

/** True for a declaration of the name: imports, variables, functions, classes and parameters. */
function declaresObject(node: Node): boolean {
  switch (node.type) {
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return node.local.name === OBJECT;
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id?.type === "Identifier" && node.id.name === OBJECT;
    default:
      return "params" in node && Array.isArray(node.params) &&
        node.params.some((one) => one.type === "Identifier" && one.name === OBJECT);
  }
}

/** Returns the author's place; null: it is in code that no author wrote. */
function sourcePlace(
  { content, origin }: GeneratedFile,
  place: OutputPlace,
): Place | null {
  if (origin === undefined) return null;
  const from = offsetOf(content, place.line, place.column);
  const offset = sourceOffset(origin, from);
  const length = offsetOf(content, place.line, place.column + place.length) - from;
  const end = origin.text.slice(offset).search(/[\n\r\u2028\u2029]/);
  return {
    file: origin.file,
    ...positionAt(origin.text, offset),
    length: Math.max(1, Math.min(length, end === -1 ? origin.text.length - offset : end)),
  };
}

/** Returns an offset in the author's file. A place inside a replaced text becomes the beginning of that text. */
function sourceOffset({ pieces, text }: FileOrigin, output: number): number {
  const piece = pieces.findLast((one) => one.output <= output);
  if (piece === undefined) return 0;
  return Math.min(piece.source + Math.min(output - piece.output, piece.length), text.length);
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Returns the offset of a byte column of a line. */
function offsetOf(text: string, line: number, column: number): number {
  const ends = text.matchAll(LINE_END);
  let start = 0;
  for (let skipped = 1; skipped < line; skipped++) {
    const end = ends.next().value;
    if (end === undefined) break;
    start = end.index + end[0].length;
  }
  const rest = text.slice(start, start + column);
  const bytes = new TextEncoder().encode(rest).subarray(0, column);
  return start + new TextDecoder().decode(bytes).length;
}

/**
 * Represents a bundler's finding in an output, before it is translated into the author's terms (contract 4.8, the bundle
 * check).
 */

/** Place as bundlers count: lines from 1, columns and lengths in UTF-8 bytes, columns from 0. */
export interface OutputPlace {
  /** Path in the output. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export type BundleProblem =
  | ImportProblem
  /** A file that bundlers do not read as a module. */
  | { readonly kind: "notCode"; readonly specifier: string; readonly place: OutputPlace }
  /** A named import, or a member of `import * as x`, that its module does not export. */
  | {
    readonly kind: "noExport" | "noMember";
    readonly name: string;
    readonly module: string;
    /** The module's known exports. */
    readonly available: readonly string[];
    readonly place: OutputPlace;
  }
  /** Any other mistake that bundlers refuse, in their words. */
  | { readonly kind: "invalid"; readonly problem: string; readonly place: OutputPlace };

export interface ImportProblem {
  /**
   * Reason of the refusal: there is no such module, the target does not have it, it is a native addon, or `require()` loads it.
   */
  readonly kind: "unresolved" | "hostModule" | "nativeAddon" | "require";
  readonly specifier: string;
  /** Paths in the output and names of modules, from the author's first file to the refused module. */
  readonly chain: readonly string[];
  readonly place: OutputPlace;
}
