import { defineAction } from "quickback";
import { count } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../schema";

export default defineAction({
  description: "Count patients of a named house, as far as one may name it",
  path: "./near",
  input: z.object({ organizationId: z.string() }),
  access: { roles: ["clerk+"] },
  unsafe: { reason: "Handover" },
  execute: async ({ unsafeDb, input }) => {
    const db = unsafeDb.scopeTo({ organizationId: input.organizationId });
    return (await db.select({ patients: count() }).from(patients))[0];
  },
});
