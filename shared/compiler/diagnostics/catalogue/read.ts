/** Phases 1 and 2: which files a project may have, and whether they parse (definitions 1, contract 4.8). */
import { quote } from "../quote.ts";
import { row } from "../row.ts";

const didYouMean = (nearest: string | null, otherwise: string | null): string | null =>
  nearest === null ? otherwise : `Did you mean ${quote(nearest)}?`;

export const READ = {
  CONFIG_MISSING: row<Record<never, never>>({
    severity: "error",
    section: "definitions 1",
    title: "The project has no configuration",
    message: () => "The project has no quickback/quickback.config.ts",
    hint: () => 'Begin with: export default defineConfig({ name: "my-project" })',
  }),
  PATH_REFUSED: row<{ path: string; nearest: string | null }>({
    severity: "error",
    section: "contract 4.8",
    title: "A file stands outside the folders that a project may have",
    message: ({ path }) => `Path ${quote(path)} is not part of a project`,
    hint: ({ path, nearest }) =>
      /^quickback\/definitions\//.test(path)
        ? "Move what stands in quickback/definitions/ up into quickback/: features/<feature>/<table>.ts, actions beside it"
        : didYouMean(
          nearest,
          "Definitions stand in quickback/features/<feature>/, shared code in quickback/lib/, migration state in quickback/drizzle/<database>/meta/",
        ),
  }),
  PATH_SEGMENT_INVALID: row<{ path: string; segment: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A path has a segment with a character that is not allowed, or goes up",
    message: ({ path, segment }) => `Path ${quote(path)} has the invalid segment ${quote(segment)}`,
    hint: () =>
      "Use letters, digits and . _ @ - in file and folder names, relative to the project; no dot at the end",
  }),
  PATH_TOO_LONG: row<{ path: string; limit: number }>({
    severity: "error",
    section: "definitions 1",
    title: "A path is longer than every file system takes",
    message: ({ path, limit }) => `Path ${quote(path)} has more than ${limit} characters`,
    hint: () => "Shorten the names of its folders",
  }),
  PATH_COLLIDES: row<{ path: string; other: string }>({
    severity: "error",
    section: "definitions 1",
    title: "Two paths cannot stand in one folder on every file system",
    message: ({ path, other }) => `Path ${quote(path)} collides with ${quote(other)}`,
    hint: () => "Rename one: names must differ in more than case, and no file can be a folder too",
  }),
  FEATURE_NAME_INVALID: row<{ feature: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A feature folder is not named in kebab-case",
    message: ({ feature }) => `Feature folder ${quote(feature)} is not kebab-case`,
    hint: ({ feature }) => {
      const renamed = feature.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase()
        .replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-$/g, "");
      return renamed === "" ? null : `Rename it to ${quote(renamed)}`;
    },
  }),
  FEATURE_FILE_REFUSED: row<{ path: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 1",
    title: "A code file stands where a feature folder has none",
    message: ({ path }) => `File ${quote(path)} has no role in its feature folder`,
    hint: ({ nearest }) =>
      didYouMean(
        nearest,
        "A feature folder holds <table>.ts files, actions.ts, actions/, handlers/ and lib/",
      ),
  }),
  FILE_TOO_NESTED: row<{ limit: number }>({
    severity: "error",
    section: "contract 4.8",
    title: "A file nests brackets deeper than the compiler reads",
    message: ({ limit }) => `Brackets are nested deeper than ${limit} levels`,
    hint: () => "Move the inner parts into constants of their own",
  }),
  SYNTAX_ERROR: row<{ problem: string }>({
    severity: "error",
    section: "contract 4.8",
    title: "A file is not valid TypeScript",
    message: ({ problem }) => `Syntax error: ${problem}`,
  }),
  FILE_UNPARSABLE: row<Record<string, never>>({
    severity: "error",
    section: "contract 4.8",
    title: "A file is too deep or too long an expression for the parser",
    message: () => "File cannot be parsed: an expression is too deep or too long",
    hint: () => "Split the longest expression into several constants",
  }),
} as const;
