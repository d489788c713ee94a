/** The shape of a parsed project (contract 4.8); what its parts say of each other is checked in `consistency.ts`. */
import { z } from "zod";
import type { Value } from "../phases/values.ts";
import { PARSED_VERSION, type ParsedProject } from "./parsed_project.ts";

const position = z.int().min(1);
const place = z.strictObject({
  file: z.string(),
  line: position,
  column: position,
  length: position,
});

/** Recursive: whoever uses it has bounded the depth. */
const value: z.ZodType<Value> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("string"), value: z.string(), place }),
    z.strictObject({ kind: z.literal("number"), value: z.number(), place }),
    z.strictObject({ kind: z.literal("boolean"), value: z.boolean(), place }),
    z.strictObject({ kind: z.literal("null"), place }),
    z.strictObject({ kind: z.literal("regex"), source: z.string(), flags: z.string(), place }),
    z.strictObject({ kind: z.literal("array"), items: z.array(value), place }),
    z.strictObject({ kind: z.literal("object"), entries: z.array(entry), place }),
    z.strictObject({
      kind: z.literal("call"),
      callee: z.string(),
      module: z.string(),
      args: z.array(value),
      chain: z.array(z.strictObject({ name: z.string(), args: z.array(value), place })),
      place,
    }),
    z.strictObject({
      kind: z.literal("reference"),
      target: z.strictObject({ file: z.string(), name: z.string() }),
      members: z.array(z.string()),
      place,
    }),
    z.strictObject({ kind: z.literal("thunk"), value, place }),
    z.strictObject({ kind: z.literal("function"), text: z.string(), place }),
    z.strictObject({
      kind: z.literal("unreadable"),
      construct: z.string(),
      text: z.string(),
      place,
    }),
  ])
);

const entry = z.strictObject({ key: z.string(), keyPlace: place, value });

const definition = z.strictObject({
  bindings: z.array(z.strictObject({ name: z.string(), value })),
  defaultExport: z.nullable(value),
});

const offset = z.int().min(0);
const range = z.strictObject({ start: offset, end: offset });

/** `missing` is absent: a project that imports it has an error. */
const target = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("file"), file: z.string() }),
  z.strictObject({ kind: z.literal("schema"), feature: z.string() }),
  z.strictObject({ kind: z.literal("authoring") }),
  z.strictObject({ kind: z.literal("package"), name: z.string() }),
]);

/** They stand in generated modules as they are. */
const identifier = z.string().regex(/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u);

const binding = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("statement"), range }),
  z.strictObject({ kind: z.literal("constant"), name: identifier }),
  z.strictObject({ kind: z.literal("default") }),
  z.strictObject({ kind: z.literal("elsewhere") }),
]);

const code = z.strictObject({
  imports: z.array(z.strictObject({ range, place, target })),
  exports: z.array(identifier),
  locals: z.array(identifier),
  tableCalls: z.array(range),
  rawSql: z.array(
    z.strictObject({ construct: z.string(), place, member: z.nullable(z.string()) }),
  ),
  webhookEvents: z.array(z.strictObject({ place, on: z.nullable(value), binding })),
  symbols: z.array(z.string()),
});

const construct = z.string();
const authored = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("defined"),
    callee: z.string(),
    value: z.nullable(value),
    place,
  }),
  z.strictObject({ kind: z.literal("function"), place }),
  z.strictObject({ kind: z.literal("object"), value, place }),
  z.strictObject({ kind: z.literal("call"), construct, place }),
  z.strictObject({ kind: z.literal("other"), construct, place }),
]);

export const PARSED_PROJECT: z.ZodType<ParsedProject> = z.strictObject({
  version: z.literal(PARSED_VERSION),
  files: z.record(z.string(), z.string()),
  definitions: z.record(z.string(), definition),
  code: z.record(z.string(), code),
  authored: z.record(z.string(), z.nullable(authored)),
});
