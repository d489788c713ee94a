/** `create`, `update`, `delete`, `upsert`, also under `crud` (definitions 4, contract 4.1). */
import { BATCH_SIZE_DEFAULT } from "../../../../contract/limits.ts";
import type { Access } from "../../../../model/access.ts";
import type { BatchModel, DeleteModel, WriteModel } from "../../../../model/resource.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { type At, below, type Reader } from "../read/reader.ts";
import { integer, oneOf, readBoolean, readToken } from "../read/scalars.ts";
import { accessOf, accessReader, type ResourceScope } from "./resource_scope.ts";

type Verb = "create" | "update" | "delete" | "upsert";

/** `put` is `upsert`. */
const SPELLINGS: Readonly<Record<Verb, readonly string[]>> = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  upsert: ["upsert", "put"],
};

const CRUD_KEYS = Object.values(SPELLINGS).flat();

interface WriteOperations {
  readonly create: WriteModel | null;
  readonly update: WriteModel | null;
  readonly delete: DeleteModel | null;
  readonly upsert: WriteModel | null;
}

export function readWrites(scope: ResourceScope): WriteOperations {
  const crud = readField(scope.options, "crud", (value, at) =>
    readFields(value, {
      keys: CRUD_KEYS,
      replaced: { list: "read", get: "read", read: "read", views: "read.views" },
    }, at));
  const read = (verb: Verb) => {
    const found = writeEntry(verb, scope.options, crud);
    return found ? readWrite(found, verb, scope) : null;
  };
  const removal = read("delete");
  return {
    create: withoutMode(read("create")),
    update: withoutMode(read("update")),
    delete: removal && { ...removal, mode: removal.mode ?? "soft" },
    upsert: withoutMode(read("upsert")),
  };
}

/** A model is JSON: a member that means nothing is absent, not undefined. */
function withoutMode(write: WriteModel | null): WriteModel | null {
  return write && { access: write.access, batch: write.batch, action: write.action };
}

/** The configuration of an operation, with the place of its key. */
function writeEntry(
  verb: Verb,
  options: Fields,
  crud: Fields | undefined,
): { readonly entry: ObjectEntry; readonly at: At } | null {
  const found = [options, ...(crud ? [crud] : [])].flatMap((fields) =>
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

function readWrite(
  { entry, at }: { readonly entry: ObjectEntry; readonly at: At },
  verb: Verb,
  scope: ResourceScope,
): (WriteModel & { readonly mode: DeleteModel["mode"] | undefined }) | null {
  const keys = ["access", "batch", "action", ...(verb === "delete" ? ["mode"] : [])];
  const fields = readFields(entry.value, { keys }, at);
  if (!fields) return null;
  const access = accessOf(fields, scope);
  return {
    access,
    batch: readBatch(fields, { access, scope }),
    action: readAction(fields, scope),
    mode: readField(fields, "mode", oneOf(["soft", "hard"])),
  };
}

/** Batch exists wherever the single write does, unless it is switched off (contract 4.1 rule 6). */
function readBatch(
  write: Fields,
  { access, scope }: { readonly access: Access; readonly scope: ResourceScope },
): BatchModel | null {
  const defaults: BatchModel = { access, maxBatchSize: BATCH_SIZE_DEFAULT, allowFailFast: true };
  const reader: Reader<BatchModel | null> = (value: Value, at: At) => {
    if (value.kind === "boolean" && !value.value) return null;
    const fields = readFields(value, { keys: ["access", "maxBatchSize", "allowFailFast"] }, at);
    return fields && {
      access: readField(fields, "access", accessReader(scope)) ?? access,
      maxBatchSize: readField(fields, "maxBatchSize", integer(1)) ?? BATCH_SIZE_DEFAULT,
      allowFailFast: readField(fields, "allowFailFast", readBoolean) ?? true,
    };
  };
  const batch = readField(write, "batch", reader);
  return batch === undefined ? defaults : batch;
}

function readAction(write: Fields, { analysis, table }: ResourceScope): string | null {
  const word = readField(write, "action", readToken);
  if (!word) return null;
  const known = analysis.actions.filter((action) => action.table === table.name)
    .map((action) => action.name);
  if (known.includes(word.text) || !analysis.knowsActions) return word.text;
  const meant = nearest(word.text, known);
  const details = { action: word.text, table: table.name, nearest: meant };
  analysis.report.add("ACTION_UNKNOWN", word.place, details);
  return null;
}
