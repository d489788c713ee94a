/**
 * Creates one row for each resource, through the API and in the order of their references; the next start finds the same rows.
 */
import type { Credential } from "../../../playground/mod.ts";
import { accountOf } from "../../../shared/column_types/mod.ts";
import type { Access, ProjectModel, ResourceModel, TableModel } from "../../../shared/model/mod.ts";
import { CONTRACT_VERSIONS } from "../../../shared/contract/mod.ts";
import { writableColumns } from "../../../shared/surface/mod.ts";
import { type ApiClient, idOf, member } from "./api_client.ts";
import { sampleValue } from "./sample_values.ts";

/** Ids of existing rows by resource name. */
export type SampleRows = ReadonlyMap<string, string>;

interface Seeding {
  readonly api: ApiClient;
  readonly project: ProjectModel;
  /** Credential of a caller with every right that the project gives to anyone. */
  readonly credential: Credential;
  /** ISO date and time. */
  readonly now: string;
}

/** Creates the rows. A resource that refuses its sample row is left out of the demo. */
export async function ensureSampleRows(seeding: Seeding): Promise<SampleRows> {
  const rows = new Map<string, string>();
  for (const resource of inReferenceOrder(seeding.project)) {
    const id = await existingRow(resource, seeding) ?? await newRow(resource, seeding, rows);
    if (id !== null) rows.set(resource.name, id);
  }
  return rows;
}

async function existingRow(resource: ResourceModel, seeding: Seeding): Promise<string | null> {
  if (!resource.read) return null;
  const answer = await seeding.api({
    method: "GET",
    path: `${pathOf(resource, seeding.project)}?limit=1&sort=createdAt`,
    credential: seeding.credential,
  });
  const data = member(answer.json, "data");
  return Array.isArray(data) ? idOf(data[0]) : null;
}

async function newRow(
  resource: ResourceModel,
  seeding: Seeding,
  rows: SampleRows,
): Promise<string | null> {
  const table = seeding.project.tables.find(({ name }) => name === resource.table);
  const body = table && resource.create ? sampleBody(resource, table, rows, seeding.now) : null;
  if (body === null) return null;
  const answer = await seeding.api({
    method: "POST",
    path: pathOf(resource, seeding.project),
    credential: seeding.credential,
    body,
  });
  return answer.status === 201 ? idOf(answer.json) : null;
}

/** Returns a body; null if a required reference has no row to refer to. */
export function sampleBody(
  resource: ResourceModel,
  table: TableModel,
  rows: SampleRows,
  now: Seeding["now"],
): Readonly<Record<string, unknown>> | null {
  const visible = resource.read ? valuesThatAreRead(resource.read.access) : new Map();
  const body: Record<string, unknown> = {};
  for (const column of writableColumns("create", resource, table)) {
    const value = visible.get(column.name) ??
      (column.references
        ? rows.get(column.references.table)
        // A nullable `…Id` refers to a thing outside of the project: a user, a record of another system.
        : (column.nullable && column.name.endsWith("Id")) || column.default !== null ||
            accountOf(column.type) !== null
        ? undefined
        : sampleValue(column, now));
    if (value !== undefined) body[column.name] = value;
    else if (!column.nullable && column.default === null) return null;
  }
  return body;
}

/** Returns values that a row needs for its read rule: `published: true` for the public. */
function valuesThatAreRead(access: Access): ReadonlyMap<string, unknown> {
  switch (access.kind) {
    case "record":
      return new Map(
        access.conditions.flatMap(({ column, operator, operand }) =>
          operator === "equals" && operand.kind === "literal" ? [[column, operand.value]] : []
        ),
      );
    case "all":
    case "any":
    case "first":
      return new Map(access.of.flatMap((part) => [...valuesThatAreRead(part)]));
    default:
      return new Map();
  }
}

/** Returns resources with referenced ones first; a cycle is cut where it closes. */
export function inReferenceOrder(project: ProjectModel): readonly ResourceModel[] {
  const ordered: ResourceModel[] = [];
  const seen = new Set<string>();
  const visit = (resource: ResourceModel) => {
    if (seen.has(resource.name)) return;
    seen.add(resource.name);
    const table = project.tables.find(({ name }) => name === resource.table);
    for (const column of table?.columns ?? []) {
      const target = project.resources.find(({ table }) => table === column.references?.table);
      if (target) visit(target);
    }
    ordered.push(resource);
  };
  project.resources.forEach(visit);
  return ordered;
}

/** Returns the path, such as `/api/v1/tickets`. */
export function pathOf(resource: ResourceModel, project: ProjectModel): string {
  return `${CONTRACT_VERSIONS[project.contract].apiBase}/${resource.segment}`;
}
