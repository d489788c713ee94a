/** Stores the state of an evaluation. Constants are read once, however often they are used, and evaluation always ends. */
import type { Node } from "@babel/types";
import type { SourceFile } from "../1-read/layout.ts";
import { partsOf, type Value } from "../values.ts";
import { isTableCall } from "./authoring_symbols.ts";
import { Findings } from "./findings.ts";
import { type Found, lookUp, type ProjectScope } from "./project_scope.ts";
import { DEPTH_MAX, type Dialect, placeIn, type Reader, unreadable } from "./reader.ts";
import { readValue } from "./read_value.ts";
import { calleeName, withoutTypes } from "./syntax.ts";

/** Limit of the values that all uses of constants may add up to, so that constants of constants cannot grow without bounds. */
const EXPANDED_MAX = 500_000;

interface Measure {
  readonly nodes: number;
  readonly depth: number;
}

interface Measured extends Measure {
  readonly value: Value;
  readonly findings: Findings;
}

export interface Evaluation {
  readonly project: ProjectScope;
  /** Constants by file and name; `reading` while their own value is being read. */
  readonly constants: Map<string, Measured | "reading">;
  readonly measures: WeakMap<Value, Measure>;
  /** Values that uses of constants have added so far. */
  readonly expanded: { nodes: number };
  /** Returns the dialect in which values of this file are read. */
  dialectOf(source: SourceFile): Dialect;
}

export type FoundValue = Found & { readonly kind: "value" };

export function newEvaluation(
  project: ProjectScope,
  dialectOf: (evaluation: Evaluation, source: SourceFile) => Dialect,
): Evaluation {
  const evaluation: Evaluation = {
    project,
    constants: new Map(),
    measures: new WeakMap(),
    expanded: { nodes: 0 },
    dialectOf: (source) => dialectOf(evaluation, source),
  };
  return evaluation;
}

/**
 * True for a table or a resource. It is recognized by its call's name without being read, because tables may refer in circles.
 */
export function isTable({ project }: Evaluation, { scope, value }: FoundValue): boolean {
  let node: Node = withoutTypes(value);
  while (node.type === "CallExpression") {
    const callee = calleeName(node.callee);
    if (callee !== null) {
      const [root = "", ...members] = callee.split(".");
      const found = lookUp(project, scope, root);
      if (found?.kind !== "library") return false;
      const path = [...(found.path === "" ? [] : [found.path]), ...members].join(".");
      return isTableCall(found.module, path);
    }
    if (node.callee.type !== "MemberExpression") return false;
    node = node.callee.object;
  }
  return false;
}

/** Returns the constant's value, with its findings passed to the value that uses it. `chain` is the written name. */
export function readConstant(
  evaluation: Evaluation,
  found: FoundValue,
  chain: Node,
  reader: Reader,
): Value {
  const measured = readOnce(evaluation, found, reader.depth + 1);
  if (measured === "reading") {
    reader.findings.add("CONSTANT_CYCLE", placeIn(reader, chain), { name: found.name });
    return unreadable("a constant that uses itself", chain, reader);
  }
  reader.findings.use(measured.findings);
  evaluation.expanded.nodes += measured.nodes;
  if (evaluation.expanded.nodes > EXPANDED_MAX) {
    reader.findings.add("VALUE_TOO_LARGE", placeIn(reader, chain), { limit: EXPANDED_MAX });
    return unreadable("a constant that grows too large", chain, reader);
  }
  if (reader.depth + measured.depth > DEPTH_MAX) {
    reader.findings.add("VALUE_TOO_DEEP", placeIn(reader, chain), { limit: DEPTH_MAX });
    return unreadable("a constant nested too deep", chain, reader);
  }
  return measured.value;
}

/** Reads a top-level value separately. Its findings are kept until they are reported or used. */
export function readOnce(
  evaluation: Evaluation,
  { scope, name, value }: FoundValue,
  depth: number,
): Measured | "reading" {
  const key = `${scope.source.path}\n${name}`;
  const known = evaluation.constants.get(key);
  if (known !== undefined) return known;
  evaluation.constants.set(key, "reading");
  const findings = new Findings();
  const dialect = evaluation.dialectOf(scope.source);
  const read = readValue(value, { scope, findings, depth, dialect });
  const measured = { value: read, findings, ...measure(read, evaluation.measures) };
  evaluation.constants.set(key, measured);
  return measured;
}

/** Returns the size and depth of a value as if every use were a copy. */
function measure(value: Value, measures: Evaluation["measures"]): Measure {
  const known = measures.get(value);
  if (known !== undefined) return known;
  const parts = partsOf(value).map((part) => measure(part, measures));
  const measured = {
    nodes: parts.reduce((total, part) => total + part.nodes, 1),
    depth: parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1,
  };
  measures.set(value, measured);
  return measured;
}
