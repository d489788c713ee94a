import { ActionError, defineAction } from "quickback";
import { count } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../schema";

export default defineAction({
  description: "Count patients of any house",
  path: "/houses/count",
  input: z.object({
    organizationId: z.string().optional(),
    mode: z.enum(["count", "both", "write", "own", "crash"]).default("count"),
  }),
  access: { roles: ["AUTHENTICATED"] },
  unsafe: { reason: "Inspection", crossTenant: true, targetScope: "all" },
  execute: async ({ unsafeDb, input, ctx }) => {
    const { organizationId } = input;
    const db = organizationId === undefined ? unsafeDb : unsafeDb.scopeTo({ organizationId });
    if (input.mode === "both") {
      await unsafeDb.scopeTo({ organizationId: "org_a" }).select().from(patients);
    }
    if (!["count", "both"].includes(input.mode)) await db.update(patients).set({ note: "inspected" });
    if (input.mode === "own") throw new ActionError("Enough", "ENOUGH", 409);
    if (input.mode === "crash") throw new Error("a secret");
    const [row] = await db.select({ patients: count() }).from(patients);
    return { ...row, by: ctx.userRole };
  },
});
