/** Schemas of the build service's answers (definitions 7), for its description. */
import { PLATFORMS } from "../../contract/mod.ts";
import { z } from "zod";
import { ANSWER_CODES, rowOf } from "../refusal.ts";

const LAYERS = [...new Set(ANSWER_CODES.map((code) => rowOf(code).layer))].sort();

export const HEALTH = z.strictObject({
  status: z.literal("ok"),
  backend: z.enum(["edge", "container", "router"]),
  version: z.string(),
  contract: z.array(z.enum(["v1", "v2"])),
});

const ABOUT_TEMPLATE = {
  name: z.string(),
  kind: z.enum(["project", "runtime"]).describe("POST /compile takes the files of a project"),
  title: z.string(),
  description: z.string(),
  runtime: z.enum(PLATFORMS),
};

export const TEMPLATE_LIST = z.strictObject({
  templates: z.array(z.strictObject({ ...ABOUT_TEMPLATE, files: z.array(z.string()) })),
});

export const TEMPLATE = z.strictObject({
  ...ABOUT_TEMPLATE,
  files: z.record(z.string(), z.string()),
});

export const COMPILE_RESULT = z.strictObject({
  meta: z.strictObject({
    fileCount: z.int(),
    version: z.string(),
    contract: z.enum(["v1", "v2"]),
    complete: z.boolean(),
    backend: z.enum(["edge", "container"]),
  }),
  files: z.array(
    z.strictObject({
      path: z.string(),
      content: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  commands: z.array(z.string()),
  warnings: z.array(
    z.strictObject({ code: z.string(), message: z.string(), file: z.string(), line: z.int() }),
  ),
});

const COMPILE_ERROR = z.strictObject({
  code: z.string(),
  message: z.string(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  hint: z.string().nullable(),
});

/** Page of a problem's `type`. */
export const PROBLEM_PAGE = z.strictObject({
  type: z.url(),
  title: z.string(),
  status: z.int().min(400).max(599),
  layer: z.enum(LAYERS),
  code: z.enum(ANSWER_CODES),
  hint: z.string(),
});

export const PROBLEM = z.strictObject({
  type: z.url(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().optional(),
  instance: z.string(),
  layer: z.enum(LAYERS),
  code: z.enum(ANSWER_CODES),
  pointer: z.string().optional(),
  hint: z.string(),
  /** Errors of a failed compile. */
  errors: z.array(COMPILE_ERROR).optional(),
  request: z.strictObject({ method: z.string(), url: z.string(), requestId: z.string() }),
});
