import { defineAction, z } from "quickback";

export default defineAction({
  description: "Go on with work that was done",
  input: z.object({}),
  access: { roles: ["dispatcher+"] },
  transition: {
    field: "status",
    fromTo: { done: ["inProgress"] },
    to: "inProgress",
    clears: ["completedAt"],
  },
});
