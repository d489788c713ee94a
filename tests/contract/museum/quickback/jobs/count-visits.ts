import { defineJob, z } from "quickback";
import { visits } from "../features/visits/visits";

export default defineJob({
  input: z.object({ day: z.string() }),
  timeout: 60,
  run: async ({ db }) => void await db.select().from(visits),
});
