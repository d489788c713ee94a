/** Maps every key of the definitions to its place, for reports that name a rule (contract 4.7). It reports no mistakes. */
import type { DefinitionPlaces } from "../../../oracle/places.ts";
import { mapInSteps, type Steps } from "../../../lib/steps.ts";
import type { Origin } from "../../../model/mod.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import { Report } from "../../diagnostics/report.ts";
import type { Definition, Definitions, Value } from "../values.ts";
import { tableSource } from "./tables/forms.ts";

type Placed = readonly [path: string, place: Origin];

export function* definitionPlaces(
  { config, tables, actions }: Definitions,
): Steps<DefinitionPlaces> {
  return new Map([
    ...(config === null
      ? []
      : [placesIn(config, (definition) => entriesOf(lastObject(definition.defaultExport), ""))]),
    ...yield* mapInSteps(tables, (one) =>
      placesIn(one, (definition) => {
        // `crud.update` is another form of `update`, and `put` one of `upsert` (definitions 4).
        const source = tableSource(definition, { path: definition.file, report: new Report() });
        if (source === null) return [];
        const all = [...entriesOf(source.columns, "columns"), ...entriesOf(source.options, "")];
        return all.map((
          [path, place],
        ) => [path.replace(/^crud\./, "").replace(/^put(?=$|\.)/, "upsert"), place]);
      })),
    ...yield* mapInSteps(actions, (one) =>
      placesIn(one, ({ defaultExport, bindings, file }) => {
        const isOwn = defaultExport?.kind === "reference" && defaultExport.target.file === file;
        const value = isOwn ? bindings.get(defaultExport.target.name) ?? null : defaultExport;
        return entriesOf(lastObject(value), "");
      })),
  ]);
}

function placesIn(
  definition: Definition,
  read: (definition: Definition) => readonly Placed[],
): readonly [string, ReadonlyMap<string, Origin>] {
  return [definition.file, new Map(read(definition))];
}

/** Returns the object of a definition: the value itself, or the last object among the arguments of its call. */
function lastObject(value: Value | null): Value | null {
  if (value?.kind !== "call") return value;
  return value.args.findLast(({ kind }) => kind === "object") ?? null;
}

function entriesOf(value: Value | null, path: string): readonly Placed[] {
  switch (value?.kind) {
    case "object":
      return value.entries.flatMap(({ key, keyPlace, value: member }) => {
        const inner = path === "" ? key : `${path}.${key}`;
        return [[inner, originAt(keyPlace)], ...entriesOf(member, inner)];
      });
    case "array":
      return value.items.flatMap((item, index) => {
        const inner = `${path}[${index}]`;
        return [[inner, originAt(item.place)], ...entriesOf(item, inner)];
      });
    case "call":
      return entriesOf(lastObject(value), path);
    default:
      return [];
  }
}

function originAt({ file, line, column }: Place): Origin {
  return { file, line, column };
}
