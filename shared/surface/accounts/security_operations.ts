/** Describes the route with which accounts read their security events (docs/decisions/accounts.md, "Security events"). */
import { z } from "zod";
import { SECURITY_KINDS } from "../../model/mod.ts";
import { PAGINATION } from "../schema/envelopes.ts";
import { orNull } from "../schema/zod_json.ts";
import { described, TIME } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";

const EVENT = answers.object([], {
  id: described("Its id.", { type: "string" }, "<id>"),
  userId: described("Account.", { type: "string" }),
  kind: described("Kind.", { type: "string", enum: [...SECURITY_KINDS] }),
  at: described("When.", TIME),
  address: described("Network, /24 or /48; null: unknown.", orNull({ type: "string" })),
  device: described("Program; null: unknown.", orNull({ type: "string" })),
  details: described("More, by kind.", { type: "object" }),
});

export const SECURITY_OPERATIONS: readonly op.AuthOperation[] = [
  op.read(
    {
      id: "authSecurityEvents",
      path: "/security-events",
      own: "listSecurityEvents",
      summary: "List security events",
      isPaged: true,
      parameters: z.object({
        userId: z.string().min(1).meta({
          description: "For `sysadmin`: another account, or `*`.",
        }).optional(),
      }),
    },
    answers.object([], {
      data: answers.listOf("Events.", EVENT),
      view: described("None.", { type: "null" }),
      pagination: PAGINATION,
    }),
  ),
];
