/** Body of `POST /compile` (contract 4.8), as the reader checks it and as the description says it. */
import { z } from "zod";

export const COMPLETE = z.enum(["true", "false"]);
export const STREAM_PROTOCOL = z.enum(["v1", "v2"]);

const TEXTS = z.record(z.string(), z.string());
const VALUES = z.record(z.string(), z.unknown());
const SCHEMAS = z.record(z.string(), z.record(z.string(), z.unknown())).optional();

/** Outer form of a parsed project; the compiler checks the rest (`ParsedProject`). */
const PARSED = z.looseObject({
  version: z.literal(1),
  files: TEXTS,
  definitions: VALUES,
  code: VALUES,
  authored: VALUES,
});

export const COMPILE_BODY = z.union([
  z.strictObject({ rawFiles: TEXTS, actionInputSchemas: SCHEMAS }),
  z.strictObject({ input: PARSED, actionInputSchemas: SCHEMAS }),
]);

export const COMPILE_MEMBERS: readonly string[] = [
  ...new Set(COMPILE_BODY.options.flatMap((form) => Object.keys(form.shape))),
];
