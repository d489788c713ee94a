import { toldOf } from "../../support/analysis.ts";
import type { MistakeRow } from "../../support/analysis.ts";
import { assertEquals } from "@std/assert";
import { withAction } from "../../support/actions.ts";

const ROWS: readonly MistakeRow[] = [
  ["standalone", "standalone: true,", [
    'ACTION_STANDALONE_KEY 4:1 Action "close" has no key "standalone" | Remove it: an action with a path is standalone',
  ]],
  ["an unknown key", "acces: 1,", [
    'UNKNOWN_KEY 4:1 Unknown key "acces" in close | Did you mean "access"?',
  ]],
  ["no description", 'description: "",', [
    'VALUE_INVALID 4:14 "close.description" is "", expected a text that is not empty',
  ]],
  ["a description that is no text", "description: 1,", [
    'VALUE_TYPE 4:14 "close.description" is 1, expected a string',
  ]],
  ["an access without anything", "access: {},", [
    'VALUE_INVALID 4:9 "close.access" is an empty object, expected roles, or another condition',
  ]],
  ["an access with an unknown column", 'access: { record: { statu: "open" } },', [
    'COLUMN_UNKNOWN 4:21 Unknown column "statu" of table "jobs" | Did you mean "status"?',
  ]],
  ["execute and handler", 'execute: () => 1, handler: "./x",', [
    'ACTION_BEHAVIOUR_TWICE 4:19 Action "close" has both execute and handler | Remove one of them',
  ]],
  ["neither execute nor handler", "// no handler, no transition", [
    'ACTION_BEHAVIOUR_MISSING 3:16 Action "close" has no execute, no handler and no transition | Add exactly one of execute and handler, or a transition',
  ]],
  ["an execute that is no function", 'execute: "close",', [
    'VALUE_TYPE 4:10 "close.execute" is "close", expected a function',
  ]],
  ["a handler that is not there", 'handler: "./handlers/close",', [
    'HANDLER_MISSING 4:10 There is no handler at "./handlers/close"',
  ]],
  ["a handler outside of the project", 'handler: "../../../../../x",', [
    'HANDLER_MISSING 4:10 There is no handler at "../../../../../x"',
  ]],
  ["an unknown method", 'method: "GETT",', [
    'VALUE_UNKNOWN 4:9 "close.method" is "GETT", expected one of "GET", "POST", "PUT", "PATCH", "DELETE" | Did you mean "GET"?',
  ]],
  ["a stream of a record action", 'responseType: "stream",', [
    'ACTION_RESPONSE_TYPE 4:15 Record action "close" cannot answer with responseType "stream" | Only standalone actions can: give it a path',
  ]],
  ["an unknown response type", 'path: "./x", responseType: "xml",', [
    'VALUE_UNKNOWN 4:28 "close.responseType" is "xml", expected one of "json", "stream", "file"',
  ]],
  ["a path without a slash", 'path: "close",', [
    'ACTION_PATH_INVALID 4:7 Path "close" must begin with "/" or "./" | Write "/area/name", or "./name" below the resource',
  ]],
  ["a path with a parent", 'path: "/../close",', [
    'ACTION_PATH_INVALID 4:7 Path "/../close" leads elsewhere | Write "/area/name", or "./name" below the resource',
  ]],
  ["a path with an empty segment", 'path: "/a//b",', [
    'ACTION_PATH_INVALID 4:7 Path "/a//b" has an empty segment | Write "/area/name", or "./name" below the resource',
  ]],
  ["a path with a space", 'path: "/a b",', [
    'ACTION_PATH_INVALID 4:7 Path "/a b" has the segment "a b" | Write "/area/name", or "./name" below the resource',
  ]],
  ["a path with a parameter twice", 'path: "/a/:id/:id",', [
    'ACTION_PATH_INVALID 4:7 Path "/a/:id/:id" has two parameters of one name | Write "/area/name", or "./name" below the resource',
  ]],
  ["a path of a collection", 'path: "/jobs",', [
    'ACTION_PATH_RESERVED 4:7 Path "/jobs" belongs to resource "jobs" | Choose another path',
  ]],
  ["a path of a record", 'path: "/jobs/:id",', [
    'ACTION_PATH_RESERVED 4:7 Path "/jobs/:id" belongs to resource "jobs" | Choose another path',
  ]],
  ["a path of a view", 'path: "/jobs/views/mine",', [
    'ACTION_PATH_RESERVED 4:7 Path "/jobs/views/mine" belongs to resource "jobs" | Choose another path',
  ]],
  ["a path of a batch", 'path: "./batch",', [
    'ACTION_PATH_RESERVED 4:7 Path "/jobs/batch" belongs to resource "jobs" | Choose another path',
  ]],
  ["a path of the service", 'path: "/token",', [
    'ACTION_PATH_RESERVED 4:7 Path "/token" belongs to the service | Choose another path',
  ]],
  [
    "a record condition without a record",
    'path: "./x", access: { or: [{ roles: ["a"] }, { record: { status: "open" } }] },',
    ['ACTION_RECORD_CONDITION 4:49 Action "close" binds no record, so access.record cannot hold | Remove the condition, or check it in the handler'],
  ],
  ["a rate limit over another period", "rateLimit: { limit: 5, period: 30 },", [
    'VALUE_UNKNOWN 4:32 "close.rateLimit.period" is 30, expected one of 10, 60',
  ]],
  ["a rate limit of none", "rateLimit: { limit: 0, period: 60 },", [
    'VALUE_INVALID 4:21 "close.rateLimit.limit" is 0, expected an integer of at least 1',
  ]],
  ["a rate limit without a period", "rateLimit: { limit: 1 },", [
    'KEY_MISSING 4:12 Key "period" is missing in close.rateLimit',
  ]],
  ["unsafe without a reason", "unsafe: { crossTenant: true },", [
    'KEY_MISSING 4:9 Key "reason" is missing in close.unsafe',
  ]],
  ["unsafe with an unknown key", 'unsafe: { reason: "x", admin: true },', [
    'UNKNOWN_KEY 4:24 Unknown key "admin" in close.unsafe | There are "reason", "adminOnly", "crossTenant", "targetScope"',
  ]],
  ["unsafe of all without crossTenant", 'unsafe: { reason: "x", targetScope: "all" },', [
    'UNSAFE_SCOPE 4:24 targetScope "all" needs crossTenant: true | Set crossTenant: true, or targetScope: "organization"',
  ]],
  ["unsafe true", "unsafe: true,", [
    'VALUE_TYPE 4:9 "close.unsafe" is true, expected an object with a reason | Write unsafe: { reason: "why it goes past the rules of the table" }',
  ]],
  ["a ref of an unknown field", 'refs: { idd: "jobs" },', [
    'INPUT_FIELD_UNKNOWN 4:9 The input has no field "idd" | Did you mean "id"?',
  ]],
  ["a ref to an unknown table", 'refs: { id: "job" },', [
    'TABLE_UNKNOWN 4:13 Unknown table "job" | Did you mean "jobs"?',
  ]],
  ["a ref of a field that is no id", 'refs: { to: "jobs" },', [
    'INPUT_FIELD_TYPE 4:9 Field "to" of the input must be an id',
  ]],
  ["a signal without a variant", 'invalidates: ["board"],', [
    'VALUE_INVALID 4:15 "close.invalidates[0]" is "board", expected "<binding>.<variant>" of the realtime registry',
  ]],
  ["allowRawSql that is no boolean", 'allowRawSql: "yes",', [
    'VALUE_TYPE 4:14 "close.allowRawSql" is "yes", expected true or false',
  ]],
  ["a GET with a nested input", 'method: "GET", input: z.object({ a: z.object({}) }),', [
    'ACTION_GET_INPUT 4:16 Input of GET action "close" has the nested member "a" | Use z.object({…}) of single values, or another method',
  ]],
  ["a GET with a list as input", 'method: "GET", input: z.array(z.string()),', [
    'ACTION_GET_INPUT 4:16 Input of GET action "close" is no object | Use z.object({…}) of single values, or another method',
  ]],
];

const TRANSITIONS: readonly MistakeRow[] = [
  ["a transition that is no object", 'transition: "status",', [
    'VALUE_TYPE 4:13 "close.transition" is "status", expected an object',
  ]],
  [
    "an unknown key",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", stamps: "x" },',
    ['UNKNOWN_KEY 4:76 Unknown key "stamps" in close.transition | Did you mean "stamp"?'],
  ],
  ["no field", 'transition: { fromTo: { open: ["closed"] }, to: "closed" },', [
    'KEY_MISSING 4:13 Key "field" is missing in close.transition',
  ]],
  [
    "an unknown field",
    'transition: { field: "statuss", fromTo: { open: ["closed"] }, to: "closed" },',
    ['COLUMN_UNKNOWN 4:22 Unknown column "statuss" of table "jobs" | Did you mean "status"?'],
  ],
  [
    "a field that holds no state",
    'transition: { field: "amount", fromTo: { open: ["closed"] }, to: "closed" },',
    ['TRANSITION_TYPE 4:22 Column "amount" of type int has no states to move between | Use a q.enum([…]) column'],
  ],
  [
    "an unknown state",
    'transition: { field: "status", fromTo: { opne: ["closed"] }, to: "closed" },',
    ['TRANSITION_STATE 4:42 Unknown state "opne" | Did you mean "open"?'],
  ],
  [
    "an unknown next state",
    'transition: { field: "status", fromTo: { open: ["close"] }, to: "closed" },',
    ['TRANSITION_STATE 4:49 Unknown state "close" | Did you mean "closed"?'],
  ],
  [
    "a move that the table does not have",
    'transition: { field: "status", fromTo: { closed: ["open"] }, to: "open" },',
    ['TRANSITION_OUTSIDE 4:51 The transitions of table "jobs" have no move from "closed" to "open" | Add it to the table\'s transitions, or remove it here'],
  ],
  [
    "to and via",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", via: "to" },',
    ['TRANSITION_TARGET 4:13 A transition has both to and via | Write to: "<state>", or via: "<input field>"'],
  ],
  ["neither to nor via", 'transition: { field: "status", fromTo: { open: ["closed"] } },', [
    'TRANSITION_TARGET 4:13 A transition has neither to nor via | Write to: "<state>", or via: "<input field>"',
  ]],
  [
    "a target that no move reaches",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "paused" },',
    ['TRANSITION_UNREACHED 4:66 No state in fromTo leads to "paused"'],
  ],
  [
    "an unknown target",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "close" },',
    ['TRANSITION_STATE 4:66 Unknown state "close" | Did you mean "closed"?'],
  ],
  [
    "via an unknown input",
    'transition: { field: "status", fromTo: { open: ["closed"] }, via: "too" },',
    ['INPUT_FIELD_UNKNOWN 4:67 The input has no field "too" | Did you mean "to"?'],
  ],
  ["via a number", 'transition: { field: "status", fromTo: { open: ["closed"] }, via: "count" },', [
    'INPUT_FIELD_TYPE 4:67 Field "count" of the input must be a text',
  ]],
  [
    "a guard on an unknown column",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", guard: { amout: 1 } },',
    ['COLUMN_UNKNOWN 4:85 Unknown column "amout" of table "jobs" | Did you mean "amount"?'],
  ],
  [
    "a guard with an unknown operator",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", guard: { amount: { above: 1 } } },',
    ['OPERATOR_UNKNOWN 4:95 Unknown operator "above" | There are "equals", "notEquals", "in", "notIn", "lessThan", "greaterThan", "lessThanOrEqual", "greaterThanOrEqual"'],
  ],
  [
    "onIllegal without a code",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", onIllegal: { message: "No" } },',
    ['KEY_MISSING 4:87 Key "code" is missing in close.transition.onIllegal'],
  ],
  [
    "onIllegal with a success",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", onIllegal: { code: "NO", status: 200, message: "No" } },',
    ['VALUE_INVALID 4:109 "close.transition.onIllegal.status" is 200, expected an integer from 400 to 499'],
  ],
  [
    "idempotent true",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", idempotent: true },',
    ['VALUE_TYPE 4:88 "close.transition.idempotent" is true, expected "noop"'],
  ],
  [
    "an unknown stamp",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", stamp: "closed" },',
    ['COLUMN_UNKNOWN 4:83 Unknown column "closed" of table "jobs" | Did you mean "closedAt"?'],
  ],
  [
    "a stamp that is no time",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", stamp: "reason" },',
    ['TRANSITION_COLUMN 4:83 Column "reason" of stamp is not a timestamp of your own'],
  ],
  [
    "clears what is required",
    'transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed", clears: ["title"] },',
    ['TRANSITION_COLUMN 4:85 Column "title" of clears is not a column that may be null'],
  ],
  [
    "a transition without a record",
    'path: "./x", transition: { field: "status", fromTo: { open: ["closed"] }, to: "closed" },',
    ['TRANSITION_PLACE 4:14 Action "close" binds no record that could make a transition | Remove its path or its transition'],
  ],
];

for (const [title, source, expected] of ROWS) {
  Deno.test(`Action: ${title}`, () => assertEquals(toldOf(withAction(source).errors), expected));
}

for (const [title, source, expected] of TRANSITIONS) {
  Deno.test(`Transition: ${title}`, () => {
    assertEquals(toldOf(withAction(source).errors), expected);
  });
}
