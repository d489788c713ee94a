import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Reopen",
  input: z.object({}),
  access: { roles: ["member"] },
  transition: { field: "status", fromTo: { closed: ["open"] }, to: "open", clears: ["closedAt"] },
});
