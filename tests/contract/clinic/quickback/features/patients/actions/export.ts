import { ActionError, defineAction } from "quickback";
import { z } from "zod";
import patients from "../patients.ts";

export default defineAction({
  description: "A file of all patients",
  path: "/patient-files/:name",
  method: "GET",
  responseType: "file",
  input: z.object({ refuse: z.boolean().optional(), crash: z.boolean().optional() }),
  access: { roles: ["nurse+"] },
  execute: async ({ db, input, c }) => {
    if (input.refuse) throw new ActionError("Not today", "CLOSED", 423);
    if (input.crash) throw new RangeError("a secret");
    const rows = await db.select({ name: patients.name }).from(patients);
    return new Response(rows.map(({ name }) => name).join("\n"), {
      status: 206,
      headers: {
        "content-type": "text/csv",
        "content-disposition": `attachment; filename="${c.req.param("name")}.csv"`,
      },
    });
  },
});
