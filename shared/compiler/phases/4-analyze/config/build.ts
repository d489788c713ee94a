/**
 * Reads `build` and `compiler`: the place of the output, the packages that it may import, and renamed tables and columns
 * (definitions 2).
 */
import type { ProjectModel } from "../../../../model/mod.ts";
import { type At, below, type Token, wrongType } from "../read/reader.ts";
import { CONFIG_FORMS } from "../read/other_words.ts";
import { noFields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { CONFIG } from "../../../../definition_language/config.ts";
import type { ConfigFields } from "./config_fields.ts";

/** Matches a package's name as npm allows it. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const COLUMN = /^\w+\.\w+$/;

export function readBuild(
  config: ConfigFields,
): Pick<ProjectModel, "outputDir" | "vendor" | "dependencies"> {
  const build = read(config, "build");
  const dependencies = read(build, "dependencies") ?? [];
  for (const { key } of dependencies) {
    if (PACKAGE_NAME.test(key.text)) continue;
    build.at.report.add("PACKAGE_NAME", key.place, { name: key.text });
  }
  return {
    outputDir: read(build, "outputDir"),
    ...(read(build, "vendor") ? { vendor: true } : {}),
    dependencies: sortedRecord(dependencies),
  };
}

/** Reads `compiler.migrations`: the author's statements about changes that a diff cannot know. */
export function readMigrations(
  config: ConfigFields,
): Pick<ProjectModel, "renames" | "backfills" | "allowDestructive" | "accepted"> {
  const { compiler } = CONFIG.members;
  const said = readField(
    config,
    "compiler",
    (value, at) => readFields(value, compiler, at, CONFIG_FORMS),
  );
  const migrations = read(said ?? noFields(compiler, config.place, config.at), "migrations");
  const renames = read(migrations, "renames");
  const accepted = read(migrations, "accept") ?? [];
  return {
    renames: {
      tables: keyed(read(renames, "tables"), /^\w+$/, "a table name", below(renames.at, "tables")),
      columns: keyed(
        read(renames, "columns"),
        COLUMN,
        "table.column",
        below(renames.at, "columns"),
      ),
    },
    backfills: keyed(
      read(migrations, "backfills"),
      COLUMN,
      "table.column",
      below(migrations.at, "backfills"),
    ),
    allowDestructive: read(migrations, "allowDestructive"),
    ...(accepted.length === 0 ? {} : { accepted }),
  };
}

type Pairs = readonly { readonly key: Token; readonly value: string }[];

/** Returns pairs whose keys have this form; none if one of them has another form, which is reported. */
function keyed(pairs: Pairs | undefined, form: RegExp, expected: string, at: At) {
  const wrong = pairs?.find(({ key }) => !form.test(key.text))?.key;
  if (!wrong) return sortedRecord(pairs ?? []);
  return wrongType({ kind: "string", value: wrong.text, place: wrong.place }, expected, at) ?? {};
}

function sortedRecord(pairs: Pairs): Record<string, string> {
  const texts = pairs.map(({ key, value }): [string, string] => [key.text, value]);
  return Object.fromEntries(texts.sort(([a], [b]) => a < b ? -1 : 1));
}
