import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Take a patient in again, or give them to another house",
  input: z.object({ stay: z.enum(["admitted", "transferred"]) }),
  access: { roles: ["nurse+"] },
  transition: {
    field: "stay",
    fromTo: { discharged: ["admitted"], admitted: ["transferred"] },
    via: "stay",
    clears: ["dischargedAt"],
    onIllegal: { code: "STAY_NOT_ALLOWED", status: 422, message: "The patient cannot go there" },
  },
});
