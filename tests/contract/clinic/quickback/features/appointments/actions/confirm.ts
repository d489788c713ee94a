import { defineAction, TransitionLostError } from "quickback";
import { z } from "zod";
import { appointments } from "../schema";

export default defineAction({
  description: "Confirm an appointment",
  input: z.object({ how: z.enum(["move", "forget", "lose"]).default("move") }),
  access: { roles: ["clerk+"] },
  transition: { field: "status", fromTo: { requested: ["confirmed"] }, to: "confirmed" },
  execute: async ({ db, input, record, whereTransition }) => {
    if (input.how === "lose") throw new TransitionLostError("status", record.status, "confirmed");
    if (input.how === "forget") return { forgotten: true };
    const moved = await db.update(appointments).set({ status: "confirmed" })
      .where(whereTransition(appointments)).returning();
    return { moved: moved.length };
  },
});
