import { defineAction } from "quickback";
import { z } from "zod";

/** Resolves a ticket. A resolved one stays as it is. */
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
