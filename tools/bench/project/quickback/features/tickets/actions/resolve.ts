import { defineAction } from "quickback";
import { z } from "zod";

/** Moves a ticket on; one that is there already stays. */
export default defineAction({
  description: "Resolve a ticket",
  input: z.object({}),
  access: { roles: ["agent+"] },
  transition: {
    field: "status",
    fromTo: { open: ["resolved"] },
    to: "resolved",
    idempotent: "noop",
  },
});
