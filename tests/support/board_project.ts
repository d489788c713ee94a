/** A tenant's board: cards with masks and row conditions, comments below them, and actions that write and signal. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const CARDS = "quickback/features/cards";

const action = (body: string) =>
  `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { cards } from "../schema";

export default defineAction({ description: "Do it", access: { roles: ["member", "admin"] },
  ${body}
});
void [eq, cards];
`;

export interface BoardOptions {
  readonly realtime?: string;
  readonly cards?: string;
}

export function board(
  { realtime = "enabled: true", cards = "realtime: true," }: BoardOptions = {},
): RawFiles {
  return {
    "quickback/quickback.config.ts":
      `export default { name: "board", realtime: { ${realtime} }, contract: { changeset: true } };\n`,
    [`${CARDS}/cards.ts`]: `import { feature, q } from "quickback";
export default feature("cards", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    state: q.enum(["open", "done"]).required().default("open"),
    secrecy: q.enum(["low", "high"]).required().default("low"),
    email: q.text(),
    points: q.real(),
    tags: q.json(),
    urgent: q.bool(),
    notes: q.text(),
    version: q.revision(),
  },
  guards: {
    createable: ["title", "secrecy", "email", "points", "tags", "urgent", "notes"],
    updatable: ["title", "secrecy", "email", "points", "urgent", "notes"],
    protected: { state: ["finish"] },
  },
  masking: {
    email: { type: "email", show: { roles: ["admin"], or: "owner" } },
    notes: { type: "redact", show: { roles: ["admin"] } },
  },
  read: { access: { or: [
    { roles: ["admin"] },
    { roles: ["member"], record: { secrecy: { equals: "low" } } },
  ] } },
  create: { access: { roles: ["member", "admin"] } },
  update: { access: { roles: ["member", "admin"] } },
  delete: { access: { roles: ["member", "admin"] } },
  ${cards}
});
`,
    [`${CARDS}/comments.ts`]: `import { feature, q } from "quickback";
import cards from "./cards.ts";
export default feature("comments", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    cardId: q.text().required().references(() => cards.id),
    body: q.text().required(),
  },
  guards: false,
  read: { access: { roles: ["member", "admin"] } },
  create: { access: { roles: ["member", "admin"] } },
  delete: { access: { roles: ["member", "admin"] }, mode: "hard" },
  realtime: { onUpdate: false, fields: ["body"] },
});
`,
    [`${CARDS}/actions/finish.ts`]: action(`input: z.object({}),
  transition: { field: "state", fromTo: { open: ["done"] }, to: "done" },`),
    [`${CARDS}/actions/rename.ts`]: action(
      `input: z.object({ title: z.string(), fails: z.boolean().optional() }),
  invalidates: ["board.changed", "board.asked", "board.mine"],
  execute: async ({ db, record, input, invalidate }) => {
    await db.update(cards).set({ title: input.title }).where(eq(cards.id, record.id));
    invalidate.board.changed({ cardId: record.id, title: input.title, secret: "s" });
    invalidate.board.asked({ cardId: record.id, who: input.title.split(",") });
    invalidate.board.mine({ cardId: record.id });
    if (input.fails) throw new Error("No");
    return {};
  },`,
    ),
    [`${CARDS}/actions/moveUp.ts`]: action(
      `input: z.object({}), output: z.object({ title: z.string() }),
  execute: ({ record }) => ({ title: record.title }),`,
    ),
    [`${CARDS}/actions/countAll.ts`]: action(
      `path: "./count", input: z.object({}), output: z.object({ count: z.number() }),
  execute: async ({ db }) => ({ count: (await db.select().from(cards)).length }),`,
    ),
    "quickback/services/realtime.ts": `import { defineRealtime } from "quickback";

const known = (who: unknown): readonly string[] => {
  if (!Array.isArray(who)) throw new Error("Nobody was asked");
  return who.filter((one) => one !== "").map(String);
};

export default defineRealtime({
  board: {
    changed: { keys: ["cardId", "title"], audience: { scope: "organization" } },
    asked: {
      keys: ["cardId"],
      audience: {
        scope: "organization",
        roles: ["admin"],
        recipients: (_ctx, payload) => {
          if (String(payload["who"]).startsWith("throw")) throw new Error("broken");
          return known(payload["who"]);
        },
      },
    },
    mine: { keys: [], audience: { scope: "user" } },
  },
});
`,
  };
}
