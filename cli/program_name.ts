/** Returns the program's name as the user typed it, so that every usage line can be typed again. */
import type { Variables } from "../shared/lib/variables.ts";

/** Returns the name. npm names the program that it ran; `deno task` names itself unless npm has. */
export function programName(variables: Variables): string {
  if (variables.get("npm_command") === "exec") {
    const isDeno = /^'?deno'?$/.test(variables.get("npm_lifecycle_script") ?? "");
    return isDeno ? "npx -y deno task quickback" : "npx quickback";
  }
  const isTask = variables.get("npm_config_user_agent")?.startsWith("deno/") ?? false;
  return isTask ? "deno task quickback" : "quickback";
}
