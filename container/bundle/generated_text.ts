/** Reads imports and exports of a generated module off its lines: the emitter formats them all the same way. */

export interface GeneratedText {
  readonly imports: readonly TextImport[];
  /** Names that its own lines export. */
  readonly exports: readonly string[];
  /** Modules all of whose names it exports, too. */
  readonly stars: readonly string[];
}

interface TextImport {
  readonly specifier: string;
  /** As the other module exports them; none for one that is only run. */
  readonly names: readonly string[];
}

const STATEMENT =
  /^(import|export) (?:(type )?(?:(\*)(?: as (\w+))?|\{([^{}]*)\}|(\w+)) from )?"([^"\\]+)"(?: with \{ type: "json" \})?;$/gm;
/** Imports that cannot be read off single lines. */
const UNTOLD = /\bimport\s*\(|\brequire\s*\(|^import\b/m;
/** A template that goes on in the next line, which may look like code and be none. */
const OPEN_TEMPLATE = /^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$/m;
const TYPE = /^export (?:declare )?(?:type|interface) \w/;
const VALUE = /^export (?:const|(?:async )?function|class) ([\w$]+)/;

/** Reads a generated module; null for a text with imports that cannot be read off single lines. */
export function readGeneratedText(text: string): GeneratedText | null {
  const statements = [...text.matchAll(STATEMENT)].flatMap(statementOf);
  const rest = text.replace(STATEMENT, "");
  if (UNTOLD.test(rest) || OPEN_TEMPLATE.test(text)) return null;
  if (statements.some(({ kind }) => kind === "untold")) return null;
  const exports = statements.flatMap((one) => one.exports);
  for (const [line] of rest.matchAll(/^export\b.*$/gm)) {
    const [, name] = VALUE.exec(line) ?? [];
    if (name !== undefined) exports.push(name);
    else if (!TYPE.test(line)) return null;
  }
  return {
    imports: statements.map(({ specifier, names }) => ({ specifier, names })),
    exports,
    stars: statements.flatMap(({ kind, specifier }) => kind === "star" ? [specifier] : []),
  };
}

interface Statement extends TextImport {
  readonly kind: "named" | "star" | "untold";
  readonly exports: readonly string[];
}

/** None for one that only types need: it is gone before a bundler resolves it. */
function statementOf(match: RegExpExecArray): readonly Statement[] {
  const [, keyword, type, star, namespace, clause, name, specifier = ""] = match;
  if (type !== undefined) return [];
  const isExport = keyword === "export";
  if (star !== undefined) {
    const kind = !isExport ? "untold" : namespace === undefined ? "star" : "named";
    return [{ kind, specifier, names: [], exports: namespace === undefined ? [] : [namespace] }];
  }
  if (name !== undefined) {
    return [{ kind: isExport ? "untold" : "named", specifier, names: ["default"], exports: [] }];
  }
  const pairs = clause === undefined ? [] : pairsOf(clause);
  if (clause !== undefined && pairs.length === 0) return [];
  return [{
    kind: "named",
    specifier,
    names: pairs.map(([theirs]) => theirs),
    exports: isExport ? pairs.map(([, ours]) => ours) : [],
  }];
}

/** `a, type B, c as d` → what the other module calls the values, and what this one does. */
function pairsOf(clause: string): readonly (readonly [string, string])[] {
  return clause.split(",").map((one) => one.trim()).flatMap((one) => {
    if (one === "" || one.startsWith("type ")) return [];
    const [theirs = one, ours = theirs] = one.split(/\s+as\s+/);
    return [[theirs, ours] as const];
  });
}
