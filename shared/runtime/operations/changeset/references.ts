/** `{ "$ref": "<as>.<member>" }`: a value that an earlier operation of the changeset answered (definitions 7). */
import { REFERENCE_PATTERN } from "../../../surface/changeset.ts";

const KEY = "$ref";
const TARGET = new RegExp(REFERENCE_PATTERN);

/** Made from a body, where nothing else is an instance of it. */
export class Reference {
  constructor(
    /** The `as` of an earlier operation. */
    readonly name: string,
    /** Of what that operation answered. */
    readonly member: string,
  ) {}
}

/** Null for any other value: an object with more members than `$ref` is a value like others. */
export function referenceIn(value: unknown): Reference | "malformed" | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [only] = members;
  if (members.length !== 1 || !only || only[0] !== KEY) return null;
  const [, target] = only;
  const match = typeof target === "string" ? TARGET.exec(target) : null;
  return match?.[1] && match[2] ? new Reference(match[1], match[2]) : "malformed";
}

/** Answers of the operations so far, as their caller saw them, by name. */
export type Results = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Undefined: the result has no such member for this caller. */
export function resolved({ name, member }: Reference, results: Results): unknown {
  const result = results.get(name);
  return result && Object.hasOwn(result, member) ? result[member] : undefined;
}
