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
  frames: "/frames",
  stored: "/stored",
  reset: "/reset",
  seed: "/seed",
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

const COLUMN = z.object({
  name: z.string(),
  /** Of the definition language: `text`, `timestamp`. */
  type: z.string(),
  nullable: z.boolean(),
  /** A rule redacts it for some. */
  masked: z.boolean(),
  /** Updates may carry it, as far as the guards say. */
  updatable: z.boolean(),
  /** The table that it refers to. */
  references: z.string().nullable(),
});

/** A table with routes. */
const TABLE = z.object({
  name: z.string(),
  /** `/api/v1/tickets` */
  path: z.string(),
  key: z.string(),
  columns: z.array(COLUMN),
  verbs: z.array(z.enum(["read", "history", "create", "update", "delete"])),
});

/** Rows by their ids, as the database holds them. */
export const STORED_QUESTION = z.strictObject({
  table: z.string(),
  ids: z.array(z.string().max(200)).max(200),
});
export const STORED_ROWS = z.record(z.string(), z.record(z.string(), z.unknown()));

/** A request that the webhook sink received. */
export const DELIVERY = z.object({
  /** Counts the deliveries of a run. */
  number: z.number(),
  at: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  /** The status that the sink gave. */
  answered: z.number(),
});

/** Changes of the last compile to the API that served before. */
const CHANGES = z.object({
  at: z.string(),
  changes: z.array(z.object({
    kind: z.enum(["gain", "loss", "breaking", "addition"]),
    /** `GET /api/v1/tickets`, `tickets.subject`. */
    subject: z.string(),
    /** Classes of callers; empty: every client. */
    principals: z.array(z.string()),
    text: z.string(),
  })),
  /** SQL; null: the schema stays as it is. */
  migration: z.string().nullable(),
  /** Paths of generated files that were written or removed. */
  files: z.array(z.string()),
});

/** State of `dev`. */
export const STATUS = z.object({
  phase: z.enum(["compiling", "serving", "failed"]),
  message: z.string(),
  api: SERVED_API.nullable(),
  people: z.array(PERSON),
  tables: z.array(TABLE),
  /** Path of the stream of changes; null: the project has none. */
  events: z.string().nullable(),
  /** Address of the webhook sink, and the path where endpoints are registered; null: the project sends no webhooks. */
  webhooks: z.object({ sink: z.string(), endpoints: z.string() }).nullable(),
  /** Null: no compile has changed anything yet. */
  changes: CHANGES.nullable(),
});

/** Listens to the changes that a person may see. */
export const FRAMES_REQUEST = z.strictObject({ as: z.string().nullable() });

export const API_REQUEST = z.strictObject({
  /** A person's name; null: nobody. */
  as: z.string().nullable(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** With its query. */
  path: z.string().startsWith("/").max(8192),
  headers: z.array(z.tuple([z.string(), z.string()])).max(32),
  body: z.string().nullable(),
});

const STATEMENT = z.object({
  sql: z.string(),
  args: z.array(z.string()),
  rows: z.number(),
  milliseconds: z.number(),
});

export const API_ANSWER = z.object({
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  /** True when there was more than is shown. */
  isCut: z.boolean(),
  milliseconds: z.number(),
  /** The statements that the database ran for it, in their order; null: the host cannot tell. */
  statements: z.array(STATEMENT).nullable(),
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
export type Table = z.infer<typeof TABLE>;
export type StoredRows = z.infer<typeof STORED_ROWS>;
export type Delivery = z.infer<typeof DELIVERY>;
export type Statement = z.infer<typeof STATEMENT>;
export type ApiAnswer = z.infer<typeof API_ANSWER>;

/** How a seed was planted, or why it was not. */
export const PLANTED = z.object({ said: z.string() });
