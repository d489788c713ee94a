/** A project that keeps the history of its records, and one of every way to change them. */
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Answer, ApiUnderTest, Claims } from "./api.ts";

export const ADMIN: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
export const MEMBER: Claims = { sub: "user_2", orgId: "org_1", roles: ["member"] };
export const OTHER: Claims = { sub: "user_3", orgId: "org_2", roles: ["admin"] };

const ROLES = '{ roles: ["member", "admin"] }';

/** `config` are further members of the configuration; `files` are added, or stand in the place of those here. */
export function historyProject(config = "", files: RawFiles = {}): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "desk", contract: { changeset: true }, ${config} });
`,
    "quickback/features/firms/firms.ts": `import { feature, q } from "quickback";
export default feature("firms", {
  columns: { organizationId: q.scope("organization"), name: q.text().required() },
  guards: false,
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
  delete: { mode: "hard", access: ${ROLES} },
});
`,
    "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
import firms from "../firms/firms";
export default feature("tickets", {
  columns: {
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    firmId: q.text().references(() => firms.id, { onDelete: "cascade" }),
    title: q.text().required(),
    status: q.enum(["open", "closed"]).required().default("open"),
    phone: q.text(),
    secret: q.text(),
    version: q.revision(),
  },
  firewall: { organization: {} },
  guards: false,
  masking: {
    phone: { type: "redact", show: { roles: ["auditor"], or: "owner" } },
    secret: { type: "redact", show: { roles: ["auditor"] } },
  },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
  update: { access: ${ROLES} },
  delete: { access: ${ROLES}, restore: { access: ${ROLES} } },
  audit: true,
});
`,
    "quickback/features/comments/comments.ts": `import { feature, q } from "quickback";
import tickets from "../tickets/tickets";
export default feature("comments", {
  columns: {
    organizationId: q.scope("organization"),
    ticketId: q.text().references(() => tickets.id),
    text: q.text().required(),
  },
  guards: false,
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
  delete: { mode: "hard", access: ${ROLES} },
  audit: { access: { roles: ["member", "admin"] }, keepDays: 30 },
});
`,
    "quickback/features/tickets/actions/close.ts": `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import tickets from "../tickets";

export default defineAction({
  description: "Closes a ticket",
  input: z.object({ fails: z.boolean().default(false) }),
  access: ${ROLES},
  async execute({ db, record, input }) {
    await db.update(tickets).set({ status: "closed" }).where(eq(tickets.id, record.id));
    if (input.fails) throw new Error("No");
    return { closed: true };
  },
});
`,
    ...files,
  };
}

export async function made(
  api: ApiUnderTest,
  path: string,
  body: unknown,
  as = MEMBER,
): Promise<string> {
  const answer = await api.ask(path, { as, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return String(answer.body["id"]);
}

export function historyOf(api: ApiUnderTest, path: string, as = ADMIN): Promise<Answer> {
  return api.ask(`${path}/history`, { as });
}

/** What each change of a page says, newest first. */
export async function changesOf(
  api: ApiUnderTest,
  path: string,
  as = ADMIN,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { status, body, text } = await historyOf(api, path, as);
  if (status !== 200 || !Array.isArray(body["data"])) throw new Error(text);
  return body["data"];
}
