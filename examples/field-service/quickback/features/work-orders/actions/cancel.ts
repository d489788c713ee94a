import { defineAction, z } from "quickback";

export default defineAction({
  description: "Call the work off",
  input: z.object({}),
  access: { roles: ["dispatcher+"] },
  transition: {
    field: "status",
    fromTo: { open: ["cancelled"] },
    to: "cancelled",
  },
});
