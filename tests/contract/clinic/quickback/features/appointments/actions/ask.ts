import { defineAction } from "quickback";
import { z } from "zod";
import { appointments } from "../schema";

export default defineAction({
  description: "Ask for an appointment, without an account",
  path: "./ask",
  input: z.object({ reason: z.string().min(3) }),
  access: { roles: ["PUBLIC"] },
  execute: async ({ db, input }) => {
    const [row] = await db.insert(appointments).values({ reason: input.reason }).returning();
    return { id: row?.id, organizationId: row?.organizationId };
  },
});
