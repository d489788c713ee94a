/** Addresses, relative to the page, of files that scripts fetch. */
export const PATHS = {
  languageWorker: "./language.js",
  library: "./library.json",
  diagram: "./diagram.js",
  /** Files of a page without a server. */
  compiler: "./compiler.js",
  host: "./host.json",
  templates: "./templates.json",
  sandbox: "./sandbox.html",
  api: "./api.js",
} as const;
