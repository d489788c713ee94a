import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Reopen a resolved ticket",
  input: z.object({}),
  access: { roles: ["customer+"] },
  transition: {
    field: "status",
    fromTo: { resolved: ["open"] },
    to: "open",
    clears: ["resolvedAt"],
  },
});
