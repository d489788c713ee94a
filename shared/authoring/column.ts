/** Column builders, such as `q.text().required()`: immutable data whose methods return extended copies (definitions 3). */
import type { MADE_DEFAULT, REFERENCE_OPTIONS } from "../definition_language/columns.ts";
import type { Written } from "../definition_language/shape.ts";
import type { FilterOperator } from "../column_types/mod.ts";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";

export type OnDelete = NonNullable<Written<typeof REFERENCE_OPTIONS>["onDelete"]>;

/** A reference to a column of another table. */
export type ColumnReference<Value = unknown> = DeclaredColumn<Value> | AnySQLiteColumn;

export interface DeclaredColumn<Value = unknown> {
  readonly kind: "column";
  readonly table: string;
  readonly column: string;
  /** Exists for the type checker only. */
  readonly value?: Value;
}

export interface ColumnModifier {
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface ColumnDefinition<Type extends string> {
  readonly type: Type;
  readonly options: Readonly<Record<string, unknown>>;
  /** The modifiers in the order of their calls. */
  readonly modifiers: readonly ColumnModifier[];
}

type Made = Written<typeof MADE_DEFAULT>;

/** Arguments of `.default()` besides a value, by builder. */
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

  /** A create must set the column unless it has a default. It is never null. */
  required(): ColumnBuilder<Value, Type> {
    return this.#with("required");
  }

  /** The column may be null. This is the initial state of every column. */
  optional(): ColumnBuilder<Value, Type> {
    return this.#with("optional");
  }

  /** The value of a column that a create omits: a fixed one, or one that is made for each row. */
  default(value: Value | MadeDefault<Type>): ColumnBuilder<Value, Type> {
    return this.#with("default", value);
  }

  /** The default is the time of the create. */
  defaultNow(this: ColumnBuilder<Value, "timestamp">): ColumnBuilder<Value, "timestamp"> {
    return this.#with("defaultNow");
  }

  /** Two live rows of a tenant cannot have the same value. */
  unique(): ColumnBuilder<Value, Type> {
    return this.#with("unique");
  }

  /** Adds an index over the column. */
  index(): ColumnBuilder<Value, Type> {
    return this.#with("index");
  }

  /**
   * A foreign key, `.references(() => other.id)`. In a circle of tables one arrow needs a type: `(): ColumnReference =>
   * other.id`.
   */
  references(
    target: () => ColumnReference,
    options: Written<typeof REFERENCE_OPTIONS> = {},
  ): ColumnBuilder<Value, Type> {
    return this.#with("references", target, options);
  }

  /** Includes the column in `search`. As soon as one column has this, `search` covers only such columns. */
  searchable(): ColumnBuilder<Value, Type> {
    return this.#with("searchable");
  }

  /**
   * Adds an index, because lists are often filtered by the column. With operators (`"eq"`, `"in"`, …) only these may filter by
   * it.
   */
  filterable(..._operators: readonly FilterOperator[]): ColumnBuilder<Value, Type> {
    return this.#with("filterable");
  }

  /** Adds an index, because lists are often sorted by the column. */
  sortable(): ColumnBuilder<Value, Type> {
    return this.#with("sortable");
  }

  /** Only these actions may write the column. */
  protected(...actions: readonly string[]): ColumnBuilder<Value, Type> {
    return this.#with("protected", ...actions);
  }

  /** A create sets the column, and nothing changes it. */
  immutable(): ColumnBuilder<Value, Type> {
    return this.#with("immutable");
  }

  /** A description for people and models who read the API's description. Default: the column's doc comment. */
  describe(text: string): ColumnBuilder<Value, Type> {
    return this.#with("describe", text);
  }

  #with(name: string, ...args: readonly unknown[]): ColumnBuilder<Value, Type> {
    const { type, options, modifiers } = this.definition;
    return new ColumnBuilder({ type, options, modifiers: [...modifiers, { name, args }] });
  }
}
