import { defineAction } from "quickback";
import { z } from "zod";
import { jobs } from "../jobs.ts";
export default defineAction({
  description: "Count jobs",
  path: "./stats",
  method: "GET",
  input: z.object({ since: z.string().datetime().optional() }),
  access: { roles: ["member"] },
  execute: async ({ db, services }) => ({
    count: (await db.select().from(jobs)).length,
    all: await services.jobCounts.all(),
  }),
});
