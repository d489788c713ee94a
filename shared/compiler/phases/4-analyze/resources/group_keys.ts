/** Reads `groupBy` of a view: columns, and dates and timestamps also by a period (definitions 4.5). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { GROUP_KEY } from "../../../../definition_language/resource.ts";
import type { GroupKeyModel } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, invalidValue, type Reader, type Token, wrongType } from "../read/reader.ts";
import { readToken } from "../read/scalars.ts";
import { requireColumn } from "../tables/analysis.ts";
import type { ResourceScope } from "./resource_scope.ts";

/** Returns a reader of at least one column, each named once. */
export function groupKeysReader({ table }: ResourceScope): Reader<readonly GroupKeyModel[]> {
  return (value, at) => {
    if (value.kind !== "array") return wrongType(value, "a list of columns", at);
    if (value.items.length === 0) return invalidValue(value, "at least one column", at);
    const seen = new Set<string>();
    return value.items.flatMap((item): GroupKeyModel[] => {
      const written = readKey(item, at);
      const column = written && requireColumn(written.word, table, at.report);
      if (!written || !column) return [];
      const { word: { place }, by } = written;
      const rules = column.type && rulesOf(column.type);
      const problem = seen.has(column.name)
        ? "is named before"
        : rules?.isStructured
        ? "holds lists or objects"
        : by !== null && rules?.hasDay === false
        ? "holds no days"
        : null;
      seen.add(column.name);
      if (problem !== null) at.report.add("GROUP_KEY", place, { column: column.name, problem });
      return [{ column: column.name, by }];
    });
  };
}

interface WrittenKey {
  readonly word: Token;
  readonly by: GroupKeyModel["by"];
}

function readKey(value: Value, at: At): WrittenKey | undefined {
  if (value.kind !== "object") {
    const word = readToken(value, at);
    return word && { word, by: null };
  }
  const fields = readFields(value, GROUP_KEY, at);
  const word = fields && read(fields, "field");
  return word && { word, by: read(fields, "by") ?? null };
}
