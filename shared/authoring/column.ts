/** Column builders: what `q.text().required()` is. Inert data, with methods that return more of it (definitions 3). */
import type { MADE_DEFAULT, REFERENCE_OPTIONS } from "../definition_language/columns.ts";
import type { Written } from "../definition_language/shape.ts";
import type { FilterOperator } from "../column_types/mod.ts";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";

export type OnDelete = NonNullable<Written<typeof REFERENCE_OPTIONS>["onDelete"]>;

/** A column of a table, as other tables name it. */
export type ColumnReference<Value = unknown> = DeclaredColumn<Value> | AnySQLiteColumn;

export interface DeclaredColumn<Value = unknown> {
  readonly kind: "column";
  readonly table: string;
  readonly column: string;
  /** For the type checker only: nothing stands there. */
  readonly value?: Value;
}

export interface ColumnModifier {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface ColumnDefinition<Type extends string> {
  readonly type: Type;
  readonly options: Readonly<Record<string, unknown>>;
  /** In the order in which they were called. */
  readonly modifiers: readonly ColumnModifier[];
}

type Made = Written<typeof MADE_DEFAULT>;

/** Arguments of `.default()` beside a value, by builder. */
export type MadeDefault<Type extends string> = Type extends "text"
  ? Pick<Made, "random"> | (Pick<Made, "start" | "per"> & { readonly sequence: string })
  : Type extends "int" ? Pick<Made, "start" | "per"> & { readonly sequence: true }
  : never;

/** `Value` is the column's type in the API, `Type` the builder that made it. */
export class ColumnBuilder<Value, Type extends string = string> {
  readonly definition: ColumnDefinition<Type>;

  constructor(definition: ColumnDefinition<Type>) {
    this.definition = definition;
  }

  /** A create must set it, unless it has a default; it is never null. */
  required(): ColumnBuilder<Value, Type> {
    return this.#with("required");
  }

  /** It may be null: how every column starts. */
  optional(): ColumnBuilder<Value, Type> {
    return this.#with("optional");
  }

  /** Value that is stored when a create omits the column: it, or one that is made for each row. */
  default(value: Value | MadeDefault<Type>): ColumnBuilder<Value, Type> {
    return this.#with("default", value);
  }

  /** The time of the create. */
  defaultNow(this: ColumnBuilder<Value, "timestamp">): ColumnBuilder<Value, "timestamp"> {
    return this.#with("defaultNow");
  }

  /** No two live rows of a tenant share a value. */
  unique(): ColumnBuilder<Value, Type> {
    return this.#with("unique");
  }

  /** Makes an index over it. */
  index(): ColumnBuilder<Value, Type> {
    return this.#with("index");
  }

  /** A foreign key, `.references(() => other.id)`. Tables that refer in a circle annotate one arrow: `(): ColumnReference => other.id`. */
  references(
    target: () => ColumnReference,
    options: Written<typeof REFERENCE_OPTIONS> = {},
  ): ColumnBuilder<Value, Type> {
    return this.#with("references", target, options);
  }

  /** As soon as one column says so, `search` covers only those that do. */
  searchable(): ColumnBuilder<Value, Type> {
    return this.#with("searchable");
  }

  /** Lists are often filtered by it: it gets an index. With operators (`"eq"`, `"in"`, …), by those alone. */
  filterable(..._operators: readonly FilterOperator[]): ColumnBuilder<Value, Type> {
    return this.#with("filterable");
  }

  /** Lists are often sorted by it: it gets an index. */
  sortable(): ColumnBuilder<Value, Type> {
    return this.#with("sortable");
  }

  /** Only these actions write it. */
  protected(...actions: readonly string[]): ColumnBuilder<Value, Type> {
    return this.#with("protected", ...actions);
  }

  /** Set on create, never changed. */
  immutable(): ColumnBuilder<Value, Type> {
    return this.#with("immutable");
  }

  /** For people and models who read the API's description; without it, the column's doc comment. */
  describe(text: string): ColumnBuilder<Value, Type> {
    return this.#with("describe", text);
  }

  #with(name: string, ...args: readonly unknown[]): ColumnBuilder<Value, Type> {
    const { type, options, modifiers } = this.definition;
    return new ColumnBuilder({ type, options, modifiers: [...modifiers, { name, args }] });
  }
}
