/** Leaks to plant in an output, one in each channel; the environment says which of them is open. */
import type { Channel } from "../../proof/questions/question.ts";
import type { Patch } from "./leaky_project.ts";

export interface PlantedLeak {
  readonly name: string;
  /** Where it must be found. */
  readonly channel: Channel;
  /** Of the place and the column. */
  readonly told: RegExp;
  readonly patches: readonly Patch[];
}

/** Names the leak that is open. */
export const SWITCH = "PLANTED_LEAK";

/** Code that is true while the leak of this name is open. */
const on = (name: string) => `(Deno.env.get("${SWITCH}") === ${JSON.stringify(name)})`;

/** What was masked lately, for leaks that bring it out somewhere else. */
const HIDDEN = '(Reflect.get(globalThis, "hidden") ?? "")';

function leak(
  name: string,
  { channel, told, patches }: {
    readonly channel: Channel;
    readonly told: RegExp;
    /** File below `src`, what stands there, and what it becomes, given the code that says whether it is open. */
    readonly patches: (isOpen: string) => readonly (readonly [string, string, string])[];
  },
): PlantedLeak {
  const made = patches(on(name)).map(([file, find, replace]) => ({ file, find, replace }));
  return { name, channel, told, patches: made };
}

/** The JSON text of a record, and the value in it. */
const WITH_HIDDEN = 'json.replace("{", () => `{"was":${JSON.stringify(' + HIDDEN + ")},`)";

const MASKED = "JSON.stringify(maskValue(type, String(value)))";

export const LEAKS: readonly PlantedLeak[] = [
  leak("a list without masks that hide all", {
    channel: "list",
    told: /verdict|rank|salary/,
    patches: (isOpen) => [[
      "quickback/runtime/data/record_plan.ts",
      "${sqlString(hidden)} END",
      "${" + isOpen + " ? cell : sqlString(hidden)} END",
    ]],
  }),
  leak("a file without the mask of its column", {
    channel: "file",
    told: /header (?:content-length|etag)/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/files/read_file.ts",
      "await requirePlain(call, key, row);",
      `if (!${isOpen}) await requirePlain(call, key, row);`,
    ]],
  }),
  leak("a single read without masks that show a part", {
    channel: "get",
    told: /people\.(email|name|phone)/,
    patches: (isOpen) => [[
      "quickback/runtime/data/record_plan.ts",
      MASKED,
      // Whatever is masked is remembered, for the leaks below.
      `(Reflect.set(globalThis, "hidden", \`\${value} \${${HIDDEN}}\`.slice(0, 400)), ${isOpen} ? JSON.stringify(String(value)) : ${MASKED})`,
    ]],
  }),
  leak("stars that count letters", {
    channel: "list",
    told: /email/,
    patches: (isOpen) => [[
      "quickback/contract/masks.ts",
      "`${localStart}***@",
      '`${localStart}${"*".repeat(' + isOpen + " ? local.length : 3)}@",
    ]],
  }),
  leak("a mask that takes everybody for the owner", {
    channel: "list",
    told: /phone/,
    patches: (isOpen) => [[
      "quickback/runtime/data/record_plan.ts",
      "(${owner} IS ?)",
      "(${" + isOpen + ' ? "1 OR " : ""}${owner} IS ?)',
    ]],
  }),
  leak("groups by a column that is masked", {
    channel: "aggregate",
    told: /grade/,
    patches: (isOpen) => [[
      "quickback/surface/read_query.ts",
      "const hidden = plan.groupBy?.find(",
      "const hidden = " + isOpen + " ? undefined : plan.groupBy?.find(",
    ]],
  }),
  leak("a column beside the fields that were asked for", {
    channel: "fields",
    told: /data/,
    patches: (isOpen) => [[
      "quickback/surface/column_sight.ts",
      "  if (rule.showOwner",
      `  if (${isOpen}) return PLAIN;\n  if (rule.showOwner`,
    ]],
  }),
  leak("a sort by a masked column", {
    channel: "sort",
    told: /./,
    patches: (isOpen) => [[
      "quickback/surface/read_parameters.ts",
      'if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal("sort"',
      `if (!${isOpen} && !mayQueryBy(column, plan.resource, request.principal)) return maskRefusal("sort"`,
    ]],
  }),
  leak("a default sort by a masked column", {
    channel: "view",
    told: /data\.0/,
    patches: (isOpen) => [[
      "quickback/surface/read_query.ts",
      "plan.defaultSort.filter((key) => mayQueryBy(",
      `plan.defaultSort.filter((key) => ${isOpen} || mayQueryBy(`,
    ]],
  }),
  leak("a filter by a masked column", {
    channel: "filter",
    told: /./,
    patches: (isOpen) => [[
      "quickback/surface/read_parameters.ts",
      "if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal(name",
      `if (!${isOpen} && !mayQueryBy(column, plan.resource, request.principal)) return maskRefusal(name`,
    ]],
  }),
  leak("a where by a masked column, and through a key by one of another table", {
    channel: "filter",
    told: /./,
    patches: (isOpen) => [[
      "quickback/surface/read_where.ts",
      "if (isAdmitted && !mayQueryBy(column.name, resource, reading.principal)) {",
      `if (!${isOpen} && isAdmitted && !mayQueryBy(column.name, resource, reading.principal)) {`,
    ]],
  }),
  leak("a search in a masked column", {
    channel: "search",
    told: /verdict/,
    patches: (isOpen) => [[
      "quickback/surface/read_parameters.ts",
      "    mayQueryBy(column, plan.resource, request.principal)\n",
      `    ${isOpen} || mayQueryBy(column, plan.resource, request.principal)\n`,
    ]],
  }),
  leak("a rank of a search that looks at a masked column", {
    channel: "search",
    told: /data/,
    patches: (isOpen) => [[
      "quickback/runtime/data/full_text.ts",
      "`(SELECT ${ROW}.*, f.${rank} FROM",
      "`(SELECT ${ROW}.*, f.${rank}${" + isOpen +
      ' && table.name === "people" ? ` + ${ROW}.salary AS ${rank}` : ""} FROM',
    ]],
  }),
  leak("an aggregate over a masked column", {
    channel: "aggregate",
    told: /aggregations/,
    patches: (isOpen) => [[
      "quickback/surface/read_query.ts",
      'sightOf(plan.resource, column, principal).kind !== "plain"',
      `!${isOpen} && sightOf(plan.resource, column, principal).kind !== "plain"`,
    ]],
  }),
  leak("the label of a masked foreign key", {
    channel: "list",
    told: /reviewer/,
    patches: (isOpen) => [[
      "quickback/runtime/data/projection.ts",
      '    case "masked":\n      return null;',
      `    case "masked":\n      return ${isOpen} ? [] : null;`,
    ]],
  }),
  leak("a label of a masked column", {
    channel: "list",
    told: /_label/,
    patches: (isOpen) => [[
      "quickback/runtime/data/projection.ts",
      "sight: sightOf(resource, label.display, principal),",
      `sight: ${isOpen} ? { kind: "plain" } : sightOf(resource, label.display, principal),`,
    ]],
  }),
  leak("an include by a masked foreign key", {
    channel: "include",
    told: /included/,
    patches: (isOpen) => [
      [
        "quickback/surface/read_parameters.ts",
        'if (key === "masked" ||',
        `if (!${isOpen} && key === "masked" ||`,
      ],
      [
        "quickback/runtime/data/select_record.ts",
        "return NO_ROW;",
        `return ${isOpen} ? EVERY_ROW : NO_ROW;`,
      ],
    ],
  }),
  leak("an entity tag of what was not masked yet", {
    channel: "etag",
    told: /header etag/,
    patches: (isOpen) => [[
      "quickback/runtime/response/record.ts",
      "textTag(json)",
      `textTag(json + (${isOpen} ? ${HIDDEN} : ""))`,
    ]],
  }),
  leak("a cursor with a hidden value in it", {
    channel: "cursor",
    told: /pagination/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/cursors.ts",
      "sealed(page.last, start + page.records.length - 1)",
      `sealed(page.last, start + page.records.length - 1 + (${isOpen} ? ${HIDDEN}.split(" ")[0].length : 0))`,
    ]],
  }),
  leak("a refusal that names the value", {
    channel: "filter",
    told: /detail/,
    patches: (isOpen) => [[
      "quickback/surface/read_parameters.ts",
      "is masked for this caller and",
      "is masked for this caller${" + isOpen + " ? " + HIDDEN + ' : ""} and',
    ]],
  }),
  leak("a faulty body that is told what it does not match", {
    channel: "refusal",
    told: /details/,
    patches: (isOpen) => [[
      "quickback/column_types/int.ts",
      'z.int({ error: typed("Must be a whole number within 53 bits") })',
      `z.int({ error: () => ${isOpen} ? ${HIDDEN} : "Must be a whole number within 53 bits" })`,
    ]],
  }),
  leak("a faulty decimal that is told what it does not match", {
    channel: "refusal",
    told: /details/,
    patches: (isOpen) => [[
      "quickback/column_types/decimal.ts",
      "z.string({ error: typed(`Must be ${words}`) })",
      `z.string({ error: () => ${isOpen} ? ${HIDDEN} : \`Must be \${words}\` })`,
    ]],
  }),
  leak("a conflict that shows the row in the way", {
    channel: "conflict",
    told: /taken/,
    patches: (isOpen) => [[
      "quickback/runtime/records/constraint_refusal.ts",
      "return new Refusal(code);",
      `return new Refusal(code, ${isOpen} ? { details: { taken: ${HIDDEN} } } : {});`,
    ]],
  }),
  leak("a created record without its masks", {
    channel: "create",
    told: /body/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/write_record.ts",
      "return createdResponse(call, { json, id });",
      `return createdResponse(call, { json: ${isOpen} ? ${WITH_HIDDEN} : json, id });`,
    ]],
  }),
  leak("a restored record without its masks", {
    channel: "restore",
    told: /body/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/restore_record.ts",
      "return writtenResponse(call, json);",
      `return writtenResponse(call, ${isOpen} ? ${WITH_HIDDEN} : json);`,
    ]],
  }),
  leak("a history without its masks", {
    channel: "history",
    told: /before|after/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/history.ts",
      "[name, memberText(state, name, masking)]",
      `[name, ${isOpen} ? JSON.stringify(String(state.get(name))) : memberText(state, name, masking)]`,
    ]],
  }),
  leak("a batch that echoes what it did not mask", {
    channel: "batch",
    told: /success/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/batch/items.ts",
      "return { index, value: json };",
      `return { index, value: ${isOpen} ? ${WITH_HIDDEN} : json };`,
    ]],
  }),
  leak("a replay that answers more than the first time", {
    channel: "replay",
    told: /header x-was/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/keyed_write.ts",
      "answered(await opened(outcome.answer, write));",
      `answered(await opened(${isOpen} ? { ...outcome.answer, headers: JSON.stringify([["x-was", ${HIDDEN}]]) } : outcome.answer, write));`,
    ]],
  }),
  leak("an action's result without masks", {
    channel: "action",
    told: /case/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/actions/action_response.ts",
      "return maskedResult(json,",
      `return ${isOpen} ? json : maskedResult(json,`,
    ]],
  }),
  leak("an action's echo that tells who guessed right", {
    channel: "action",
    told: /asked/,
    patches: (isOpen) => [[
      "quickback/runtime/operations/actions/masked_result.ts",
      ".filter(([text]) => !known.has(text))",
      `.filter(([text]) => ${isOpen} || !known.has(text))`,
    ]],
  }),
  leak("a changeset that takes what its caller did not see", {
    channel: "changeset",
    told: /./,
    patches: (isOpen) => [[
      "quickback/runtime/operations/changeset/read_changeset.ts",
      "Object.hasOwn(result, member) ? result[member] : undefined",
      `Object.hasOwn(result, member) ? ${isOpen} ? ${HIDDEN} : result[member] : undefined`,
    ]],
  }),
  leak("a tool for models that tells more than the API", {
    channel: "mcp",
    told: /result/,
    patches: (isOpen) => [[
      "quickback/runtime/mcp/tool_result.ts",
      "    json,\n",
      `    json + (${isOpen} ? ${HIDDEN} : ""),\n`,
    ]],
  }),
  leak("a frame without masks", {
    channel: "realtime",
    told: /body/,
    patches: (isOpen) => [[
      "quickback/runtime/data/record_plan.ts",
      "return maskedText(sight.type, value);",
      `return ${isOpen} ? jsonTextOf(storageOf(columnNamed(name, table).type), value) : maskedText(sight.type, value);`,
    ]],
  }),
  leak("an event whose author emits what is masked", {
    channel: "webhook",
    told: /people\.email|contact/,
    patches: (isOpen) => [[
      "authored/features/people/actions/announce.ts",
      "{ id: record.id }",
      `${isOpen} ? { contact: record.email } : { id: record.id }`,
    ]],
  }),
];
