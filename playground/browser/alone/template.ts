/** Project templates that the page offers. */
import { z } from "zod";

export const TEMPLATES = z.array(z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  files: z.record(z.string(), z.string()),
}));

export type Template = z.infer<typeof TEMPLATES>[number];
