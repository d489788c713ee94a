import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Cancel an appointment",
  input: z.object({}),
  access: { roles: ["nurse+"] },
  transition: {
    field: "status",
    fromTo: { requested: ["cancelled"], confirmed: ["cancelled"] },
    to: "cancelled",
  },
});
