/** Reads relation fields of Prisma: the models and columns on both sides. */
import { argument, type Block, type Field, namesIn, textIn } from "./blocks.ts";

export interface Side {
  /** Other model of the relation. */
  readonly model: Block;
  readonly keys: readonly { readonly theirs: string; readonly own: string }[];
}

export type Models = ReadonlyMap<string, Block>;

export function attributeOf(
  { attributes }: { readonly attributes: Field["attributes"] },
  name: string,
): string | null {
  return attributes.find((one) => one.name === name)?.args ?? null;
}

/** Returns the columns of the field's key; empty: the key is on the other side. */
export function keyColumns(field: Field): readonly string[] {
  return namesIn(argument(attributeOf(field, "relation") ?? "", "fields"));
}

export function relationName(field: Field): string | null {
  const args = attributeOf(field, "relation");
  return args === null ? null : textIn(argument(args, "name", true));
}

/** Returns one side of a relation; null: the field is no relation, or one of a many-to-many relation. */
export function sideOf(field: Field, owner: Block, models: Models): Side | null {
  const model = models.get(field.type);
  if (!model) return null;
  const fields = keyColumns(field);
  if (fields.length > 0) return { model, keys: pairsOf(field) };
  const other = counterpartOf(field, owner, model);
  if (!other || keyColumns(other).length === 0) return null;
  return { model, keys: pairsOf(other).map(({ theirs, own }) => ({ theirs: own, own: theirs })) };
}

function pairsOf(field: Field): Side["keys"] {
  const references = namesIn(argument(attributeOf(field, "relation") ?? "", "references"));
  return keyColumns(field).map((own, at) => ({ own, theirs: references[at] ?? "id" }));
}

/** Returns the field of the other model that is the other side of this relation. */
export function counterpartOf(field: Field, owner: Block, model: Block): Field | undefined {
  const name = relationName(field);
  return model.fields.find((other) =>
    other !== field && other.type === owner.name && relationName(other) === name
  );
}
