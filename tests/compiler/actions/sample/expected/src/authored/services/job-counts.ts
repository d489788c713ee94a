import { defineService } from "quickback";
import { jobs } from "../features/jobs/schema.ts";
import { shout } from "../lib/shout.ts";
export default defineService(({ db, env }) => ({
  greeting: shout(env["GREETING"] ?? "hello"),
  async all(): Promise<number> {
    return (await db.select().from(jobs)).length;
  },
}));
