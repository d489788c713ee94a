import { defineAction } from "quickback";
import { like } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../schema";

export default defineAction({
  description: "Find patients",
  path: "./find",
  method: "GET",
  input: z.object({
    name: z.string().max(50).optional(),
    stays: z.array(z.enum(["admitted", "discharged"])).max(3).optional(),
    beds: z.array(z.number()).optional(),
    exact: z.boolean().default(false),
    limit: z.coerce.number().int().min(1).max(10).default(5),
  }).strict(),
  access: { roles: ["clerk+"] },
  rateLimit: { limit: 1000, period: 60 },
  execute: async ({ db, input }) => ({
    asked: input,
    found: await db.select({ name: patients.name, email: patients.email, number: patients.number })
      .from(patients).where(like(patients.name, `${input.name ?? ""}%`)).limit(input.limit),
  }),
});
