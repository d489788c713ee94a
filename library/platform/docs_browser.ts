/** The documentation browsers of `/docs`, read from their npm packages in the package cache. */
import { onceMade } from "../../shared/lib/memo.ts";
import type { DocsBrowser } from "../../shared/runtime/ports.ts";

export type DocsBrowserKind = "browser_modern" | "browser_classic";

interface Files {
  readonly script: URL;
  readonly style: URL;
}

/** Opens a browser. The package is loaded when somebody opens the page, and each file is read once. */
export function docsBrowser(kind: DocsBrowserKind): DocsBrowser {
  const files = onceMade(kind === "browser_modern" ? modernFiles : classicFiles);
  return {
    script: onceMade(async () => await Deno.readFile((await files()).script)),
    style: onceMade(async () => await Deno.readFile((await files()).style)),
  };
}

/** The smallest module of the package. Importing it makes the platform fetch the rest. */
const CLASSIC_MODULE = "swagger-ui-dist/absolute-path.js";

/**
 * Reads the files without importing the package, whose modules need hundreds of others that a project's lock leaves out. The
 * package is present because the platform fetches the packages of an import map at start.
 */
function modernFiles(): Promise<Files> {
  // The stylesheet is a public path of the package. The whole browser is beside it.
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
