/** Messages between the page and its server (docs/decisions/commands.md, "The playground"). */
import { z } from "zod";

/** Header with the token of this run; the page takes the token from the address that `dev` prints. */
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

/** Project as it is on disk. */
export const PROJECT = z.object({
  name: z.string(),
  /** Files that the page edits, sorted by path. */
  files: z.array(DEFINITION_FILE),
  /** Further input of a compile, such as journals of migrations. */
  companions: TEXTS,
  /** Input schemas that the author wrote as JSON, for actions whose input cannot be read from code. */
  inputSchemas: z.record(z.string(), z.unknown()),
});

/** Edited files by path; they replace those on disk. */
export const EDITS = TEXTS;

/** Declarations of the modules `quickback` and `../schema` in this project, as `quickback types` writes them. */
export const DECLARATIONS = z.object({
  /** False if the definitions have mistakes now, and these declarations are those of the last version without. */
  isCurrent: z.boolean(),
  /** Declarations by path relative to the project. */
  files: TEXTS,
});

/** Declarations of everything that a definition may import, as files below a root of their own. */
export interface EditorLibrary {
  /** `compilerOptions` of a tsconfig.json. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Files by absolute path, such as `/node_modules/zod/index.d.cts`. */
  readonly files: Readonly<Record<string, string>>;
}

export const SAVED = z.object({ hash: z.string() });

export const RENAME = z.strictObject({ from: z.string(), to: z.string() });

const SERVED_API = z.object({
  /** Origin of the API, such as `http://localhost:8000`. */
  origin: z.string(),
  /** False while the API does not answer. */
  isServing: z.boolean(),
  /** Paths below the origin; null if the project does not publish the document. */
  openapi: z.string().nullable(),
  docs: z.string().nullable(),
});

/** Person who can send requests; the server keeps the person's credential. */
const PERSON = z.object({ name: z.string(), about: z.string() });

const COLUMN = z.object({
  name: z.string(),
  /** Type in the definition language: `text`, `timestamp`. */
  type: z.string(),
  nullable: z.boolean(),
  /** True when a rule masks the column for some callers. */
  masked: z.boolean(),
  /** True when updates may contain the column, as far as guards allow. */
  updatable: z.boolean(),
  /** Referenced table. */
  references: z.string().nullable(),
});

/** Table with routes. */
const TABLE = z.object({
  name: z.string(),
  /** Path of the collection, such as `/api/v1/tickets`. */
  path: z.string(),
  key: z.string(),
  columns: z.array(COLUMN),
  verbs: z.array(z.enum(["read", "history", "create", "update", "delete"])),
});

/** Request for stored rows by their ids. */
export const STORED_QUESTION = z.strictObject({
  table: z.string(),
  ids: z.array(z.string().max(200)).max(200),
});
export const STORED_ROWS = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Request that the webhook sink received. */
export const DELIVERY = z.object({
  /** Number of the delivery in this run, counted from the first. */
  number: z.number(),
  at: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
  /** Status that the sink answered. */
  answered: z.number(),
});

/** Changes that the last compile made to the API. */
const CHANGES = z.object({
  at: z.string(),
  changes: z.array(z.object({
    kind: z.enum(["gain", "loss", "breaking", "addition"]),
    /** Changed thing: `GET /api/v1/tickets`, `tickets.subject`. */
    subject: z.string(),
    /** Classes of callers; empty: every client. */
    principals: z.array(z.string()),
    text: z.string(),
  })),
  /** SQL of the migration; null: the schema stays as it is. */
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
  /** Path of the stream of changes; null if the project has none. */
  events: z.string().nullable(),
  /** Address of the webhook sink, and the path where endpoints are registered; null if the project sends no webhooks. */
  webhooks: z.object({ sink: z.string(), endpoints: z.string() }).nullable(),
  /** Changes of the last compile; null until one has changed anything. */
  changes: CHANGES.nullable(),
});

/** Request for the stream of changes that a person may see. */
export const FRAMES_REQUEST = z.strictObject({ as: z.string().nullable() });

export const API_REQUEST = z.strictObject({
  /** Name of the person who sends the request; null for nobody. */
  as: z.string().nullable(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** Path with its query. */
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
  /** True when the body was longer and is cut. */
  isCut: z.boolean(),
  milliseconds: z.number(),
  /** Statements that the database ran for the request, in order; null if the host cannot record them. */
  statements: z.array(STATEMENT).nullable(),
});

/** Refusal of the playground's own server. */
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

/** Result of planting a seed: a text that says what was planted, or why nothing was. */
export const PLANTED = z.object({ said: z.string() });
