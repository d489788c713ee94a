import { defineActions } from "quickback";
import { count } from "drizzle-orm";
import { z } from "zod";
import { patients } from "../patients/schema";
import { NAME } from "./lib/name";

export default defineActions(null, {
  load: {
    description: "How full the house is",
    path: "./load",
    method: "GET",
    input: z.object({ factor: z.number().default(1) }),
    output: z.object({ name: z.string(), patients: z.number() }),
    access: { roles: ["clerk+"] },
    execute: async ({ db, input }) => {
      const [row] = await db.select({ patients: count() }).from(patients);
      return { name: NAME, patients: (row?.patients ?? 0) * input.factor };
    },
  },
  ping: {
    description: "Whether anybody is there",
    path: "/ping",
    input: z.object({}),
    access: { roles: ["PUBLIC"] },
    execute: () => ({ pong: true }),
  },
});
