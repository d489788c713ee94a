/** Settings of `wrangler.toml` that the generated worker needs to run (definitions 2, `providers.runtime`). */
import { FAILED_ATTEMPTS, rateBindingName, type RateLimit } from "../../../contract/limits.ts";
import type { ProjectModel } from "../../../model/project.ts";

export type TomlTable = Readonly<Record<string, unknown>>;

interface WorkerSettings {
  /** Root settings that an author may change. */
  readonly suggested: TomlTable;
  /** The same, as tables: they stand below every key of the root. */
  readonly tables: TomlTable;
  /** Settings that must have these values, by key. */
  readonly required: readonly RequiredValue[];
  /** Limits that the platform counts, by the name of the binding. */
  readonly rateLimits: readonly RateLimit[];
}

export interface RequiredValue {
  /** From the root: `["build", "command"]`. */
  readonly path: readonly [string] | readonly [string, string];
  /** A list needs these members, and may have others. */
  readonly value: string | boolean | readonly string[];
}

export const WORKER_FILE = "dist/worker.js";
const COMPATIBILITY_DATE = "2026-10-01";
const EVERY_MINUTE = "* * * * *";

export function workerSettings(model: ProjectModel): WorkerSettings {
  const { inbound } = model.webhooks;
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
      // Asynchronous context, in which the account library keeps its requests.
      { path: ["compatibility_flags"], value: ["nodejs_compat"] },
      { path: ["build", "command"], value: "deno task build" },
      ...(inbound.length > 0
        ? [{ path: ["triggers", "crons"], value: [EVERY_MINUTE] } as const]
        : []),
    ],
    rateLimits: rateLimitsOf(model),
  };
}

/** Every limit of the project once, the strictest first. */
function rateLimitsOf({ rateLimits, resources }: ProjectModel): readonly RateLimit[] {
  const all = [rateLimits, ...resources.map((resource) => resource.rateLimits)]
    .flatMap((limits) => Object.values(limits))
    .filter((limit) => limit !== null);
  const distinct = new Map([...all, FAILED_ATTEMPTS].map((one) => [rateBindingName(one), one]));
  return [...distinct.values()].sort((a, b) => a.limit - b.limit || a.period - b.period);
}
