/** The caller of `/mcp`, for what is kept between the messages of one caller. */
import { actorOf } from "../../model/principal.ts";
import type { Admitted } from "../gate.ts";

export function callerId({ principal }: Admitted): string {
  const { credential, organizationId, scope = null } = principal;
  return JSON.stringify([credential, actorOf(principal), organizationId, scope]);
}
