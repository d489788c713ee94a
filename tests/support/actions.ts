/** Runs the compiler's first four phases over a project of one resource and its actions. */
import type { ActionModel } from "../../shared/model/action.ts";
import { type Analyzed, analyzed, CONFIG_FILE, type Files, JOBS_FILE, toldOf } from "./analysis.ts";
import { assertEquals } from "./assert.ts";

export const ACTION_FILE = "quickback/features/jobs/actions/close.ts";

const JOBS = `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(["open", "paused", "closed"]).required().default("open"),
    closedAt: q.timestamp(),
    reason: q.text(),
    amount: q.int(),
  },
  guards: { createable: ["title"], protected: { status: ["close"] } },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
  transitions: { status: { open: ["closed", "paused"], paused: ["open"] } },
});
`;

export const SIGNALS_FILE = "quickback/services/realtime.ts";

const SIGNALS = `import { defineRealtime } from "quickback";
export default defineRealtime({
  board: { changed: { keys: ["id"], audience: { scope: "organization" } } },
});
`;

export const PLAIN_ACTION = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Close",
  input: z.object({}),
  access: { roles: ["member"] },
  execute: () => ({}),
});
`;

export interface ProjectOptions {
  readonly contract?: "v1" | "v2";
  /** Null: the compile is in the same process as the definitions. */
  readonly inputSchemas?: Readonly<Record<string, unknown>> | null;
  /** What stands below the action in its file. */
  readonly below?: string;
}

/** The files beside the configuration and the resource. */
export function withActions(files: Files, options: ProjectOptions = {}): Analyzed {
  const version = options.contract ?? "v1";
  const config =
    `export default { name: "sample", contract: { version: "${version}" }, realtime: { enabled: true } };\n`;
  const all = {
    [CONFIG_FILE]: config,
    [JOBS_FILE]: JOBS,
    [ACTION_FILE]: PLAIN_ACTION,
    [SIGNALS_FILE]: SIGNALS,
    ...files,
  };
  return analyzed(all, options.inputSchemas ?? null);
}

/** The action `close`, a complete one but for what `source` says; that begins at line 4. */
export function withAction(source: string, options: ProjectOptions = {}): Analyzed {
  const said = (key: string) => new RegExp(`(^|[\\s{,])${key}\\b`).test(source);
  const rest = [
    ["description", 'description: "Close",'],
    ["input", "input: z.object({ id: z.string(), count: z.int(), to: z.enum(['closed']) }),"],
    ["access", 'access: { roles: ["member"] },'],
    ["execute", "execute: () => ({}),"],
  ].filter(([key = ""]) => !said(key) && !(key === "execute" && /handler|transition/.test(source)));
  const text = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
${source}
${rest.map(([, line]) => line).join(" ")}
});
${options.below ?? ""}`;
  return withActions({ [ACTION_FILE]: text }, options);
}

/** The action `close`, from definitions without errors. */
export function closeAction(result: Analyzed): ActionModel {
  assertEquals(toldOf(result.errors), []);
  const action = result.model?.actions.find(({ key }) => key === "jobs.close");
  if (!action) throw new Error("There is no action jobs.close");
  return action;
}
