/** What a person typed to come here, so that every usage line can be typed again (answers P8). */
import type { Variables } from "../shared/lib/variables.ts";

/** Only `npx quickback` leaves npm's mark without Deno's: `deno task` writes its own name over npm's. */
export function programName(variables: Variables): string {
  const isNpx = variables.get("npm_command") === "exec";
  const isTask = variables.get("npm_config_user_agent")?.startsWith("deno/") ?? false;
  if (isTask) return isNpx ? "npx -y deno task quickback" : "deno task quickback";
  return isNpx ? "npx quickback" : "quickback";
}
