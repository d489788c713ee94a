import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Say that one will come, without an account",
  input: z.object({}),
  access: { roles: ["PUBLIC"] },
  execute: ({ record, ctx }) => ({ reason: record.reason, by: ctx.userId, at: ctx.organizationId }),
});
