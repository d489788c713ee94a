/** Tasks whose create, update and delete run actions with input, and lists whose delete runs one that needs none. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const action = (input: string, body: string, more = "") =>
  `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { tasks } from "../tasks";

export default defineAction({
  description: "Stands for a verb",
  input: z.object({ ${input} }),
  access: { roles: ["member"] },${more}
  execute: async ({ db, input, record }) => {
    ${body}
  },
});
`;

const table = (name: string, writes: string) =>
  `import { defineTable, q } from "quickback";

export const ${name} = q.table("${name}", {
  id: q.id(),
  organizationId: q.scope("organization"),
  title: q.text().required(),
  reason: q.text(),
});

export default defineTable(${name}, {
  read: { access: { roles: ["member"] } },
  ${writes}
});
`;

const by = (name: string) => `{ access: { roles: ["member"] }, action: "${name}" }`;

const TASKS = "quickback/features/tasks";

export const MAPPED: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "mapped", contract: { changeset: true } };\n`,
  [`${TASKS}/tasks.ts`]: table(
    "tasks",
    `create: ${by("open")},\n  update: ${by("rename")},\n  delete: ${by("drop")},`,
  ),
  [`${TASKS}/actions/open.ts`]: action(
    "title: z.string()",
    `const [made] = await db.insert(tasks).values({ title: input.title }).returning();
    return { id: made?.id ?? "", opened: input.title };`,
    "\n  output: z.object({ id: z.string(), opened: z.string() }),",
  ),
  [`${TASKS}/actions/rename.ts`]: action(
    "to: z.string()",
    `await db.update(tasks).set({ title: input.to }).where(eq(tasks.id, record.id));
    return { renamed: input.to };`,
    "\n  output: z.object({ renamed: z.string() }),",
  ),
  [`${TASKS}/actions/drop.ts`]: action(
    "reason: z.string().min(3)",
    `await db.update(tasks).set({ reason: input.reason }).where(eq(tasks.id, record.id));
    return { dropped: input.reason };`,
    "\n  output: z.object({ dropped: z.string() }),",
  ),
  "quickback/features/lists/lists.ts": table(
    "lists",
    `create: { access: { roles: ["member"] } },
  guards: { createable: ["title"] },
  delete: ${by("shelve")},`,
  ),
  "quickback/features/lists/actions/shelve.ts": action(
    'shelf: z.string().default("top")',
    `await db.update(tasks).set({ reason: input.shelf }).where(eq(tasks.id, record.id));
    return { shelf: input.shelf };`,
    "\n  output: z.object({ shelf: z.string() }),",
  ).replaceAll("tasks", "lists"),
};
