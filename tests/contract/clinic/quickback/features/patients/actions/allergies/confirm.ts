import { defineAction } from "quickback";
import { z } from "zod";
import { allergies } from "../../allergies.ts";

export default defineAction({
  description: "Confirm an allergy",
  input: z.object({}),
  output: z.object({ substance: z.string(), isConfirmed: z.boolean() }),
  access: { roles: ["nurse+"], record: { isConfirmed: { equals: false } } },
  execute: async ({ db, record, whereRecord }) => {
    await db.update(allergies).set({ isConfirmed: true }).where(whereRecord(allergies));
    return { substance: record.substance.trim(), isConfirmed: true };
  },
});
