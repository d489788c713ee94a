/** `defineRuntime("x", {…})` and its siblings, or the plain object `{ name: "x", … }` (definitions 2). */
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { formFor } from "../read/other_words.ts";
import { type At, type Reader, wrongType } from "../read/reader.ts";
import { oneOf } from "../read/scalars.ts";

export interface Provider<Name extends string> {
  readonly name: Name;
  readonly options: Fields;
}

interface ProviderShape<Name extends string> {
  readonly define: string;
  readonly names: readonly Name[];
  /** Forms to write for the names of others. */
  readonly forms?: Readonly<Record<string, string>>;
  /** Option keys of the named provider. */
  readonly keys: (name: Name) => readonly string[];
}

/** Reads a provider in either spelling. */
export function readProvider<Name extends string>(
  shape: ProviderShape<Name>,
): Reader<Provider<Name>> {
  return (value, at) => {
    if (value.kind === "call" && value.callee === shape.define) {
      return readCall(value, shape, at);
    }
    if (value.kind === "object") return readPlain(value, shape, at);
    const [example] = shape.names;
    const called = value.kind === "string" && shape.names.some((name) => name === value.value)
      ? value.value
      : example;
    const form = (value.kind === "string" ? formFor(value.value, shape.forms) : null) ??
      `Write ${shape.define}(${JSON.stringify(called)})`;
    return wrongType(value, `a call of ${shape.define}()`, at, form);
  };
}

function readCall<Name extends string>(
  call: Value & { readonly kind: "call" },
  shape: ProviderShape<Name>,
  at: At,
): Provider<Name> | undefined {
  const [nameValue, optionsValue, ...rest] = call.args;
  if (!nameValue || rest.length > 0) {
    const expected = `${shape.define}(name, options)`;
    at.report.add("ARGUMENTS", call.place, { callee: shape.define, expected });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(nameValue, at);
  if (name === undefined) return undefined;
  const value = optionsValue ?? emptyObject(call);
  const options = readFields(value, { keys: shape.keys(name) }, at);
  return options && { name, options };
}

function readPlain<Name extends string>(
  value: Value & { readonly kind: "object" },
  shape: ProviderShape<Name>,
  at: At,
): Provider<Name> | undefined {
  const named = value.entries.find((entry) => entry.key === "name");
  if (!named) {
    at.report.add("KEY_MISSING", value.place, { key: "name", owner: at.path });
    return undefined;
  }
  const name = oneOf(shape.names, shape.forms)(named.value, at);
  if (name === undefined) return undefined;
  const keys = shape.keys(name);
  const nested = value.entries.some((entry) => entry.key === "config");
  if (!nested) {
    const flat = readFields(value, { keys: ["name", ...keys] }, at);
    return flat && { name, options: flat };
  }
  const outer = readFields(value, { keys: ["name", "config"] }, at);
  const options = outer &&
    readField(outer, "config", (member, place) => readFields(member, { keys }, place));
  return options && { name, options };
}

/** The nth argument of a call, when there is one. */
export function calledOptions(call: Value & { readonly kind: "call" }, index: number) {
  return call.args[index];
}

function emptyObject(value: Value): Value {
  return { kind: "object", entries: [], place: value.place };
}
