import { defineService } from "quickback";
import { jobs } from "../features/jobs/schema";
import { shout } from "../lib/shout";
export default defineService(({ db, env }) => ({
  greeting: shout(env["GREETING"] ?? "hello"),
  async all(): Promise<number> {
    return (await db.select().from(jobs)).length;
  },
}));
