/**
 * Refuses a record that the firewall hides (contract 7.2, definitions 7). Missing and foreign records answer the same bytes;
 * with `firewallErrorMode: "hide"` every miss is one and the same 404.
 */
import type { RuntimeCode } from "../../../contract/codes.ts";
import type { ResourceModel } from "../../../model/resource.ts";
import { refuse } from "../../refusal.ts";

type FirewallCode = Extract<RuntimeCode, `FIREWALL_${string}`>;

/** Refuses with this code, or with `NOT_FOUND` where the resource hides its firewall. */
export function refuseHidden({ firewallErrorMode }: ResourceModel, code: FirewallCode): never {
  return refuse(firewallErrorMode === "hide" ? "NOT_FOUND" : code);
}
