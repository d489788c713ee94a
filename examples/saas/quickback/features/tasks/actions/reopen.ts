import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Reopen a completed task",
  input: z.object({}),
  access: { roles: ["member+"] },
  transition: {
    field: "status",
    fromTo: { done: ["todo"] },
    to: "todo",
    clears: ["completedAt"],
  },
});
