import { defineAction } from "quickback";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../patients";

export default defineAction({
  description: "Count by hand",
  path: "./counted",
  method: "GET",
  input: z.object({}),
  output: z.object({ patients: z.number() }),
  access: { roles: ["clerk+"] },
  rateLimit: { limit: 2, period: 10 },
  allowRawSql: true,
  execute: async ({ db }) => {
    const [row] = await db.select({ patients: sql<number>`count(*)` }).from(patients);
    return row;
  },
});
