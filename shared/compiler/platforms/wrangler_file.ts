/**
 * Writes `wrangler.toml` of an output (definitions 1): the author's text unchanged, with missing settings around it. A setting
 * that contradicts the worker's needs is a mistake.
 */
import { parse, stringify, TomlError } from "smol-toml";
import { FAILED_ATTEMPTS, rateBindingName, type RateLimit } from "../../contract/mod.ts";
import { outboxesOf, type ProjectModel } from "../../model/mod.ts";

type WranglerFile =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "invalid"; readonly line: number; readonly column: number }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

interface Conflict {
  /** Key of the setting: `build.command`. */
  readonly key: string;
  /** The required value, as TOML. */
  readonly wanted: string;
}

const BEGIN = "# quickback: every compile writes the lines up to its end anew; yours stand outside";
const END = "# quickback: end";

/** Returns the file. `given` is the author's own file, or an output's, whose additions by an earlier compile are removed. */
export function wranglerFile(model: ProjectModel, given: string | null): WranglerFile {
  // Lines of the file; null: an earlier compile wrote the line. A block that begins and never ends is the author's.
  const lines: (string | null)[] = (given ?? "").split("\n");
  let begun: number | null = null;
  for (const [index, line] of [...lines.entries()]) {
    const mark = line?.trimEnd();
    if (mark === BEGIN) begun ??= index;
    if (mark !== END || begun === null) continue;
    lines.fill(null, begun, index + 1);
    begun = null;
  }
  // Added lines become blank, so that mistakes keep their place.
  const read = parsed(lines.map((line) => line ?? "").join("\n"));
  if (read.kind === "invalid") return read;
  const { suggested, tables: suggestedTables, required, rateLimits } = workerSettings(model);
  // An environment inherits the settings that it does not contain.
  const { env } = read.table;
  const conflicts = [
    ...required.flatMap((value) => conflictOf(value, read.table)),
    ...Object.entries(isTable(env) ? env : {}).flatMap(([name, table]) =>
      isTable(table)
        ? required.flatMap((value) => conflictOf(value, table))
          .map(({ key, wanted }) => ({ key: `env.${name}.${key}`, wanted }))
        : []
    ),
    ...Object.hasOwn(read.table, "ratelimits")
      ? [{ key: "ratelimits", wanted: "no ratelimits: the project's rateLimit makes them" }]
      : [],
  ];
  if (conflicts.length > 0) return { kind: "conflicts", conflicts };
  const missing = required.filter(({ path }) => valueAt(read.table, path) === undefined);
  const roots = {
    ...absent(suggested, read.table),
    ...Object.fromEntries(
      missing.flatMap(({ path: [key, nested], value }) =>
        nested === undefined ? [[key, value]] : []
      ),
    ),
  };
  const tables = {
    ...absent(suggestedTables, read.table),
    ...Object.fromEntries(
      missing.flatMap(({ path: [key, nested], value }) =>
        nested === undefined ? [] : [[key, { [nested]: value }]]
      ),
    ),
    ratelimits: rateLimits.map(({ limit, period }, index) => ({
      name: rateBindingName({ limit, period }),
      namespace_id: String(FIRST_NAMESPACE + index),
      simple: { limit, period },
    })),
  };
  // Keys of the root must precede every table.
  const own = lines.filter((line) => line !== null).join("\n");
  const parts = [written(roots), own, written(tables)].map((part) => part.trim());
  return { kind: "merged", text: parts.filter((part) => part !== "").join("\n\n") + "\n" };
}

/**
 * Returns the names of the variables that the author's file sets; none for a file that is no TOML, which is reported elsewhere.
 */
export function workerVariables(given: string | null): readonly string[] {
  const read = parsed(given ?? "");
  if (read.kind === "invalid") return [];
  const { vars } = read.table;
  return isTable(vars) ? Object.keys(vars) : [];
}

function written(settings: TomlTable): string {
  if (Object.keys(settings).length === 0) return "";
  return `${BEGIN}\n${stringify(settings).trim()}\n${END}`;
}

function parsed(
  text: string,
): { readonly kind: "parsed"; readonly table: TomlTable } | WranglerFile & { kind: "invalid" } {
  try {
    return { kind: "parsed", table: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { kind: "invalid", line: error.line, column: error.column };
  }
}

function conflictOf({ path, value }: RequiredValue, table: TomlTable): readonly Conflict[] {
  const present = valueAt(table, path);
  const key = path.join(".");
  const wanted = stringify({ [path.at(-1) ?? ""]: value }).trim();
  // An existing table cannot be opened a second time.
  if (present === undefined) {
    return path.length > 1 && Object.hasOwn(table, path[0]) ? [{ key, wanted }] : [];
  }
  const isRight = typeof value === "object"
    ? Array.isArray(present) && value.every((member) => present.includes(member))
    : present === value;
  return isRight ? [] : [{ key, wanted }];
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueAt(table: TomlTable, path: RequiredValue["path"]): unknown {
  let value: unknown = table;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = new Map(Object.entries(value)).get(key);
  }
  return value;
}

function absent(suggested: TomlTable, table: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(suggested).filter(([key]) => !Object.hasOwn(table, key)),
  );
}

/** First number of a namespace. An account chooses the numbers of its namespaces. */
const FIRST_NAMESPACE = 1001;

/** Computes the settings of `wrangler.toml` that the generated worker needs to run (definitions 2, `providers.runtime`). */
type TomlTable = Readonly<Record<string, unknown>>;

interface WorkerSettings {
  /** Root settings that an author may change. */
  readonly suggested: TomlTable;
  /** Tables that an author may change. They follow every key of the root. */
  readonly tables: TomlTable;
  /** Settings that must have these values, by key. */
  readonly required: readonly RequiredValue[];
  /** Limits that the platform counts, by the name of the binding. */
  readonly rateLimits: readonly RateLimit[];
}

interface RequiredValue {
  /** Path from the root: `["build", "command"]`. */
  readonly path: readonly [string] | readonly [string, string];
  /** Required value. A list needs these members, and may have others. */
  readonly value: string | boolean | readonly string[];
}

export const WORKER_FILE = "dist/worker.js";
const COMPATIBILITY_DATE = "2026-10-01";
const EVERY_MINUTE = "* * * * *";

function workerSettings(model: ProjectModel): WorkerSettings {
  const ticks = outboxesOf(model).some(({ dials }) => !dials);
  // Collects every limit of the project once, the strictest first.
  const { rateLimits, resources } = model;
  const all = [rateLimits, ...resources.map((resource) => resource.rateLimits)]
    .flatMap((limits) => Object.values(limits))
    .filter((limit) => limit !== null);
  const distinct = new Map([...all, FAILED_ATTEMPTS].map((one) => [rateBindingName(one), one]));
  return {
    suggested: {
      name: model.name,
      compatibility_date: model.worker?.compatibilityDate ?? COMPATIBILITY_DATE,
      ...(model.worker?.routes ? { routes: model.worker.routes } : {}),
    },
    tables: {
      ...(model.worker?.observability ? { observability: model.worker.observability } : {}),
      ...(model.worker?.placement ? { placement: model.worker.placement } : {}),
    },
    required: [
      { path: ["main"], value: WORKER_FILE },
      { path: ["no_bundle"], value: true },
      // Enables asynchronous context, in which the account library stores its requests.
      { path: ["compatibility_flags"], value: ["nodejs_compat"] },
      { path: ["build", "command"], value: "deno task build" },
      ...(ticks ? [{ path: ["triggers", "crons"], value: [EVERY_MINUTE] } as const] : []),
    ],
    rateLimits: [...distinct.values()].sort((a, b) => a.limit - b.limit || a.period - b.period),
  };
}
