import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../schema";

export default defineAction({
  description: "Forget a patient's address",
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  unsafe: { reason: "Right to erasure", adminOnly: true },
  execute: async ({ unsafeDb, record }) => {
    await unsafeDb.update(patients).set({ email: null }).where(eq(patients.id, record.id));
    return { erased: record.id };
  },
});
