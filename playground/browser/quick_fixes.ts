/** Derives fixes from a finding's hint: what to write, and what it replaces. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Finding } from "./compile_stream.ts";
import type { TextEdit } from "./language/language.ts";

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

export interface HintFix {
  readonly title: string;
  readonly edit: TextEdit;
}

/** Maximum number of fixes. A longer list would contain all words, which completion shows better. */
const OFFERED_MAX = 6;

/** Returns the fixes of a finding in a state of its file; none if the hint names no form that fits there. */
export function hintFixes(finding: Finding, state: EditorState): readonly HintFix[] {
  const { code, hint, column, line } = finding;
  if (hint === null || column === null || line > state.doc.lines) return [];
  const at = Math.min(state.doc.line(line).from + column - 1, state.doc.length);
  const place = placeAt(state, at);
  if (place === null) return [];
  const fixes = formsOf(hint).slice(0, OFFERED_MAX).flatMap((form) => {
    const edit = code === "KEY_MISSING" ? addition(form, place) : editFor(form, place, state);
    return edit === null ? [] : [{ title: `Write ${form}`, edit }];
  });
  return fixes.filter(({ edit: { from, to, insert } }) => state.sliceDoc(from, to) !== insert);
}

/** Reads the forms from hints such as `Did you mean "title"?`, `There are a, b and 3 more`, `Write q.int(), or q.real()`. */
export function formsOf(hint: string): readonly string[] {
  const meant = /^Did you mean (.+)\?$/.exec(hint)?.[1];
  if (meant !== undefined) return [meant];
  const known = /^There are (.+?)(?: and \d+ more)?$/.exec(hint)?.[1];
  if (known !== undefined) return known.split(", ");
  // The first word of a sentence, or a text that is only an example, is not a form.
  return written(/^(?:Write|Add) (.+)$/.exec(hint)?.[1] ?? "").filter((form) =>
    OPERATOR.test(form) || /[([{]|: |^"[^/<:]+"$/.test(form)
  );
}

const ALTERNATIVE = /[,;]? or |, (?=q\.|\.\w|")/;

function written(text: string): readonly string[] {
  if (text === "") return [];
  const first = codeAtStart(text);
  const rest = text.slice(first.length);
  const next = ALTERNATIVE.exec(rest);
  return [first, ...written(next === null ? "" : rest.slice(next.index + next[0].length))];
}

const OPERATOR = /^(?:equals|notEquals|in|notIn|greaterThan(?:OrEqual)?|lessThan(?:OrEqual)?)$/;

/** Returns the code at the start of the text: a name or quoted text, with calls in brackets, and the value of a key. */
function codeAtStart(text: string): string {
  const [start] = /^(?:\.?[\w$]+(?:\.[\w$]+)*|"[^"]*")/.exec(text) ?? [];
  if (start === undefined) return "";
  let end = start.length;
  if (text[end] === ":" && /^: (?:["[{\d]|true|false|null|q\.|z\.|async )/.test(text.slice(end))) {
    end += 2;
    end += /^(?:[\w$.]+|"[^"]*")?/.exec(text.slice(end))?.[0].length ?? 0;
  }
  return text.slice(0, bracketsEnd(text, end));
}

/** Returns the end of the adjacent brackets that begin at the offset. */
function bracketsEnd(text: string, from: number): number {
  let [depth, end] = [0, from];
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (depth === 0) break;
    if (depth === 0) {
      end = at + 1;
      at += CHAINED.exec(text.slice(end))?.[0].length ?? 0;
    }
  }
  return end;
}

/** Matches `.references` before its bracket. */
const CHAINED = /^\.[\w$]+(?=\()/;

interface Place {
  readonly node: SyntaxNode;
  /** Start of the word or text at the place. */
  readonly from: number;
  readonly to: number;
}

/** Matches a quoted text, or names joined by dots. */
const WORD = /^(?:"[^"]*"|'[^']*'|\.?[\w$]+(?:\.[\w$]+)*)/;

/** Time for parsing on: on a busy machine, the first parse may end before the place. */
const PARSE_MILLISECONDS = 500;

function placeAt(state: EditorState, at: number): Place | null {
  const [word] = WORD.exec(state.doc.lineAt(at).text.slice(at - state.doc.lineAt(at).from)) ?? [];
  if (word === undefined) return null;
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MILLISECONDS) ?? syntaxTree(state);
  return { node: tree.resolveInner(at, 1), from: at, to: at + word.length };
}

/** Returns the edit that writes the form; null if the form does not fit. */
function editFor(form: string, { node, from, to }: Place, state: EditorState): TextEdit | null {
  const call = /^(\.?[\w$.]+)\((.*)\)$/s.exec(form);
  if (call !== null) return callEdit(call, { node, from, to }, state);
  const property = aroundKey(node, from);
  const [, key, value] = /^([\w$]+): (.+)$/s.exec(form) ?? [];
  if (key !== undefined && value !== undefined) {
    if (property === null) return null;
    // The form has a value that the author must write out; the existing value stays.
    if (value.includes("…")) return { from, to, insert: key };
    return { from: property.from, to: property.to, insert: form };
  }
  const bare = form.replace(/^"(.*)"$/, "$1");
  const isText = /^["']/.test(state.sliceDoc(from, to));
  const isName = /^[\w$]+$/.test(bare);
  // A key stays without quotes where that is possible.
  const insert = isText || property !== null && !isName ? JSON.stringify(bare) : bare;
  return { from, to, insert };
}

/** Replaces the call's name. The arguments stay where they are valid for the form. */
function callEdit(
  [, name = "", given = ""]: RegExpExecArray,
  { from, to, node }: Place,
  state: EditorState,
): TextEdit | null {
  const isModifier = state.sliceDoc(from - 1, from) === ".";
  if (isModifier !== name.startsWith(".")) return null;
  const insert = isModifier ? name.slice(1) : name;
  const list = argumentsOf(node);
  if (list === null || list.from !== to) return { from, to, insert: `${insert}(${given})` };
  const own = state.sliceDoc(list.from + 1, list.to - 1);
  const stays = own.trim() !== "" && (own.includes("=>") || !given.includes("=>"));
  return { from, to: list.to, insert: `${insert}(${stays ? own : given})` };
}

/** Returns the arguments of the call whose name the node is part of. */
function argumentsOf(node: SyntaxNode): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === "CallExpression") return at.getChild("ArgList");
    if (at.name === "Property" || at.name === "ArrowFunction") return null;
  }
  return null;
}

/** Inserts the form as the first member of the object that begins at the place, or that is the first argument there. */
function addition(form: string, { node }: Place): TextEdit | null {
  if (form.includes("…")) return null;
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    const object = at.name === "ObjectExpression"
      ? at
      : at.getChild("ArgList")?.getChild("ObjectExpression");
    if (object) return { from: object.from + 1, to: object.from + 1, insert: ` ${form},` };
  }
  return null;
}

/** Returns the property whose key begins at the offset. */
function aroundKey(node: SyntaxNode, from: number): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === "Property") return at.from === from ? at : null;
  }
  return null;
}
