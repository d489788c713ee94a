/** Phase 4: the configuration, and how any definition is spelled (definitions 1, 2). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean, quotedWords, type WayOut, wayOut } from "../wording.ts";

/** Form of each key that an action needs, as it is written. */
const MISSING_FORMS: Readonly<Record<string, string>> = {
  description: 'description: "<one sentence>"',
  access: 'access: { roles: ["member"] }',
  input: "input: z.object({ … }), empty where it takes nothing",
};

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
  VERIFICATION_BY_LOG: row<Record<never, never>>({
    severity: "warning",
    section: "definitions 2",
    title: "Addresses must be confirmed, and the messages for it only go to the log",
    message: () => "requireEmailVerification needs mail, which this project writes to the log",
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
} as const;
