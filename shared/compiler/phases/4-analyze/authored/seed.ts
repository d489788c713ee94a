/**
 * Reads `seed.ts` into its model: organizations, users, and the rows that they write. The rows are checked against every rule
 * but those of access (definitions 1).
 */
import { SEED, SEED_PRINCIPAL } from "../../../../definition_language/seed.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { parsedJson } from "../../../../lib/json.ts";
import type { JsonValue, ProjectModel } from "../../../../model/mod.ts";
import * as seeds from "../../../../model/seed.ts";
import { nameMeant, refusalOf } from "../../../../surface/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { contentHash } from "../../../migrations/snapshot.ts";
import type { Definitions, ObjectEntry, Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, type Token, wrongType } from "../read/reader.ts";
import { readJson, readText } from "../read/scalars.ts";

const SEED_FILE = "quickback/seed.ts";

/** Returns the seed; null if the project has none, or a mistake in it was reported. */
export function readSeed(
  { authored }: Definitions,
  project: ProjectModel,
  report: Report,
): seeds.SeedModel | null {
  const file = authored.find(({ file }) => file === SEED_FILE);
  if (file === undefined || !file.isParsed) return null;
  const { exported } = file;
  const value = exported?.kind === "defined" && exported.callee === "defineSeed" &&
      exported.value?.kind === "call"
    ? exported.value.args[0]
    : undefined;
  if (value === undefined) {
    const place = exported?.place ?? { file: SEED_FILE, line: 1, column: 1, length: 1 };
    report.add("SEED_EXPORT", place, {});
    return null;
  }
  const at: At = { path: "defineSeed", report };
  const fields = readFields(value, SEED, at);
  if (!fields) return null;
  const people = readPeople(fields, project);
  const scene: Scene = { project, report, people, as: null, named: new Map() };
  const as = fields.entries.get("as");
  const by = as ? readPrincipal(as.value, below(at, "as"), scene) : null;
  const rows = readField(fields, "rows", (value, at) => readRows(value, at, { ...scene, as: by }));
  const { organizations, users } = people;
  const content = { organizations: [...organizations.values()], users: [...users.values()] };
  const said = (rows ?? []).map(({ at: _, ...row }) => row);
  const hash = contentHash(JSON.stringify([content, said]));
  return { hash, ...content, rows: rows ?? [] };
}

interface People {
  /** Organizations by id. */
  readonly organizations: ReadonlyMap<string, seeds.SeedOrganization>;
  /** Users by id. */
  readonly users: ReadonlyMap<string, seeds.SeedUser>;
}

interface Scene {
  readonly project: ProjectModel;
  readonly report: Report;
  readonly people: People;
  /** Principal that writes rows that name no principal; null: such rows have no writer. */
  readonly as: seeds.SeedPrincipal | null;
  /** Tables of the rows so far, by the names of the rows. */
  readonly named: Map<string, string>;
}

function readPeople(fields: Fields<(typeof SEED)["members"]>, project: ProjectModel): People {
  const { report } = fields.at;
  const users = new Map<string, seeds.SeedUser>();
  for (const user of read(fields, "users") ?? []) {
    const id = read(user, "id");
    if (!id || isTwice(id, users, report)) continue;
    users.set(id.text, {
      id: id.text,
      name: read(user, "name") ?? id.text,
      email: read(user, "email")?.text ?? `${id.text}@example.com`,
      password: read(user, "password") ?? null,
      userRole: read(user, "userRole") ?? null,
    });
  }
  const organizations = new Map<string, seeds.SeedOrganization>();
  for (const organization of read(fields, "organizations") ?? []) {
    const id = read(organization, "id");
    if (!id || isTwice(id, organizations, report)) continue;
    const members = (read(organization, "members") ?? []).map(({ key, value }) => {
      requireKnown("user", key, [...users.keys()], report);
      return [key.text, rolesIn(value, project, report)] as const;
    });
    organizations.set(id.text, {
      id: id.text,
      name: read(organization, "name") ?? id.text,
      slug: read(organization, "slug")?.text ?? id.text,
      members: Object.fromEntries(members),
    });
    if (!project.multiTenant) report.add("SEED_ORGANIZATION", id.place, {});
  }
  return { organizations, users };
}

function isTwice({ text, place }: Token, known: ReadonlyMap<string, unknown>, report: Report) {
  if (!known.has(text)) return false;
  report.add("SEED_TWICE", place, { name: text });
  return true;
}

function requireKnown(
  kind: "user" | "organization" | "role",
  { text, place }: Token,
  known: readonly string[],
  report: Report,
): void {
  if (known.includes(text)) return;
  report.add("SEED_UNKNOWN", place, { kind, name: text, nearest: nearest(text, known) });
}

function rolesIn(
  roles: readonly Token[],
  { auth }: ProjectModel,
  report: Report,
): readonly string[] {
  const known = [...new Set([...auth.roles, "owner", "admin", "member"])];
  for (const role of roles) requireKnown("role", role, known, report);
  return roles.map(({ text }) => text);
}

function readPrincipal(value: Value, at: At, scene: Scene): seeds.SeedPrincipal | null {
  const { project, report, people: { organizations, users }, as } = scene;
  const fields = readFields(value, SEED_PRINCIPAL, at);
  const user = fields && read(fields, "userId");
  if (!user) return null;
  requireKnown("user", user, [...users.keys()], report);
  const organization = read(fields, "organizationId");
  if (organization) requireKnown("organization", organization, [...organizations.keys()], report);
  const organizationId = organization?.text ?? as?.organizationId ?? null;
  const given = read(fields, "roles");
  return {
    userId: user.text,
    organizationId,
    teamId: read(fields, "teamId")?.text ?? null,
    roles: given
      ? rolesIn(given, project, report)
      : organizations.get(organizationId ?? "")?.members[user.text] ?? [],
    userRole: read(fields, "userRole") ?? users.get(user.text)?.userRole ?? null,
  };
}

function readRows(value: Value, at: At, scene: Scene): readonly seeds.SeedRow[] | undefined {
  if (value.kind !== "object") return wrongType(value, "an object", at);
  return value.entries.flatMap((entry) => {
    const { report, project } = scene;
    const known = project.resources.flatMap(({ name, create }) => create ? [name] : []);
    const resource = nameMeant(entry.key, known);
    if (resource === undefined) {
      report.add("SEED_RESOURCE", entry.keyPlace, {
        name: entry.key,
        nearest: nearest(entry.key, known),
      });
      return [];
    }
    if (resource !== entry.key) {
      report.add("NAME_OF_URLS", entry.keyPlace, { written: entry.key, name: resource });
    }
    if (entry.value.kind !== "array") {
      wrongType(entry.value, "a list of rows", below(at, entry.key));
      return [];
    }
    return entry.value.items.flatMap((item, index) =>
      readRow(item, { path: `${at.path}.${entry.key}[${index}]`, report }, resource, scene) ?? []
    );
  });
}

function readRow(
  value: Value,
  at: At,
  resource: string,
  scene: Scene,
): seeds.SeedRow | undefined {
  if (value.kind !== "object") return wrongType(value, "an object", at);
  const { report, named, as } = scene;
  const special = new Map(value.entries.map((entry) => [entry.key, entry]));
  const columns = value.entries.filter(({ key }) => key !== "$as" && key !== "$by");
  for (const entry of columns) checkColumn(entry, resource, scene);
  const values = readJson({ ...value, entries: columns }, at);
  const name = special.get("$as");
  const text = name && readText(name.value, below(at, "$as"));
  const author = special.get("$by");
  const by = author ? readPrincipal(author.value, below(at, "$by"), scene) : as;
  if (!author && !as) report.add("SEED_NOBODY", value.place, {});
  if (name && text !== undefined) {
    if (named.has(text)) report.add("SEED_TWICE", name.value.place, { name: text });
    named.set(text, resource);
  }
  if (by === null || values === undefined) return undefined;
  const { file, line } = value.place;
  return {
    resource,
    as: text ?? null,
    by,
    values: Object(parsedJson(JSON.stringify(values))),
    at: `${file}:${line}`,
  };
}

/** Checks that a create may contain the column, and that references in its value point to earlier rows. */
function checkColumn(entry: ObjectEntry, resource: string, { project, report, named }: Scene) {
  const table = project.tables.find(({ name }) => name === resource);
  const model = project.resources.find(({ name }) => name === resource);
  if (table && model && refusalOf("create", entry.key, model, table) !== null) {
    const known = table.columns.flatMap(({ name }) =>
      refusalOf("create", name, model, table) === null ? [name] : []
    );
    report.add("SEED_COLUMN", entry.keyPlace, {
      resource,
      column: entry.key,
      nearest: nearest(entry.key, known),
    });
  }
  for (const { value, reference } of referencesIn(entry.value)) {
    const [name = "", member, ...rest] = reference.split(".");
    const target = named.get(name);
    if (target === undefined || !member || rest.length > 0) {
      const known = [...named.keys()].map((one) => `${one}.id`);
      report.add("SEED_REFERENCE", value.place, { reference, nearest: nearest(reference, known) });
    }
  }
}

interface Reference {
  readonly value: Value;
  readonly reference: string;
}

function referencesIn(value: Value): readonly Reference[] {
  if (value.kind === "array") return value.items.flatMap(referencesIn);
  if (value.kind !== "object") return [];
  const [only] = value.entries;
  const json: JsonValue = only?.value.kind === "string" && value.entries.length === 1
    ? { [only.key]: only.value.value }
    : null;
  const reference = seeds.seedReference(json);
  if (reference !== null) return [{ value, reference }];
  return value.entries.flatMap((entry) => referencesIn(entry.value));
}
