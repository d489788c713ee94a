import { defineAction } from "@quickback/compiler";
import { z } from "zod";

export default defineAction({
  description: "Close a job",
  input: z.object({ reason: z.string().min(1).max(200).optional(), noteId: z.string().optional() }),
  output: z.object({ id: z.string() }),
  access: { roles: ["member"], record: { status: { notEquals: "closed" } } },
  transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", stamp: "closedAt" },
  refs: { noteId: "notes" },
  handler: "../handlers/close",
});
