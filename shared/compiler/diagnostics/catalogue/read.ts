/** Phases 1 and 2: which files a project may have, and whether they parse (definitions 1, contract 4.8). */
import { row } from "../row.ts";

export const READ = {
  PATH_REFUSED: row<{ path: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A file stands outside the folders that a project may have",
    message: ({ path }) => `Path ${JSON.stringify(path)} is not part of a project`,
    hint: () => "Definitions stand under quickback/: see the project layout",
  }),
} as const;
