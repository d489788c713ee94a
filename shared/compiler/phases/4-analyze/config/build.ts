/** `build` and `compiler`: where the output goes, what it may import, what was renamed (definitions 2). */
import type { ProjectModel, RenamesModel } from "../../../../model/project.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { CONFIG_FORMS } from "../read/other_words.ts";
import { type At, type Reader, type Token, wrongType } from "../read/reader.ts";
import { mapOf, matching, readBoolean } from "../read/scalars.ts";

/** As npm allows them. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Version ranges only: no addresses, no paths. */
const RANGE = /^[\^~<>=|*xX0-9A-Za-z.+ -]{1,100}$/;
const COLUMN = /^\w+\.\w+$/;
const FOLDER = /^(?:\.|(?!\.)[A-Za-z0-9._@-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._@-]+)*)$/;

export function readBuild(fields: Fields): Pick<ProjectModel, "outputDir" | "dependencies"> {
  const build = readMember(fields, "build", { keys: ["outputDir", "dependencies"] });
  const folder = matching(FOLDER, "a folder inside the project");
  return {
    outputDir: (build && readField(build, "outputDir", folder)) ?? ".",
    dependencies: (build && readField(build, "dependencies", readDependencies)) ?? {},
  };
}

function readDependencies(value: Value, at: At): Record<string, string> | undefined {
  const members = mapOf(matching(RANGE, "a version range"))(value, at);
  if (!members) return undefined;
  for (const { key } of members) {
    if (!PACKAGE_NAME.test(key.text)) {
      at.report.add("PACKAGE_NAME", key.place, { name: key.text });
    }
  }
  return sortedRecord(members);
}

/** `compiler.migrations`: the author's word for what a diff cannot know. */
export function readMigrations(
  fields: Fields,
): Pick<ProjectModel, "renames" | "backfills" | "allowDestructive"> {
  const compiler = readMember(fields, "compiler", { keys: ["migrations"], forms: CONFIG_FORMS });
  const migrations = compiler &&
    readMember(compiler, "migrations", { keys: ["renames", "backfills", "allowDestructive"] });
  return {
    renames: readRenames(migrations),
    backfills: (migrations && readField(migrations, "backfills", readBackfills)) ?? {},
    allowDestructive: (migrations && readField(migrations, "allowDestructive", readBoolean)) ??
      false,
  };
}

function readRenames(migrations: Fields | undefined): RenamesModel {
  const renames = migrations && readMember(migrations, "renames", { keys: ["tables", "columns"] });
  return {
    tables: (renames && readField(renames, "tables", readNames(/^\w+$/, "a table name"))) ?? {},
    columns: (renames && readField(renames, "columns", readNames(COLUMN, "table.column"))) ??
      {},
  };
}

/** Old name → new name; the old one has this form, the new one is a plain name. */
function readNames(old: RegExp, expected: string) {
  return readKeyed(old, expected, matching(/^\w+$/, "the new name"));
}

function readKeyed(form: RegExp, expected: string, reader: Reader<string>) {
  return (value: Value, at: At): Record<string, string> | undefined => {
    const members = mapOf(reader)(value, at);
    const wrong = members?.find(({ key }) => !form.test(key.text));
    if (!members || !wrong) return members && sortedRecord(members);
    const key: Value = { kind: "string", value: wrong.key.text, place: wrong.key.place };
    return wrongType(key, expected, at);
  };
}

/** Ids of organizations are the account tables' own: any text without spaces. */
const readBackfills = readKeyed(
  COLUMN,
  "table.column",
  matching(/^\S{1,128}$/, 'a foreign key, an id or "delete"'),
);

function sortedRecord(
  members: readonly { readonly key: Token; readonly value: string }[],
): Record<string, string> {
  const pairs = members.map(({ key, value }): [string, string] => [key.text, value]);
  return Object.fromEntries(pairs.sort(([a], [b]) => a < b ? -1 : 1));
}
