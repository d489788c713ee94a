import { ActionError, defineActions } from "quickback";
import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { wards } from "./wards";

export default defineActions(wards, {
  occupy: {
    description: "Take one free bed",
    input: z.object({ beds: z.int().min(1).default(1) }),
    access: { roles: ["nurse+"], record: { isOpen: { equals: true } } },
    allowRawSql: true,
    execute: async ({ db, record, input, whereRecord }) => {
      const taken = await db.update(wards).set({ free: sql`${wards.free} - ${input.beds}` })
        .where(and(whereRecord(wards), gt(wards.free, input.beds - 1))).returning();
      if (taken.length === 0) throw new ActionError("Full", "WARD_FULL", 409, { free: record.free });
      return { title: record.title.toLowerCase(), free: taken[0]?.free };
    },
  },
  close: {
    description: "Close a ward",
    input: z.object({ reason: z.string() }),
    access: { roles: ["doctor"] },
    handler: "./handlers/close",
  },
  openAll: {
    description: "Open every ward",
    path: "./open-all",
    method: "PUT",
    input: z.object({}),
    access: { roles: ["doctor"] },
    async execute({ db, auditFields }) {
      const rows = await db.update(wards).set({ isOpen: true, ...auditFields })
        .where(eq(wards.isOpen, false)).returning({ id: wards.id });
      return { opened: rows.length };
    },
  },
});
