import { defineAction } from "quickback";
import { z } from "zod";
import { periods } from "../periods";

export default defineAction({
  description: "Marks a work as counted",
  input: z.object({}),
  access: { roles: ["curator"] },
  invalidates: ["hall.counted"],
  async execute({ db, invalidate, jobs }) {
    const known = await db.select().from(periods);
    invalidate.hall.counted({ total: known.length });
    await jobs.countVisits.enqueue({ day: "today" });
    return { done: true };
  },
});
