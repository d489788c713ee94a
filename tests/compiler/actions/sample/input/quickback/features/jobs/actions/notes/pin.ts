import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Pin",
  input: z.object({ rank: z.int() }),
  access: { roles: ["member"] },
  execute: async ({ record, input }) => ({ body: record.body.toUpperCase(), rank: input.rank + 1 }),
});
