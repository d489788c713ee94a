/** Corrections that a finding's hint names: what to write, and in whose place. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { Finding } from "./compile_stream.ts";
import type { TextEdit } from "./language/language.ts";

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;

export interface HintFix {
  readonly title: string;
  readonly edit: TextEdit;
}

/** More would be a list of all words, which completion shows better. */
const OFFERED_MAX = 6;

/** Of a state whose file the finding is about; none where the hint names no form that fits there. */
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

/** `Did you mean "title"?`, `There are a, b and 3 more`, `Write q.int(), or q.real()`. */
export function formsOf(hint: string): readonly string[] {
  const meant = /^Did you mean (.+)\?$/.exec(hint)?.[1];
  if (meant !== undefined) return [meant];
  const known = /^There are (.+?)(?: and \d+ more)?$/.exec(hint)?.[1];
  if (known !== undefined) return known.split(", ");
  // Not the first word of a sentence, nor a text that only shows how one looks.
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

/** A name or text, with calls in brackets, and the value of a key: as far as the code goes. */
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

/** End of the brackets that follow each other from there. */
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

/** `.references` before its bracket. */
const CHAINED = /^\.[\w$]+(?=\()/;

interface Place {
  readonly node: SyntaxNode;
  /** The word or text at the place. */
  readonly from: number;
  readonly to: number;
}

/** A text, or names joined by dots. */
const WORD = /^(?:"[^"]*"|'[^']*'|\.?[\w$]+(?:\.[\w$]+)*)/;

/** The part of a text that a busy machine has parsed at first may end before the place. */
const PARSE_MILLISECONDS = 500;

function placeAt(state: EditorState, at: number): Place | null {
  const [word] = WORD.exec(state.doc.lineAt(at).text.slice(at - state.doc.lineAt(at).from)) ?? [];
  if (word === undefined) return null;
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MILLISECONDS) ?? syntaxTree(state);
  return { node: tree.resolveInner(at, 1), from: at, to: at + word.length };
}

/** Null where the form does not fit. */
function editFor(form: string, { node, from, to }: Place, state: EditorState): TextEdit | null {
  const call = /^(\.?[\w$.]+)\((.*)\)$/s.exec(form);
  if (call !== null) return callEdit(call, { node, from, to }, state);
  const property = aroundKey(node, from);
  const [, key, value] = /^([\w$]+): (.+)$/s.exec(form) ?? [];
  if (key !== undefined && value !== undefined) {
    if (property === null) return null;
    // The form of a value that the author writes out: theirs is there already.
    if (value.includes("…")) return { from, to, insert: key };
    return { from: property.from, to: property.to, insert: form };
  }
  const bare = form.replace(/^"(.*)"$/, "$1");
  const isText = /^["']/.test(state.sliceDoc(from, to));
  const isName = /^[\w$]+$/.test(bare);
  // A key keeps that it has no quotes, where it can.
  const insert = isText || property !== null && !isName ? JSON.stringify(bare) : bare;
  return { from, to, insert };
}

/** The call's name takes the place of the one before it, which keeps its arguments where they can be those of the form. */
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

/** Of the call whose name the node is in. */
function argumentsOf(node: SyntaxNode): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === "CallExpression") return at.getChild("ArgList");
    if (at.name === "Property" || at.name === "ArrowFunction") return null;
  }
  return null;
}

/** The form as the first member of the object that begins at the place, or that is the first argument there. */
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

/** The property whose key begins there. */
function aroundKey(node: SyntaxNode, from: number): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (at.name === "Property") return at.from === from ? at : null;
  }
  return null;
}
