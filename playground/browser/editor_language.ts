/** Highlighting by a file's name, with classes that the stylesheet colours. */
import { javascript } from "@codemirror/lang-javascript";
import { syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Lets the editor write its style sheet, which the page's policy refuses otherwise. */
export function styleNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return EditorView.cspNonce.of(nonce);
}

export function languageOf(path: string): Extension {
  return CODE.test(path)
    ? [javascript({ typescript: true }), syntaxHighlighting(classHighlighter)]
    : [];
}
