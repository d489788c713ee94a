import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Marks a work as counted",
  input: z.object({}),
  access: { roles: ["curator"] },
  invalidates: ["hall.counted"],
  execute({ invalidate }) {
    invalidate.hall.counted({ total: 1 });
    return { done: true };
  },
});
