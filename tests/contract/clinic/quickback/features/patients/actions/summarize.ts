import { ActionError, defineAction } from "quickback";
import { z } from "zod";

const shape = z.object({
  how: z.enum([
    "right", "wrong", "bigint", "date", "cyclic", "undefined", "function", "map", "symbol", "null", "text", "renamed",
    "number", "list", "nested", "proto", "toJSON", "response", "ownError", "httpError", "throwText", "throwNull", "throwObject", "throwOdd",
    "throwSecret", "unique", "notNull", "reference", "caught",
  ]),
});

export default defineAction({
  description: "Tell of a patient",
  input: shape,
  access: { roles: ["clerk+"] },
  rateLimit: false,
  handler: "./handlers/summarize",
});

export class NotReady extends ActionError {
  constructor() {
    super("Not ready", "NOT_READY", 503, { email: "eve@example.com", when: 1n });
  }
}
