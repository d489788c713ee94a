import { defineAction } from "quickback";
import { z } from "zod";

/** No handler: the service itself makes the move, in one guarded UPDATE. */
export default defineAction({
  description: "Begin a task",
  input: z.object({}),
  access: { roles: ["member+"] },
  transition: {
    field: "status",
    fromTo: { todo: ["doing"] },
    to: "doing",
    idempotent: "noop",
  },
});
