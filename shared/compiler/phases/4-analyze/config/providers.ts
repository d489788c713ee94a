/** `defineRuntime("x", {…})` and its siblings, or the plain object `{ name: "x", … }` (definitions 2). */
import type { Value } from "../../values.ts";
import { PLAIN_PROVIDER } from "../../../../definition_language/config.ts";
import { type Members, object, type Shape } from "../../../../definition_language/shape.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { formFor } from "../read/other_words.ts";
import { type At, wrongType } from "../read/reader.ts";
import { oneOf } from "../read/scalars.ts";
import type { ProviderFields } from "./config_fields.ts";

interface Provider<Name extends string, Wide extends Members> {
  readonly name: Name;
  readonly options: Fields<Wide>;
}

interface ProviderShape<Name extends string, Wide extends Members> {
  readonly define: string;
  readonly names: readonly Name[];
  /** Forms to write for the names of others. */
  readonly forms?: Readonly<Record<string, string>>;
  /** Options of each, by name. */
  readonly shapes: Readonly<Record<Name, Shape>>;
  /** The options of all of them. */
  readonly wide: Shape<Wide>;
}

/** Reads a provider in either spelling; undefined when it is absent or wrong. */
export function readProvider<Name extends string, Wide extends Members>(
  providers: ProviderFields,
  key: "runtime" | "database" | "auth",
  shape: ProviderShape<Name, Wide>,
): Provider<Name, Wide> | undefined {
  return readField(providers, key, (value, at) => {
    if (value.kind === "call" && value.callee === shape.define) return readCall(value, shape, at);
    if (value.kind === "object") return readPlain(value, shape, at);
    const [example] = shape.names;
    const called = value.kind === "string" && shape.names.some((name) => name === value.value)
      ? value.value
      : example;
    const form = (value.kind === "string" ? formFor(value.value, shape.forms) : null) ??
      `Write ${shape.define}(${JSON.stringify(called)})`;
    return wrongType(value, `a call of ${shape.define}()`, at, form);
  });
}

function readCall<Name extends string, Wide extends Members>(
  call: Value & { readonly kind: "call" },
  shape: ProviderShape<Name, Wide>,
  at: At,
): Provider<Name, Wide> | undefined {
  const [nameValue, optionsValue, ...rest] = call.args;
  if (!nameValue || rest.length > 0) {
    const expected = `${shape.define}(name, options)`;
    at.report.add("ARGUMENTS", call.place, { callee: shape.define, expected });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(nameValue, at);
  if (name === undefined) return undefined;
  const value: Value = optionsValue ?? { kind: "object", entries: [], place: call.place };
  return withOptions(name, readFields(value, shape.shapes[name], at), shape);
}

function withOptions<Name extends string, Wide extends Members>(
  name: Name,
  options: Fields | undefined,
  { wide }: ProviderShape<Name, Wide>,
): Provider<Name, Wide> | undefined {
  return options && { name, options: { ...options, members: wide.members } };
}

function readPlain<Name extends string, Wide extends Members>(
  value: Value & { readonly kind: "object" },
  shape: ProviderShape<Name, Wide>,
  at: At,
): Provider<Name, Wide> | undefined {
  const named = value.entries.find((entry) => entry.key === "name");
  if (!named) {
    at.report.add("KEY_MISSING", value.place, { key: "name", owner: at.path });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(named.value, at);
  if (name === undefined) return undefined;
  const options = shape.shapes[name];
  if (!value.entries.some((entry) => entry.key === "config")) {
    const flat = object({ name: PLAIN_PROVIDER.members.name, ...options.members });
    return withOptions(name, readFields(value, flat, at), shape);
  }
  const outer = readFields(value, PLAIN_PROVIDER, at);
  const inner = outer &&
    readField(outer, "config", (member, place) => readFields(member, options, place));
  return withOptions(name, inner, shape);
}
