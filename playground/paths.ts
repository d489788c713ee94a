/** Files of the page that are fetched by a program, by their paths at the playground's origin. */
export const PATHS = {
  languageWorker: "/language.js",
  library: "/library.json",
  diagram: "/diagram.js",
} as const;
