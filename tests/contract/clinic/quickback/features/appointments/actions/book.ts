import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Book an appointment",
  input: z.object({ patientId: z.string(), reason: z.string().min(3) }),
  access: { roles: ["clerk+"] },
  refs: { patientId: "patients" },
  handler: "../handlers/book.ts",
});
