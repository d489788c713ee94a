import { defineActions } from "quickback";
import { z } from "zod";
export default defineActions(null, {
  "year-end": {
    description: "Year end",
    path: "/reports/year-end",
    input: z.object({ year: z.int().min(2000) }),
    access: { roles: ["admin"] },
    invalidates: ["board.changed"],
    execute({ input, invalidate }) {
      invalidate.board.changed({ year: input.year });
      return { year: input.year };
    },
  },
});
