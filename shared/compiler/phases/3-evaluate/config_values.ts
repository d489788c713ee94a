/** Reads the configuration's values, which are literals only (contract 4.8 rule 1, definitions 2). */
import type { CallExpression, Node } from "@babel/types";
import type { Definition, Value } from "../values.ts";
import { nearest } from "../../../lib/nearest.ts";
import { quote } from "../../diagnostics/wording.ts";
import type { Report } from "../../diagnostics/report.ts";
import { AUTHORING_MODULES, AUTHORING_SYMBOLS, CONFIG_HELPERS } from "./authoring_symbols.ts";
import { constructOf } from "./constructs.ts";
import { Findings } from "./findings.ts";
import { placeOf } from "./place.ts";
import { deeper, type Dialect, placeIn, type Reader, refusedValue, unreadable } from "./reader.ts";
import { readValue } from "./read_value.ts";
import { assertionIn } from "./syntax.ts";
import type { Declaration, Export, Scope } from "./scope.ts";

/** Returns the configuration's default export; null when there is none. Everything else in the file is reported. */
export function readConfig(scope: Scope, report: Report): Definition {
  const { path: file, text } = scope.source;
  const findings = new Findings();
  const { source } = scope;
  for (const [name, declaration] of scope.declarations) {
    refuseDeclaration(name, declaration, scope, findings);
  }
  for (const { specifier, node } of scope.effects) {
    findings.add("CONFIG_IMPORT", placeOf(node, source), { name: null, module: specifier });
  }
  const reExports = [...scope.exports.values()].filter((exported) => exported.kind === "from");
  for (const { specifier, node } of [...reExports, ...scope.stars]) {
    findings.add("CONFIG_IMPORT", placeOf(node, source), { name: null, module: specifier });
  }
  for (const node of scope.statements) {
    const construct = constructOf(node, source);
    findings.add("CONFIG_NOT_LITERAL", placeOf(node, source), { construct });
  }
  const reader: Reader = { scope, findings, depth: 0, dialect: LITERALS };
  const defaultExport = readDefault(scope.exports.get("default"), reader);
  findings.reportTo(report, new Set());
  return { file, bindings: new Map(), defaultExport, text };
}

function readDefault(exported: Export | undefined, reader: Reader): Value | null {
  if (exported === undefined) return null;
  if (exported.kind === "default") return readValue(exported.value, reader);
  if (exported.kind === "defaultFunction") {
    return refusedValue(constructOf(exported.node, reader.scope.source), exported.node, reader);
  }
  return unreadable("a value that is declared elsewhere", exported.node, reader);
}

const LITERALS: Dialect = {
  tolerantKeys: new Set(),
  readOther: (node, reader) =>
    node.type === "CallExpression"
      ? readHelperCall(node, reader)
      : refusedValue(constructOf(node, reader.scope.source), node, reader),
  spreadEntries: (node, reader) => {
    // Reports a spread. The entries beside it are still read, so that one compile reports their
    // mistakes too.
    refuse(constructOf(node, reader.scope.source), node, reader);
    return [];
  },
  spreadItems: (
    node,
    reader,
  ) => [refusedValue(constructOf(node, reader.scope.source), node, reader)],
  computedKey: (node, reader) => {
    refuse("a computed key", node, reader);
    return null;
  },
  readMethod: (_text, node, reader) => refusedValue("a method", node, reader),
  refuseTypes: (node, reader) => {
    const assertion = assertionIn(node);
    if (assertion) refuse(constructOf(assertion, reader.scope.source), assertion, reader);
  },
  refuse: (construct, place, { findings }) =>
    findings.add("CONFIG_NOT_LITERAL", place, { construct }),
};

function refuse(construct: string, node: Node, reader: Reader): void {
  LITERALS.refuse(construct, placeIn(reader, node), reader);
}

function readHelperCall(node: CallExpression, reader: Reader): Value {
  const callee = node.callee.type === "Identifier" ? helperName(node.callee.name, reader) : null;
  if (callee === null) return refusedValue(constructOf(node, reader.scope.source), node, reader);
  const args = node.arguments.map((argument) =>
    argument.type === "SpreadElement" || argument.type === "ArgumentPlaceholder"
      ? refusedValue(constructOf(argument, reader.scope.source), argument, reader)
      : readValue(argument, deeper(reader))
  );
  return {
    kind: "call",
    callee,
    module: "quickback",
    args,
    chain: [],
    place: placeIn(reader, node.callee),
  };
}

/** Returns the helper's own name. A misspelt import was reported and is read as the nearest name. */
function helperName(local: string, { scope }: Reader): string | null {
  const declaration = scope.declarations.get(local);
  if (declaration?.kind !== "import" || !AUTHORING_MODULES.has(declaration.specifier)) return null;
  const { imported } = declaration;
  return CONFIG_HELPERS.includes(imported) ? imported : nearest(imported, CONFIG_HELPERS);
}

function refuseDeclaration(
  name: string,
  declaration: Declaration,
  scope: Scope,
  findings: Findings,
): void {
  const place = placeOf(declaration.node, scope.source);
  if (declaration.kind !== "import") {
    const construct = declaration.kind === "constant"
      ? `the variable \`${name}\``
      : declaration.kind === "function"
      ? "a function"
      : declaration.construct;
    return findings.add("CONFIG_NOT_LITERAL", place, { construct });
  }
  const { specifier: module, imported } = declaration;
  if (CONFIG_HELPERS.includes(imported) && AUTHORING_MODULES.has(module)) return;
  if (!AUTHORING_MODULES.has(module) || AUTHORING_SYMBOLS.includes(imported) || imported === "*") {
    return findings.add("CONFIG_IMPORT", place, { name: quote(imported), module });
  }
  const suggestion = nearest(imported, CONFIG_HELPERS);
  const details = { name: imported, module, nearest: suggestion, known: CONFIG_HELPERS };
  findings.add("IMPORT_UNKNOWN", place, details);
}
