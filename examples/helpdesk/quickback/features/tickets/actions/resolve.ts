import { defineAction } from "quickback";
import { z } from "zod";

/** No handler: the service itself makes the move, in one guarded UPDATE. */
export default defineAction({
  description: "Resolve a ticket",
  input: z.object({}),
  access: { roles: ["agent+"] },
  transition: {
    field: "status",
    fromTo: { open: ["resolved"], pending: ["resolved"] },
    to: "resolved",
    stamp: "resolvedAt",
    idempotent: "noop",
  },
});
