/** A client that makes its schemas with Zod sends the patterns that Zod writes beside formats (definitions 5). */
import { cpuUsage } from "node:process";
import { z } from "zod";
import { assert, assertEquals } from "@std/assert";
import { usableSchema } from "../../../shared/compiler/phases/4-analyze/actions/schema/json_schema.ts";

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  email: z.email(),
  uuid: z.uuid(),
  guid: z.guid(),
  "date-time": z.iso.datetime(),
  "date-time of any zone": z.iso.datetime({ offset: true }),
  "local date-time": z.iso.datetime({ local: true }),
  "date-time in milliseconds": z.iso.datetime({ precision: 3, offset: true, local: true }),
  date: z.iso.date(),
  time: z.iso.time(),
  duration: z.iso.duration(),
  base64: z.base64(),
  base64url: z.base64url(),
  hostname: z.hostname(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  nanoid: z.nanoid(),
  ulid: z.ulid(),
};

for (const [name, format] of Object.entries(FORMATS)) {
  Deno.test(`the schema that Zod writes for ${name} is usable`, () => {
    const schema = z.toJSONSchema(z.object({ value: format }));
    assertEquals(usableSchema(schema).kind, "usable");
  });
}

Deno.test("every pattern that is taken as it is answers long texts at once", () => {
  for (const [name, format] of Object.entries(FORMATS)) {
    const { pattern } = z.toJSONSchema(format);
    if (pattern === undefined) continue;
    const expression = new RegExp(pattern, "u");
    for (const part of ["0", "a", "2024-02-29T", "P1Y", "a.", "aaaa", "aa=="]) {
      const since = cpuUsage();
      expression.test(part.repeat(50_000) + "!");
      // Of this process: others may have the machine meanwhile.
      assert(cpuUsage(since).user < 1_000_000, name);
    }
  }
});
