/** Lists the codes of phase 4 about the configuration, and about the spelling of any definition (definitions 1, 2). */
import { row } from "../diagnostic.ts";
import { didYouMean, quote, quotedWords, type WayOut, wayOut } from "../wording.ts";

/** Form of each key that an action needs, as an author writes it. */
const MISSING_FORMS: Readonly<Record<string, string>> = {
  description: 'description: "<one sentence>"',
  access: 'access: { roles: ["member"] }',
  input: "input: z.object({ … }), empty where it takes nothing",
};

const TENANCY_NEEDS = {
  organizations: {
    message: "needs organizations, which this project has off",
    hint: 'Set features.organizations to true, or write tenancy: "shared"',
  },
  libsql: {
    message: "needs libSQL",
    hint: 'Write defineDatabase("libsql", …), or tenancy: "shared"',
  },
  deno: {
    message: "is not served on this runtime",
    hint: 'Write defineRuntime("deno"), or tenancy: "shared"',
  },
} as const;

export const PROJECT = {
  UNKNOWN_KEY: row<{ key: string; owner: string } & WayOut>({
    severity: "error",
    section: "definitions 2",
    title: "A definition has a key that does not exist",
    message: ({ key, owner }) => `Unknown key ${quote(key)} in ${owner}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  KEY_WITHOUT_MEANING: row<{ key: string; owner: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "A key of another implementation of the language has no meaning here",
    message: ({ key, owner }) => `Key ${quote(key)} in ${owner} has no meaning here`,
    hint: () => "It is passed over; remove it, or keep it for the other implementation",
  }),
  KEY_REPLACED: row<{ key: string; owner: string; instead: string }>({
    severity: "error",
    section: "definitions 4",
    title: "An older key is used where another one stands now",
    message: ({ key, owner, instead }) => `Key ${quote(key)} in ${owner} is now ${quote(instead)}`,
    hint: ({ instead }) => `Move it to ${quote(instead)}`,
  }),
  KEY_MISSING: row<{ key: string; owner: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A required key is missing",
    message: ({ key, owner }) => `Key ${quote(key)} is missing in ${owner}`,
    hint: ({ key }) => Object.hasOwn(MISSING_FORMS, key) ? `Add ${MISSING_FORMS[key]}` : null,
  }),
  KEY_TWICE: row<{ key: string; other: string }>({
    severity: "error",
    section: "definitions 4",
    title: "One thing is configured in two places",
    message: ({ key, other }) => `Key ${quote(key)} repeats ${quote(other)}`,
    hint: () => "Keep one of the two",
  }),
  VALUE_TYPE: row<{ path: string; expected: string; found: string; form: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "A value is of the wrong kind",
    message: ({ path, expected, found }) => `${quote(path)} is ${found}, expected ${expected}`,
    hint: ({ form }) => form,
  }),
  VALUE_INVALID: row<{ path: string; expected: string; found: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A value is out of its range or form",
    message: ({ path, expected, found }) => `${quote(path)} is ${found}, expected ${expected}`,
  }),
  VALUE_UNKNOWN: row<
    { path: string; found: string; options: string; nearest: string | null; form: string | null }
  >({
    severity: "error",
    section: "definitions 2",
    title: "A value is none of those that exist",
    message: ({ path, found, options }) => `${quote(path)} is ${found}, expected ${options}`,
    hint: ({ form, nearest }) => form ?? didYouMean({ nearest }),
  }),
  LISTED_TWICE: row<{ name: string; path: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A list names one thing twice",
    message: ({ name, path }) => `${quote(name)} stands twice in ${quote(path)}`,
    hint: () => "Remove one of the two",
  }),
  ARGUMENTS: row<{ callee: string; expected: string; form?: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "A function of the language is called with other arguments than it takes",
    message: ({ callee, expected }) => `Arguments of ${callee} are wrong, expected ${expected}`,
    hint: ({ form = null }) => form,
  }),
  FEATURES_UNCLEAR: row<Record<never, never>>({
    severity: "error",
    section: "definitions 2",
    title: "A list of features leaves open whether the project has organizations",
    message: () => '"features" is a list without "organizations"',
    hint: () =>
      "Write features: { organizations: false } for one tenant, { organizations: true } for many",
  }),
  FILE_STORAGE_SETTING: row<Record<never, never>>({
    severity: "warning",
    section: "definitions 2",
    title: "The store of files is named in the definitions",
    message: () => '"providers.fileStorage" has no meaning here',
    hint: () => "The store is a matter of where the API runs: set STORAGE_URL there",
  }),
  RATE_RULES_IGNORED: row<{ limits: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "Rate limits of single account routes have no meaning here",
    message: () => '"rateLimit.customRules" has no meaning here',
    hint: ({ limits }) => `What holds: ${limits}`,
  }),
  DOCS_WITHOUT_PUBLISH: row<Record<never, never>>({
    severity: "error",
    section: "definitions 2",
    title: "The API browser is on while the description is not published",
    message: () => '"openapi.docs" needs a published description, "openapi.publish" is false',
    hint: () => 'Set "publish" to "authenticated", "admin" or "public", or "docs" to false',
  }),
  OAUTH_WITHOUT_TOKENS: row<{ reason: string }>({
    severity: "error",
    section: "definitions 2",
    title: "An authorization server is on where the API issues no tokens of its own",
    message: ({ reason }) => `"agents.oauth" needs bearer tokens of this API, and ${reason}`,
    hint: () => 'Write auth: { jwt: {} } without "issuer", or leave "oauth" out',
  }),
  PACKAGE_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A dependency is not the name of an npm package",
    message: ({ name }) => `Dependency ${quote(name)} is not a package name`,
    hint: () => 'Write the bare npm name, such as "date-fns" or "@scope/name"',
  }),
  RATE_OPERATION_UNKNOWN: row<{ operation: string; nearest: string | null }>({
    severity: "error",
    section: "contract 8.1",
    title: "A rate limit names an operation that has none",
    message: ({ operation }) =>
      `Unknown operation ${quote(operation)} in rateLimit, expected read, create, update or delete`,
    hint: didYouMean,
  }),
  WORKER_LACKS: row<{ feature: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "A worker of the edge platform does not have what the project asks for",
    message: ({ feature }) => `A worker has no ${feature}`,
    hint: () => "The same output serves it on a server: deno task start",
  }),
  WRANGLER_INVALID: row<Record<never, never>>({
    severity: "error",
    section: "definitions 1",
    title: "The settings of the worker are no TOML",
    message: () => '"wrangler.toml" is not valid TOML',
  }),
  WRANGLER_CONFLICT: row<{ key: string; wanted: string }>({
    severity: "error",
    section: "definitions 1",
    title: "The settings of the worker say otherwise than the generated worker needs",
    message: ({ key, wanted }) => `${quote(key)} of "wrangler.toml" must say: ${wanted}`,
    hint: () => "Remove the key, and the compile adds it; or say the same",
  }),
  FEATURE_NOT_SERVED: row<{ feature: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "A feature is configured that this version of the service does not serve",
    message: ({ feature }) => `${feature} is checked but not served by this version`,
    hint: () => "The generated API has no routes for it",
  }),
  VERIFICATION_BY_LOG: row<{ key: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "Accounts need messages, and this project writes them to the log",
    message: ({ key }) => `${key} needs mail, which this project writes to the log`,
    hint: () =>
      'Write email: { provider: "smtp", from: "app@example.com" }: it does not start in production without',
  }),
  DATABASE_NOT_SERVED: row<{ provider: string; unset: readonly string[] }>({
    severity: "warning",
    section: "definitions 2",
    title: "The database lacks transactions that an API needs; the output uses a libSQL server",
    message: ({ provider }) =>
      `${quote(provider)} is not served: the generated API keeps its data in a libSQL server`,
    hint: ({ unset }) =>
      unset.length === 0
        ? 'Write defineDatabase("libsql")'
        : `Set ${unset.join(" and ")} where it runs, and write defineDatabase("libsql")`,
  }),
  TENANCY_NOT_POSSIBLE: row<{ needs: keyof typeof TENANCY_NEEDS }>({
    severity: "error",
    section: "definitions 2",
    title: "A database for each organization does not fit the rest of the configuration",
    message: ({ needs }) => `A database for each organization ${TENANCY_NEEDS[needs].message}`,
    hint: ({ needs }) => TENANCY_NEEDS[needs].hint,
  }),
  TENANCY_FOREIGN_KEY: row<{ column: string; table: string; target: string; tenant: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A foreign key leads from an organization's database to the directory, or back",
    message: ({ column, table, target, tenant }) =>
      `${quote(column)} refers from ${quote(table)} to ${quote(target)}: rows of ${
        quote(tenant)
      } stand in a database for each organization, the others in the directory`,
    hint: () =>
      "Give both tables an organization's scope or neither, or keep the id without .references()",
  }),
  TENANCY_REFERENCE: row<{ field: string; action: string; target: string }>({
    severity: "error",
    section: "definitions 2",
    title: "An action names records of another database than its own",
    message: ({ field, action, target }) =>
      `Input ${quote(field)} of ${quote(action)} names records of ${
        quote(target)
      }, which stand in another database than those of the action`,
    hint: () => "Take the id without refs; the action's own database does not hold the record",
  }),
} as const;

/** Codes of phases 1 and 2 about the files of a project and their syntax (definitions 1, contract 4.8). */
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
        ? "Move what stands in quickback/definitions/ up into quickback/, as quickback adopt does: features/<feature>/<table>.ts, actions beside it"
        : didYouMean({ nearest }) ??
          "Definitions stand in quickback/features/<feature>/, shared code in quickback/lib/, migration state in quickback/drizzle/<database>/meta/",
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
      didYouMean({ nearest }) ??
        "A feature folder holds <table>.ts files, actions.ts, actions/, handlers/ and lib/",
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
