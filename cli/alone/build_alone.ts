/**
 * Writes the page that works without a server: its scripts, the compiler's host, the templates and the runtime as one worker.
 */
import { join } from "node:path";
import { bundleForBrowser } from "../../container/browser_bundle.ts";
import { readCompileHost } from "../../container/host.ts";
import { readTemplates } from "../../container/templates.ts";
import { hostText, pageText } from "../../playground/alone.ts";
import { editorLibrary } from "../types/editor_library.ts";
import { VERSION } from "../version.ts";

const PAGE = "playground/browser";

const SCRIPTS: Readonly<Record<string, string>> = {
  "page.js": `${PAGE}/alone/main.ts`,
  "language.js": `${PAGE}/language/worker.ts`,
  "diagram.js": `${PAGE}/diagram/layout.ts`,
  "compiler.js": `${PAGE}/alone/compile_worker.ts`,
  "api.js": "cli/alone/api_worker.ts",
};

/** Writes the files and returns their number. The folder is created, and files with these names in it are replaced. */
export async function buildAlone(folder: string): Promise<number> {
  await Deno.mkdir(folder, { recursive: true });
  const templates = readTemplates().flatMap(({ kind, name, title, description, files }) =>
    kind === "project" ? [{ name, title, description, files }] : []
  );
  const files: Record<string, string | Uint8Array> = {
    ...await pageText(),
    "host.json": JSON.stringify(hostText(readCompileHost({ version: VERSION }))),
    "templates.json": JSON.stringify(templates),
    "library.json": JSON.stringify(editorLibrary()),
  };
  for (const [name, entry] of Object.entries(SCRIPTS)) files[name] = await bundleForBrowser(entry);
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(join(folder, name), bytes);
  }
  return Object.keys(files).length;
}
