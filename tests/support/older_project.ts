/** A project in the form of the language's first implementation, with the state that drizzle-kit kept of its schema. */
import { fileURLToPath } from "node:url";
import { relative } from "node:path/posix";
import type { RawFiles } from "../../shared/compiler/mod.ts";

/** What drizzle-kit 0.31 (version 6) and 1.0 (version 7) generated from the same schema, in two steps. */
export type KitVersion = 6 | 7;

const DEFINITIONS: RawFiles = {
  "quickback/quickback.config.ts": `/** The atelier's own API. */
import {
  defineConfig,
  defineDatabase,
  defineRuntime,
} from "@quickback/compiler";

export default defineConfig({
  name: "atelier",
  template: "hono",
  features: ["organizations"],
  providers: {
    // Ran on a server of our own.
    runtime: defineRuntime("node", {}),
    database: defineDatabase("better-sqlite3", { generateId: "prefixed" }),
  },
  cms: true, // gone one day
});
`,
  "quickback/definitions/features/projects/projects.ts": `/** Projects: what we are paid for. */
import { feature, q } from '@quickback/compiler';
import { STATES } from "../../lib/states";

export default feature("projects", {
  columns: {
    id:             q.id(),
    name:           q.string().required(), // shown everywhere
    status:         q.enum(STATES).default("draft").required().index(),
    budget:         q.integer().optional(),
    isPublic:       q.bool().default(false).required(),
    organizationId: q.scope("organization"),
  },
  firewall: { organization: {}, softDelete: {} },
  guards: {
    createable: ["name", "status", "budget"],
    updatable:  ["name", "status", "budget", "isPublic"],
  },
  crud: {
    // Everybody reads.
    list: {
      access: { roles: ["owner", "admin", "member"] },
      pageSize: 50,
    },
    get:    { access: { roles: [ 'owner', 'admin', 'member' ] } },
    create: { access: { roles: ["owner", "admin"] } },
    update: { access: { roles: ["owner", "admin"] } },
    delete: { access: { roles: ["owner"] }, mode: "soft" },
  },
  views: {
    short: { fields: ["id", "name"] },
  },
});
`,
  "quickback/definitions/lib/states.ts":
    `export const STATES = ["draft", "open", "closed"] as const;\n`,
  "quickback/definitions/features/tasks/tasks.ts":
    `import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { defineTable } from "@quickback/compiler";
import projects from "../projects/projects";

export const tasks = sqliteTable("tasks", {
  id: text("id").primaryKey(),
  projectId: text("project_id").notNull().references(() => projects.id, { onDelete: "cascade" }),
  title: text("title", { length: 200 }).notNull(),
  code: text("code").notNull().unique(),
  done: integer("done", { mode: "boolean" }).notNull().default(false),
  organizationId: text("organization_id").notNull(),
});

export default defineTable(tasks, {
  guards: { createable: ["projectId", "title", "code"], updatable: ["title", "done"] },
  read: { access: { roles: ["owner", "admin", "member"] } },
  crud: { create: { access: { roles: ["member+"] } }, update: { access: { roles: ["member"] } } },
});

export type Task = typeof tasks.$inferSelect;
`,
  "quickback/definitions/features/tasks/actions.ts": `import { z } from "zod";
import { defineActions } from "@quickback/compiler";
import { tasks } from "./tasks";

export default defineActions(tasks, {
  finish: {
    description: "Marks a task as done.",
    input: z.object({}),
    access: { roles: ["member"] },
    handler: "./handlers/finish",
  },
  countOpen: {
    description: "How much is left.",
    standalone: true, // not on one task
    path: "/tasks/count-open",
    method: "GET",
    input: z.object({}),
    access: { roles: ["member"] },
    handler: "./handlers/count-open",
  },
});
`,
  "quickback/definitions/features/tasks/handlers/finish.ts":
    `import type { ActionExecutor } from "@quickback/types";
import { tasks } from "../schema";

export const execute: ActionExecutor = async ({ db, whereRecord }) => {
  const [task] = await db.update(tasks).set({ done: true }).where(whereRecord(tasks)).returning();
  return { id: task?.id };
};
`,
  "quickback/definitions/features/tasks/handlers/count-open.ts":
    `import type { ActionExecutor } from "@quickback/types";
import { eq } from "drizzle-orm";
import { tasks } from "../schema";

export const execute: ActionExecutor = async ({ db }) => {
  const open = await db.select().from(tasks).where(eq(tasks.done, false));
  return { open: open.length };
};
`,
  "quickback/definitions/features/timeEntries/timeEntries.ts":
    `import { feature, q } from "@quickback/compiler";
import { tasks } from "../tasks/tasks";

export default feature("timeEntries", {
  columns: {
    id: q.id(),
    taskId: q.text().required().references(() => tasks.id, { onDelete: "cascade" }),
    minutes: q.integer().required(),
    note: q.string({ maxLength: 500 }).optional(),
    organizationId: q.scope("organization"),
  },
  guards: { createable: ["taskId", "minutes", "note"] },
  crud: { list: { access: { roles: ["member"] } }, get: { access: { roles: ["member"] } } },
});
`,
  "quickback/definitions/features/labels.ts": `import { feature, q } from "@quickback/compiler";
import { STATES } from "../lib/states";

// Kept short on purpose.
export default feature("labels", {
  columns: { id: q.id(), name: q.text().required(), organizationId: q.scope("organization") },
  guards: { createable: ["name"] },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
});
`,
};

/** All files of the project. */
export async function olderProject(version: KitVersion): Promise<RawFiles> {
  return { ...DEFINITIONS, ...await kitState(version, "quickback/drizzle/features") };
}

/** The files that drizzle-kit wrote, as they stand in this folder. */
export async function kitState(version: KitVersion, folder: string): Promise<RawFiles> {
  const root = fileURLToPath(new URL(`../unit/adoption/input/kit${version}`, import.meta.url));
  const files: Record<string, string> = {};
  const read = async (path: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      const inner = `${path}/${name}`;
      if (isDirectory) await read(inner);
      else files[`${folder}/${relative(root, inner)}`] = await Deno.readTextFile(inner);
    }
  };
  await read(root);
  return files;
}

/** The statements of its migrations, in order: what made the old database. */
export function migrationSql(files: RawFiles): string {
  return Object.keys(files).filter((path) => path.endsWith(".sql")).sort()
    .map((path) => files[path]).join("\n");
}
