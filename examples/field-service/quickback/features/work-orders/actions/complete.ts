import { defineAction, z } from "quickback";

export default defineAction({
  description: "Say that the work is done",
  input: z.object({}),
  access: { roles: ["technician+"] },
  transition: {
    field: "status",
    fromTo: { inProgress: ["done"] },
    to: "done",
    stamp: "completedAt",
    // The sum of its visits.
    guard: { minutes: { greaterThan: 0 } },
    onIllegal: {
      code: "NOBODY_WAS_THERE",
      message: "An order is done once somebody was there: report a visit first",
    },
  },
});
