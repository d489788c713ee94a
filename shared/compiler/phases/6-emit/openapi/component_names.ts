/**
 * Names under `components.schemas`. Every name of a resource ends in one of these suffixes, of which none ends in
 * another, and the underscore sets a view's name off: so no two things share a name.
 */
import { pascalCase } from "../../../../surface/names.ts";
import type { Operation } from "../../../../surface/operations.ts";

type Described = Pick<Operation, "resource" | "view">;

export function recordName({ resource, view }: Described): string {
  return `${subjectOf(resource.name, view?.name)}Record`;
}

/** A record with what it may include beside its columns. */
export function readName({ resource }: Described): string {
  return `${pascalCase(resource.name)}Read`;
}

export function pageName(described: Described & Pick<Operation, "kind">): string {
  return described.kind === "view"
    ? `${subjectOf(described.resource.name, described.view?.name)}Page`
    : `${pascalCase(described.resource.name)}Page`;
}

const BODY_SUFFIXES = {
  create: "Create",
  update: "Update",
  upsert: "Upsert",
  batchCreate: "CreateBatch",
  batchUpdate: "UpdateBatch",
  batchDelete: "DeleteBatch",
  batchUpsert: "UpsertBatch",
} as const satisfies Partial<Record<Operation["kind"], string>>;

/** The kinds of operations with a body of a resource's own. */
type BodyKind = keyof typeof BODY_SUFFIXES;

export function isBodyKind(kind: Operation["kind"]): kind is BodyKind {
  return Object.hasOwn(BODY_SUFFIXES, kind);
}

export function bodyName(kind: BodyKind, { resource }: Described): string {
  return pascalCase(resource.name) + BODY_SUFFIXES[kind];
}

/** Component name of a batch's answer. */
export function batchName(entry: "record" | "id", { resource }: Described): string {
  return pascalCase(resource.name) + (entry === "record" ? "WriteResults" : "DeleteResults");
}

function subjectOf(resource: string, view: string | undefined): string {
  return view === undefined ? pascalCase(resource) : `${pascalCase(resource)}_${pascalCase(view)}`;
}

export function schemaRef(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

export function responseRef(name: string): { readonly $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** Headers of every answer (contract 2.7, `request.requestId`). */
export const COMMON_HEADERS = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
} as const;
