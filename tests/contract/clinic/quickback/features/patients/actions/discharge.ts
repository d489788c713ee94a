import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Let a patient go home",
  input: z.object({}),
  access: { roles: ["doctor"] },
  transition: {
    field: "stay",
    fromTo: { admitted: ["discharged"] },
    to: "discharged",
    stamp: "dischargedAt",
    guard: { beds: { greaterThan: 0 } },
    idempotent: "noop",
  },
});
