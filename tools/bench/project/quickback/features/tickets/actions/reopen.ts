import { defineAction } from "quickback";
import { z } from "zod";

/** Reopens a ticket. */
export default defineAction({
  description: "Open a ticket again",
  input: z.object({}),
  access: { roles: ["agent+"] },
  transition: {
    field: "status",
    fromTo: { resolved: ["open"] },
    to: "open",
    idempotent: "noop",
  },
});
