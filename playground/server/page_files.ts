/** The page's own files; its script is bundled when the first visitor comes, and kept. */
import { bundleForBrowser } from "../../container/browser_bundle.ts";

export interface PageOptions {
  /** Under which the page's script may write a style sheet. */
  readonly nonce: string;
}

interface PageFile {
  readonly type: string;
  readonly read: (options: PageOptions) => Promise<string | Uint8Array<ArrayBuffer>>;
}

const FOLDER = "playground/browser";
const STYLES = ["base.css", "layout.css", "panels.css", "api.css"];

export interface PageFilesOptions {
  readonly bundle?: () => Promise<string | Uint8Array<ArrayBuffer>>;
  /** Receives the reason for a missing script; the page says where to look. */
  readonly onFailure: (error: unknown) => void;
}

/** By path. Nothing in them is secret: they are the same for everybody. */
export function pageFiles(
  { bundle = () => bundleForBrowser(`${FOLDER}/main.ts`), onFailure }: PageFilesOptions,
): ReadonlyMap<string, PageFile> {
  const bundled = once(bundle);
  const script = () =>
    bundled().catch((error: unknown) => {
      onFailure(error);
      return text("not_bundled.js");
    });
  return new Map<string, PageFile>([
    ["/", { type: "text/html; charset=utf-8", read: page }],
    ["/page.js", { type: "text/javascript; charset=utf-8", read: script }],
    ["/page.css", { type: "text/css; charset=utf-8", read: styles }],
  ]);
}

async function page({ nonce }: PageOptions): Promise<string> {
  return (await text("index.html")).replace('content="%nonce%"', `content="${nonce}"`);
}

async function styles(): Promise<string> {
  return (await Promise.all(STYLES.map(text))).join("\n");
}

function text(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`../browser/${name}`, import.meta.url));
}

/** A failed attempt is not kept. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null;
  return () =>
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
}
