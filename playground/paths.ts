/** Files of the page that are fetched by a program, by their addresses beside the page. */
export const PATHS = {
  languageWorker: "./language.js",
  library: "./library.json",
  diagram: "./diagram.js",
  /** Of a page without a server. */
  compiler: "./compiler.js",
  host: "./host.json",
  templates: "./templates.json",
  sandbox: "./sandbox.html",
  api: "./api.js",
} as const;
