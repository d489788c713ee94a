/** Serves the page's own files. Its script is bundled for the first visitor, and cached. */
import { bundleForBrowser } from "../../container/browser_bundle.ts";
import { onceMade } from "../../shared/lib/memo.ts";
import type { EditorLibrary } from "../protocol.ts";
import { keptFile, sourcesVersion } from "./kept_file.ts";

export interface PageOptions {
  /** Nonce with which the page's script may write a style sheet. */
  readonly nonce: string;
}

interface PageFile {
  readonly type: string;
  readonly read: (options: PageOptions) => Promise<string | Uint8Array<ArrayBuffer>>;
}

const FOLDER = "playground/browser";
const SCRIPT = "text/javascript; charset=utf-8";
export const STYLES = [
  "base.css",
  "layout.css",
  "panels.css",
  "api.css",
  "rights.css",
  "try.css",
  "data.css",
  "understand.css",
  "narrow.css",
];

export interface PageFilesOptions {
  readonly bundle?: (entry: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the modules that definitions may import, for the language service. */
  readonly library: () => Promise<EditorLibrary>;
  /** Receives the error if the script cannot be bundled; the page says where to look. */
  readonly onFailure: (error: unknown) => void;
  /** Folder for cached files; null: everything is made again in each run. */
  readonly cache: string | null;
}

/** Returns the files by path. None of them is secret: they are the same for everybody. */
export function pageFiles(
  { bundle = bundleForBrowser, library, onFailure, cache }: PageFilesOptions,
): ReadonlyMap<string, PageFile> {
  const version = onceMade(sourcesVersion);
  const kept = (name: string, make: () => Promise<Uint8Array<ArrayBuffer>>) =>
    onceMade(async () =>
      cache === null ? await make() : await keptFile(cache, name, await version(), make)
    );
  const bundled = kept("page.js", () => bundle(`${FOLDER}/main.ts`));
  const language = kept("language.js", () => bundle(`${FOLDER}/language/worker.ts`));
  const diagram = kept("diagram.js", () => bundle(`${FOLDER}/diagram/layout.ts`));
  const libraryText = kept(
    "library.json",
    async () => new TextEncoder().encode(JSON.stringify(await library())),
  );
  const script = () =>
    bundled().catch((error: unknown) => {
      onFailure(error);
      return text("not_bundled.js");
    });
  return new Map<string, PageFile>([
    ["/", {
      type: "text/html; charset=utf-8",
      read: async ({ nonce }) =>
        (await text("index.html")).replace('content="%nonce%"', `content="${nonce}"`),
    }],
    ["/page.js", { type: SCRIPT, read: script }],
    ["/language.js", { type: SCRIPT, read: language }],
    ["/diagram.js", { type: SCRIPT, read: diagram }],
    ["/library.json", { type: "application/json", read: libraryText }],
    ["/page.css", {
      type: "text/css; charset=utf-8",
      read: async () => (await Promise.all(STYLES.map(text))).join("\n"),
    }],
  ]);
}

function text(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`../browser/${name}`, import.meta.url));
}

/**
 * Returns the Content-Security-Policy: the page runs its own script and nothing else. The editor writes a style sheet of its
 * own under the nonce; the marks in its margin are `data:` images. `framed`: directives on which sites may frame the page, or
 * what it may frame.
 */
export const policy = (nonce: string, framed: readonly string[] = ["frame-ancestors 'none'"]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...framed,
    "require-trusted-types-for 'script'",
    "trusted-types language-worker",
  ].join("; ");

/** Headers of every answer: no other page can frame or read it. */
const HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** Adds the headers to a response. The page's nonce is part of its text, and differs each time. */
export function guarded(response: Response, nonce: string): Response {
  response.headers.set("content-security-policy", policy(nonce));
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
