/**
 * Reads values of table and action files: literals, and constants, imports, calls of known modules and references between
 * tables (definitions, "Nothing here is ever executed").
 */
import type { Expression, SpreadElement } from "@babel/types";
import { AUTH_HOOKS, RECORD_HOOKS } from "../../../model/mod.ts";
import type { Value } from "../values.ts";
import type { SourceFile } from "../1-read/layout.ts";
import { readCallChain } from "./call_chain.ts";
import { constructOf } from "./constructs.ts";
import type { Evaluation } from "./evaluation.ts";
import { textOf } from "./place.ts";
import { type Dialect, placeIn, type Reader, refusedValue } from "./reader.ts";
import { readValue } from "./read_value.ts";
import { withoutTypes } from "./syntax.ts";

/**
 * Keys of an action that need not be literals. A schema that cannot be read becomes an open schema in the API description; code
 * may be made by any call (definitions 5).
 */
const ACTION_KEYS: ReadonlySet<string> = new Set(["input", "output", "execute"]);
/** Keys with code of webhook providers and of realtime audiences. */
const SERVICE_KEYS: ReadonlySet<string> = new Set([
  "verifySignature",
  "parseEvent",
  "organizationOf",
  "recipients",
]);
const HOOK_KEYS: ReadonlySet<string> = new Set(AUTH_HOOKS);
const RECORD_HOOK_KEYS: ReadonlySet<string> = new Set(RECORD_HOOKS);
const NO_KEYS: ReadonlySet<string> = new Set();

function tolerantKeys({ kind }: SourceFile["role"]): ReadonlySet<string> {
  switch (kind) {
    case "action":
      return ACTION_KEYS;
    case "service":
      return SERVICE_KEYS;
    case "support":
      return HOOK_KEYS;
    case "hooks":
      return RECORD_HOOK_KEYS;
    default:
      return NO_KEYS;
  }
}

export function definitionDialect(evaluation: Evaluation, { role }: SourceFile): Dialect {
  return {
    tolerantKeys: tolerantKeys(role),
    readOther: (node, reader) => readOther(node, reader, evaluation),
    spreadEntries(node, reader) {
      const value = readValue(node.argument, reader);
      if (value.kind === "object") return value.entries;
      if (value.kind !== "unreadable") refuseSpread(node, reader);
      return null;
    },
    spreadItems(node, reader) {
      const value = readValue(node.argument, reader);
      if (value.kind === "array") return value.items;
      if (value.kind !== "unreadable") refuseSpread(node, reader);
      return null;
    },
    computedKey(node, reader) {
      const key = readValue(node, reader);
      if (key.kind === "string") return key.value;
      if (key.kind !== "unreadable") {
        reader.dialect.refuse("a computed key that is no text", placeIn(reader, node), reader);
      }
      return null;
    },
    refuseTypes: () => {},
    readMethod: (text, node, reader) => ({ kind: "function", text, place: placeIn(reader, node) }),
    refuse: (construct, place, { findings }) => findings.add("NOT_STATIC", place, { construct }),
  };
}

function readOther(node: Expression, reader: Reader, evaluation: Evaluation): Value {
  switch (node.type) {
    case "Identifier":
    case "MemberExpression":
    case "CallExpression":
    case "TaggedTemplateExpression":
      return readCallChain(node, reader, evaluation);
    case "ArrowFunctionExpression":
    case "FunctionExpression": {
      // `() => other.id` is a thunk; every other function is kept as text.
      const place = placeIn(reader, node);
      const body = node.params.length === 0 && !node.async ? thunkBody(node.body) : null;
      if (body === null) {
        return { kind: "function", text: textOf(node, reader.scope.source), place };
      }
      return {
        kind: "thunk",
        value: readValue(body, { ...reader, depth: reader.depth + 1 }),
        place,
      };
    }
    case "RegExpLiteral":
      return {
        kind: "regex",
        source: node.pattern,
        flags: node.flags,
        place: placeIn(reader, node),
      };
    default:
      return refusedValue(constructOf(node, reader.scope.source), node, reader);
  }
}

/** Returns a name, or a member of one, which `references` accepts. */
function thunkBody(
  body: (Expression & { readonly type: "ArrowFunctionExpression" })["body"],
): Expression | null {
  if (body.type !== "BlockStatement") {
    const value = withoutTypes(body);
    return value.type === "Identifier" || value.type === "MemberExpression" ? value : null;
  }
  const [statement, ...others] = body.body;
  if (statement?.type !== "ReturnStatement" || others.length > 0 || !statement.argument) {
    return null;
  }
  return thunkBody(statement.argument);
}

function refuseSpread(node: SpreadElement, reader: Reader): void {
  reader.dialect.refuse(constructOf(node, reader.scope.source), placeIn(reader, node), reader);
}
