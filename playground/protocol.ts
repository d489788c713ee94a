/** Messages between the page and its server (docs/decisions/commands.md, "The playground"). */
import { z } from "zod";

/** Carries the token of this run; the page knows it from the address that `dev` prints. */
export const TOKEN_HEADER = "x-playground-token";

export const ROUTES = {
  project: "/project",
  files: "/files",
  renames: "/renames",
  compile: "/compile",
  declarations: "/declarations",
  events: "/events",
  requests: "/requests",
} as const;

const TEXTS = z.record(z.string(), z.string());

const DEFINITION_FILE = z.object({ path: z.string(), text: z.string(), hash: z.string() });

/** The project as it is on disk. */
export const PROJECT = z.object({
  name: z.string(),
  /** Files that the page edits, sorted by path. */
  files: z.array(DEFINITION_FILE),
  /** Further input of a compile: journals of migrations and the like. */
  companions: TEXTS,
  /** Of actions whose input cannot be read, as the author wrote them down. */
  inputSchemas: z.record(z.string(), z.unknown()),
});

/** Edited files by path, over those on disk. */
export const EDITS = TEXTS;

/** Meaning of `quickback` and `../schema` in this project, as `quickback types` writes it. */
export const DECLARATIONS = z.object({
  /** False: the definitions have mistakes, and these are of the last time without. */
  isCurrent: z.boolean(),
  /** By path from the project. */
  files: TEXTS,
});

/** Declarations of everything that a definition may import, in a tree of their own. */
export interface EditorLibrary {
  /** `compilerOptions` of a tsconfig.json. */
  readonly options: Readonly<Record<string, unknown>>;
  /** By absolute path: `/node_modules/zod/index.d.cts`. */
  readonly files: Readonly<Record<string, string>>;
}

export const SAVED = z.object({ hash: z.string() });

export const RENAME = z.strictObject({ from: z.string(), to: z.string() });

const SERVED_API = z.object({
  /** `http://localhost:8000` */
  origin: z.string(),
  /** False while nothing answers there. */
  isServing: z.boolean(),
  /** Paths below the origin; null where the project publishes none. */
  openapi: z.string().nullable(),
  docs: z.string().nullable(),
});

/** Somebody whom requests can come from; the server keeps what proves it. */
const PERSON = z.object({ name: z.string(), about: z.string() });

/** State of `dev`. */
export const STATUS = z.object({
  phase: z.enum(["compiling", "serving", "failed"]),
  message: z.string(),
  api: SERVED_API.nullable(),
  people: z.array(PERSON),
});

export const API_REQUEST = z.strictObject({
  /** A person's name; null: nobody. */
  as: z.string().nullable(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** With its query. */
  path: z.string().startsWith("/").max(8192),
  headers: z.array(z.tuple([z.string(), z.string()])).max(32),
  body: z.string().nullable(),
});

export const API_ANSWER = z.object({
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  /** True when there was more than is shown. */
  isCut: z.boolean(),
  milliseconds: z.number(),
});

/** A refusal of the playground's own server. */
export const REFUSAL = z.object({
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string(),
});

export type DefinitionFile = z.infer<typeof DEFINITION_FILE>;
export type Project = z.infer<typeof PROJECT>;
export type Declarations = z.infer<typeof DECLARATIONS>;
export type Status = z.infer<typeof STATUS>;
export type ApiRequest = z.infer<typeof API_REQUEST>;
export type ApiAnswer = z.infer<typeof API_ANSWER>;
