/** The interactive documentation browsers, from their npm packages, read from the package cache. */
import { onceMade } from "../../shared/lib/memo.ts";
import type { DocsBrowser } from "../../shared/runtime/ports.ts";

export type DocsBrowserKind = "browser_modern" | "browser_classic";

interface Files {
  readonly script: URL;
  readonly style: URL;
}

/** The package is not loaded before somebody opens the page, and each file is read once. */
export function docsBrowser(kind: DocsBrowserKind): DocsBrowser {
  const files = onceMade(kind === "browser_modern" ? modernFiles : classicFiles);
  return {
    script: onceMade(async () => await Deno.readFile((await files()).script)),
    style: onceMade(async () => await Deno.readFile((await files()).style)),
  };
}

/** The smallest module of the package: importing it is what makes the platform fetch the rest. */
const CLASSIC_MODULE = "swagger-ui-dist/absolute-path.js";

/**
 * Nothing of the package is imported: its modules want hundreds of others, which a project's lock file leaves out. It is
 * there because an import map's packages are fetched when a program starts.
 */
function modernFiles(): Promise<Files> {
  // The stylesheet is one of the package's public paths, the whole browser stands beside it.
  const folder = import.meta.resolve("@scalar/api-reference/style.css");
  return Promise.resolve({
    script: new URL("./browser/standalone.js", folder),
    style: new URL("./style.css", folder),
  });
}

async function classicFiles(): Promise<Files> {
  await import(CLASSIC_MODULE);
  const folder = import.meta.resolve("swagger-ui-dist/package.json");
  return {
    script: new URL("./swagger-ui-bundle.js", folder),
    style: new URL("./swagger-ui.css", folder),
  };
}
