import { defineAction, z } from "quickback";

export default defineAction({
  description: "Begin the work",
  input: z.object({}),
  access: { roles: ["technician+"] },
  transition: {
    field: "status",
    fromTo: { open: ["inProgress"] },
    to: "inProgress",
    stamp: "startedAt",
  },
});
