import { defineAction } from "../../../../authoring/tables/jobs.ts";
import { z } from "zod";
export default defineAction({
  description: "Reopen",
  input: z.object({}),
  access: { roles: ["member"] },
  transition: { field: "status", fromTo: { closed: ["open"] }, to: "open", clears: ["closedAt"] },
});
