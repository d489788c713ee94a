/** The caller of `/mcp`, for what is kept between the messages of one caller. */
import { actorOf } from "../../model/principal.ts";
import type { McpCaller } from "./inner_api.ts";

export function callerId({ principal }: McpCaller): string {
  const { credential, organizationId, scope = null } = principal;
  return JSON.stringify([credential, actorOf(principal), organizationId, scope]);
}
