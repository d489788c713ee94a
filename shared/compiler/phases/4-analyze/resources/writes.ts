/** Reads `create`, `update`, `delete`, `upsert`, also under `crud` (definitions 4, contract 4.1). */
import { BATCH_SIZE_DEFAULT } from "../../../../contract/mod.ts";
import { REMOVAL, WRITE } from "../../../../definition_language/resource.ts";
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import type { Access, BatchModel, DeleteModel, ResourceModel } from "../../../../model/mod.ts";
import type { WriteModel } from "../../../../model/mod.ts";
import type { ObjectEntry } from "../../values.ts";
import { type At, below, type Fields, read, readField, readFields } from "../read/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { accessOf, accessReader, type ResourceScope } from "./resource_scope.ts";

type Verb = "create" | "update" | "delete" | "upsert";

/** Keys of each operation. `put` is another name of `upsert`. */
const SPELLINGS: Readonly<Record<Verb, readonly string[]>> = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  upsert: ["upsert", "put"],
};

type WriteFields = Fields<(typeof WRITE)["members"]>;

type WriteOperations = Pick<ResourceModel, "create" | "update" | "delete" | "upsert">;

export function readWrites(scope: ResourceScope): WriteOperations {
  const crud = read(scope.options, "crud");
  const fieldsOf = <Own extends Members>(verb: Verb, shape: Shape<Own>) => {
    const found = writeEntry(verb, scope.options, crud);
    return found ? readFields(found.entry.value, shape, found.at) : undefined;
  };
  const write = (verb: Verb) => {
    const fields = fieldsOf(verb, WRITE);
    const action = fields?.entries.get("action");
    if (action && verb === "upsert") {
      scope.analysis.report.add("ACTION_MAPPED_UPSERT", action.keyPlace, { key: verb });
    }
    return fields ? readWrite(fields, scope) : null;
  };
  const removal = fieldsOf("delete", REMOVAL);
  return {
    create: write("create"),
    update: write("update"),
    delete: removal ? readRemoval(removal, scope) : null,
    upsert: write("upsert"),
  };
}

function readRemoval(
  fields: Fields<(typeof REMOVAL)["members"]>,
  scope: ResourceScope,
): DeleteModel {
  const mode = read(fields, "mode");
  const children = read(fields, "children");
  const restore = read(fields, "restore");
  const entry = fields.entries.get("restore");
  if (entry && mode === "hard") scope.analysis.report.add("RESTORE_HARD", entry.keyPlace, {});
  return {
    ...readWrite(fields, scope),
    mode,
    ...(children ? { children } : {}),
    ...(restore.isGiven ? { restore: { access: accessOf(restore, scope) } } : {}),
  };
}

/** Returns the configuration of an operation, with the place of its key. */
function writeEntry(
  verb: Verb,
  options: Fields,
  crud: Fields,
): { readonly entry: ObjectEntry; readonly at: At } | null {
  const found = [options, crud].flatMap((fields) =>
    SPELLINGS[verb].flatMap((key) => {
      const entry = fields.entries.get(key);
      return entry ? [{ entry, at: below(fields.at, key) }] : [];
    })
  );
  const [first, second] = found;
  if (second) {
    const { key, keyPlace } = second.entry;
    second.at.report.add("KEY_TWICE", keyPlace, { key, other: first?.at.path ?? key });
  }
  return first ?? null;
}

function readWrite(fields: WriteFields, scope: ResourceScope): WriteModel {
  const access = accessOf(fields, scope);
  const action = readAction(fields, scope);
  const entry = fields.entries.get("batch");
  if (action !== null && entry && read(fields, "batch") !== false) {
    scope.analysis.report.add("ACTION_MAPPED_BATCH", entry.keyPlace, { action });
  }
  return { access, batch: readBatch(fields, access, scope), action };
}

/** Returns the batch of a write. Every single write has one, unless it is switched off (contract 4.1 rule 6). */
function readBatch(write: WriteFields, access: Access, scope: ResourceScope): BatchModel | null {
  const batch = read(write, "batch");
  if (batch === false) return null;
  if (!batch) return { access, maxBatchSize: BATCH_SIZE_DEFAULT, allowFailFast: true };
  return {
    access: readField(batch, "access", accessReader(scope)) ?? access,
    maxBatchSize: read(batch, "maxBatchSize"),
    allowFailFast: read(batch, "allowFailFast"),
  };
}

function readAction(write: WriteFields, { analysis, table }: ResourceScope): string | null {
  const word = read(write, "action");
  if (!word) return null;
  const known = analysis.actions.filter((action) => action.table === table.name)
    .map((action) => action.name);
  if (known.includes(word.text) || !analysis.knowsActions) return word.text;
  const meant = nearest(word.text, known);
  const details = { action: word.text, table: table.name, nearest: meant };
  analysis.report.add("ACTION_UNKNOWN", word.place, details);
  return null;
}
