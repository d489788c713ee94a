/** Addresses of diagnostics in the documents, which come with the program. */

const PAGE = new URL("../../docs/diagnostics.md", import.meta.url);

/** The entry of the code; null: the code is the type checker's own, and the page does not have it. */
export function docsLink(code: string): string | null {
  return /^TS\d+$/.test(code) ? null : `${PAGE.href}#${code}`;
}
