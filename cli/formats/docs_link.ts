/** Links diagnostics to the documents, which are installed with the program. */

const PAGE = new URL("../../docs/diagnostics.md", import.meta.url);

/** Returns the address of the code's entry; null: the code is the type checker's own, which the page does not list. */
export function docsLink(code: string): string | null {
  return /^TS\d+$/.test(code) ? null : `${PAGE.href}#${code}`;
}
