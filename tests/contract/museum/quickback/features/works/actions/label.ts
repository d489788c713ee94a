import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { works } from "../schema";

export default defineAction({
  description: "Tell visitors about the work with this tag",
  path: "./tags/:tag",
  method: "GET",
  input: z.object({ tag: z.string() }),
  output: z.object({ title: z.string().nullable() }),
  access: { roles: ["PUBLIC"] },
  tenantOf: { table: "works", column: "tag", input: "tag" },
  execute: async ({ db, input }) => {
    const [work] = await db.select({ title: works.title }).from(works)
      .where(eq(works.tag, input.tag));
    return { title: work?.title ?? null };
  },
});
