import { defineAction, z } from "quickback";

export default defineAction({
  description: "Close the order: its items are what the customer pays",
  input: z.object({}),
  access: { roles: ["dispatcher+"] },
  transition: {
    field: "status",
    fromTo: { done: ["invoiced"] },
    to: "invoiced",
  },
});
