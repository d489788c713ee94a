import { defineAction } from "quickback";
import { z } from "zod";
import { appointments } from "../schema.ts";

export default defineAction({
  description: "Change an appointment",
  input: z.object({ reason: z.string().min(3) }).strict(),
  access: { roles: ["clerk+"], record: { status: { notEquals: "cancelled" } } },
  execute: async ({ db, input, whereRecord, auditFields }) => {
    await db.update(appointments).set({ reason: input.reason, ...auditFields })
      .where(whereRecord(appointments));
    return { reason: input.reason };
  },
});
