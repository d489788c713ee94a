/** `defineAction`: the input of an action, its callers, and its code (contract 2.11, definitions 5). */
import type { output as outputOf, ZodType } from "zod";
import type { action } from "../definition_language/action.ts";
import type { TableName } from "../definition_language/register.ts";
import type { Written } from "../definition_language/shape.ts";
import type { ActionExecutor, ActionParameters } from "./handler.ts";
import type { RowOf, RowOfAction, RowOfTable, UnknownRow } from "./register.ts";

/** Maps an input field to the table whose record it names. */
export type RefsDefinition = { readonly [inputField: string]: TableName };

type NoRefs = Readonly<Record<never, never>>;

/** The records that `refs` names, by input field. */
export type RefsOf<out Refs extends RefsDefinition> = {
  readonly [Field in keyof Refs]: RowOfTable<Refs[Field]>;
};

export interface ActionDefinition<
  Input extends ZodType = ZodType,
  Row = UnknownRow,
  Refs extends RefsDefinition = RefsDefinition,
> extends
  Written<
    typeof action<
      keyof Row & string,
      Input,
      ZodType,
      Refs,
      (parameters: ActionParameters<Row, outputOf<Input>, RefsOf<Refs>>) => unknown
    >
  > {}

/** `defineAction` for the actions of one table. */
export type DefineAction<Row> = <Input extends ZodType, const Refs extends RefsDefinition = NoRefs>(
  definition: ActionDefinition<Input, Row, Refs>,
) => ActionDefinition<Input, Row, Refs>;

/** Makes the `defineAction` that a generated project uses for the actions of one table. */
export function defineActionOf<Row>(): DefineAction<Row> {
  return (definition) => definition;
}

/** One action, named after its file. */
export function defineAction<
  const Description extends string,
  Input extends ZodType,
  const Refs extends RefsDefinition = NoRefs,
>(
  definition:
    & ActionDefinition<Input, RowOfAction<Description>, Refs>
    & { readonly description?: Description },
): ActionDefinition<Input, RowOfAction<Description>, Refs> {
  return definition;
}

/** The handler of a definition: its record, input and refs. */
export type ExecutorOf<Definition> = Definition extends
  ActionDefinition<infer Input, infer Row, infer Refs>
  ? (parameters: ActionParameters<Row, outputOf<Input>, RefsOf<Refs>>) => unknown
  : ActionExecutor;

type ActionInputs = { readonly [name: string]: ZodType };

/** The actions of `defineActions`, each with its own input. */
export type ActionDefinitions<Inputs extends ActionInputs, Row> = {
  readonly [Name in keyof Inputs]: ActionDefinition<Inputs[Name], Row>;
};

/** Defines several actions of one table, or of none, in one file. This is the older form. */
export function defineActions<Of, const Inputs extends ActionInputs>(
  _table: Of,
  definitions: ActionDefinitions<Inputs, RowOf<Of>>,
): ActionDefinitions<Inputs, RowOf<Of>> {
  return definitions;
}
