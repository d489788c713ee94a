/** Faults of rules that follow relations, to plant in an output's own copy of the runtime; the environment opens one at a time. */
import type { Patch } from "./leaky_project.ts";

/** Names the fault that is open. */
export const SWITCH = "PLANTED_RELATION";

const on = (name: string) => `(Deno.env.get("${SWITCH}") === ${JSON.stringify(name)})`;

/** What stands in the runtime, and what it becomes while the fault is open: `$1` is what stands there. */
type Planting = readonly [file: string, find: string, replace: string];

interface PlantedRelation {
  readonly name: string;
  /** Of what the walk sees: some of it must be wrong. */
  readonly found: RegExp;
  readonly plantings: readonly Planting[];
}

const DATA = "quickback/runtime/data";
const OPERATIONS = "quickback/runtime/operations";
const RECORDS = "quickback/runtime/records";
const CONDITIONS = `${DATA}/conditions.ts`;

/** An expression that becomes another one. */
const turned = (find: string, becomes: string): Planting["2"] => `(OPEN ? ${becomes} : ${find})`;
const expression = (file: string, find: string, becomes: string): Planting => [
  file,
  find,
  turned(find, becomes),
];

const RULES_OF_BATCH = "writtenRules(insertions.firewall, rule, { isNew: true })";

export const FAULTS: readonly PlantedRelation[] = [
  {
    name: "judged on the old parent only",
    found: /^(?:create|update|PUT|batch|changeset|row condition|transition)/,
    plantings: [[
      `${RECORDS}/judge_written.ts`,
      "  if (related === null && following === null) return null;",
      "  if (OPEN || (related === null && following === null)) return null;",
    ]],
  },
  {
    name: "the firewall is not judged on what was written",
    found: /^(?:create|update|batch)/,
    plantings: [expression(`${RECORDS}/judge_written.ts`, "relationRule(firewall)", "null")],
  },
  {
    name: "the row condition is not judged on what was written",
    found: /^row condition/,
    plantings: [expression(
      `${RECORDS}/judge_written.ts`,
      "rule !== null && followsRelations(rule) ? rule : null",
      "null",
    )],
  },
  {
    name: "a deleted parent counts",
    found: /item_gone|list of an assignee/,
    plantings: [expression(CONDITIONS, "fragment(`${deletedAt} IS NULL`)", "EVERY_ROW")],
  },
  {
    name: "another tenant's parent counts",
    found: /item_alien|list of an assignee|list of named rows/,
    plantings: [expression(
      CONDITIONS,
      "(tenant === null || bound === null ? [] : [equalsSql(cellOf(tenant.related), bound)])",
      "[]",
    )],
  },
  {
    name: "missing on batch create",
    found: /^batch POST/,
    plantings: [expression(`${OPERATIONS}/batch/kinds.ts`, RULES_OF_BATCH, "null")],
  },
  {
    name: "missing on batch update",
    found: /^batch PATCH/,
    plantings: [expression(
      `${OPERATIONS}/batch/kinds.ts`,
      "records.updateRecord(part, { ...common, ...change })",
      "part.data.updateRow(part.transaction, { ...common, ...change })",
    )],
  },
  {
    name: "missing on batch PUT",
    found: /^batch PUT/,
    plantings: [expression(
      `${OPERATIONS}/batch/kinds.ts`,
      "records.replaceRecord(part, { ...common, ...record })",
      "part.data.replaceRow(part.transaction, { ...common, ...record }).then(() => false)",
    )],
  },
  {
    name: "missing on PUT",
    found: /^PUT/,
    plantings: [expression(
      `${RECORDS}/write_record.ts`,
      'await replaceStanding(scope, { ...replacement, operation: "update", isJudged })',
      "await data.replaceRow(transaction, replacement)",
    )],
  },
  {
    name: "missing on update and changeset",
    found: /^(?:update|keyed update|changeset)/,
    plantings: [expression(
      `${OPERATIONS}/write_record.ts`,
      "writtenRules(key.firewall, rule, { isNew: false }) === null",
      "true",
    )],
  },
  {
    name: "missing on create",
    found: /^(?:create|keyed create)/,
    plantings: [expression(
      `${OPERATIONS}/write_record.ts`,
      "writtenRules(firewall, rule, { isNew: true }) === null",
      "true",
    )],
  },
  {
    name: "missing on restore",
    found: /^restore by another/,
    plantings: [
      [
        `${OPERATIONS}/restore_record.ts`,
        "  if (rule) await requireRow(",
        "  if (rule && !OPEN) await requireRow(",
      ],
      [
        `${DATA}/restore_rows.ts`,
        'visibleSql(rule, { firewall, alias: ROW, reading: "row" })',
        'visibleSql(OPEN ? null : rule, { firewall, alias: ROW, reading: "row" })',
      ],
    ],
  },
  {
    name: "missing on transitions",
    found: /^transition that ends|^bulk transition/,
    plantings: [[
      `${RECORDS}/write_record.ts`,
      "  const rules = writtenRules(firewall, rule, { isNew: false });",
      '  const rules = OPEN && operation === "transition" ? null : writtenRules(firewall, rule, { isNew: false });',
    ]],
  },
  {
    name: "missing on bulk actions",
    found: /^bulk transition/,
    plantings: [
      [
        `${OPERATIONS}/actions/bulk.ts`,
        "  await requireState(request, rule, { row, firewall });",
        "  if (!OPEN) await requireState(request, rule, { row, firewall });",
      ],
      [
        `${OPERATIONS}/actions/bulk.ts`,
        "record: { ...record, rule, move }",
        "record: { ...record, rule: OPEN ? null : rule, move }",
      ],
    ],
  },
  {
    name: "missing on an upload's confirmation",
    found: /^(?:confirmation|file) after the order moved/,
    plantings: [expression(
      `${OPERATIONS}/files/write_file.ts`,
      "firewallFor(plan.table, caller)",
      'firewallFor(plan.table, { ...caller, lifted: ["rule"] })',
    )],
  },
  {
    name: "missing on reads of files",
    found: /^file of an order that moved/,
    plantings: [expression(
      `${OPERATIONS}/files/read_file.ts`,
      "firewallFor(plan.table, callerIn(plan, principal, scope))",
      'firewallFor(plan.table, { ...callerIn(plan, principal, scope), lifted: ["rule"] })',
    )],
  },
  {
    name: "none as some in lists",
    found: /^none|^list|some of/,
    plantings: [[
      CONDITIONS,
      '  if (quantifier === "some") return fragment(`${tuple} IN ${select}`, ...list.args);',
      '  if (OPEN || quantifier === "some") return fragment(`${tuple} IN ${select}`, ...list.args);',
    ]],
  },
  {
    name: "none as some for one row",
    found: /^single none|^the way/,
    plantings: [expression(CONDITIONS, 'quantifier === "some" ? "" : "NOT "', '""')],
  },
  {
    name: "a null key among the rows that none may be",
    found: /^none/,
    plantings: [[
      CONDITIONS,
      "...listed.map((cell) => fragment(`${cell} IS NOT NULL`))",
      "...(OPEN ? [] : listed.map((cell) => fragment(`${cell} IS NOT NULL`)))",
    ]],
  },
  {
    name: "a caller without an id under none",
    found: /^none, for nobody/,
    plantings: [expression(CONDITIONS, "hasContext(predicate, asking.firewall)", "true")],
  },
  {
    name: "anyOf as all",
    found: /^the way/,
    plantings: [[
      CONDITIONS,
      "      return anyOf(predicate.of.map((part) => predicateSql(part, asking)));",
      "      return (OPEN ? allOf : anyOf)(predicate.of.map((part) => predicateSql(part, asking)));",
    ]],
  },
  {
    name: "roles of an item of anyOf are ignored",
    found: /^list of/,
    plantings: [expression(CONDITIONS, "isHolder(predicate, asking.firewall)", "true")],
  },
  {
    name: "the conditions on the related row are not asked",
    found: /^(?:list|single) /,
    plantings: [[
      CONDITIONS,
      "    predicateSql(of, inner),\n  ]);",
      "    OPEN ? EVERY_ROW : predicateSql(of, inner),\n  ]);",
    ]],
  },
  {
    name: "a handler reads past relations",
    found: /^handler's reads/,
    plantings: [expression(
      `${DATA}/scoped_db/scope.ts`,
      "firewallFor(table, caller)",
      'firewallFor(table, { ...caller, lifted: [...caller.lifted ?? [], "rule"] })',
    )],
  },
  {
    name: "children are chosen after their parent is stamped",
    found: /^children go/,
    plantings: [expression(
      `${DATA}/delete_rows.ts`,
      "firewallDuring(relation.table, parent.firewall, cascade.stamps.now)",
      'firewallDuring(relation.table, parent.firewall, "")',
    )],
  },
  {
    name: "a mask is lifted on every row",
    found: /^mask$|^mask of a label/,
    plantings: [[
      `${DATA}/record_plan.ts`,
      '`coalesce(${shown?.sql ?? "0"}, 0)`',
      '(OPEN ? `max(1, coalesce(${shown?.sql ?? "0"}, 0))` : `coalesce(${shown?.sql ?? "0"}, 0)`)',
    ]],
  },
  {
    name: "a mask is lifted on no row",
    found: /^mask, of an assignee/,
    plantings: [[
      `${DATA}/record_plan.ts`,
      '      if (!cell.startsWith("1")) return part.start + maskedText(part.type, value);',
      '      if (OPEN || !cell.startsWith("1")) return part.start + maskedText(part.type, value);',
    ]],
  },
  {
    name: "a file is shown past its mask",
    found: /^mask of a file/,
    plantings: [[
      `${OPERATIONS}/files/read_file.ts`,
      "  if (!shown?.has(column.name)) refuse(",
      "  if (!OPEN && !shown?.has(column.name)) refuse(",
    ]],
  },
  {
    name: "the tag does not change with the mask",
    found: /^tag/,
    plantings: [[
      `${OPERATIONS}/record_response.ts`,
      "`${name} as ${JSON.stringify(record[name] ?? null)}`",
      "(OPEN ? name : `${name} as ${JSON.stringify(record[name] ?? null)}`)",
    ]],
  },
  {
    name: "a history shows what its rows showed",
    found: /^history of another/,
    plantings: [
      expression(`${OPERATIONS}/history.ts`, "now.intersection(past)", "now.union(past)"),
    ],
  },
  {
    name: "a mask of a history is lifted on every row",
    found: /^(?:mask of a history|history after)/,
    plantings: [[
      `${DATA}/judged_rows.ts`,
      "    if ((await judge(rule))[0] === true) shown.add(name);",
      "    if (OPEN || (await judge(rule))[0] === true) shown.add(name);",
    ]],
  },
  {
    name: "a frame is not judged by relations",
    found: /^frame/,
    plantings: [[
      "quickback/runtime/realtime/viewer.ts",
      "  return rules.every((one) =>",
      "  return OPEN || rules.every((one) =>",
    ]],
  },
  {
    name: "a frame is judged by what the row was related to",
    found: /^frame/,
    plantings: [[
      "quickback/runtime/realtime/viewer.ts",
      "        isVisible(view, after, message.related?.after);",
      "        isVisible(view, after, OPEN ? message.related?.before : message.related?.after);",
    ]],
  },
  {
    name: "no frame of what is gone",
    found: /^frames of what is gone/,
    plantings: [[
      "quickback/runtime/realtime/viewer.ts",
      "      return saw ? frame(FRAME_TYPES.delete, common) : null;",
      "      return saw && !(OPEN && message.related?.isInduced) ? frame(FRAME_TYPES.delete, common) : null;",
    ]],
  },
  {
    name: "no frame of rows that others decide about",
    found: /^frames of what/,
    plantings: [expression(
      `${DATA}/changes/related_rows.ts`,
      "(await touchedRows(collecting, resource))",
      "(await Promise.resolve([] as readonly StoredRow[]))",
    )],
  },
  {
    name: "no frame of a mask that others close",
    found: /^frames of what is gone/,
    plantings: [[
      "quickback/runtime/realtime/viewer.ts",
      "!(sees && isShownAnew(view, message))",
      "!(sees && !OPEN && isShownAnew(view, message))",
    ]],
  },
  {
    name: "a frame shows past its mask",
    found: /^frame with a mask/,
    plantings: [[
      "quickback/runtime/realtime/viewer.ts",
      "    sights.filter(({ rule }) => relatedSatisfies(rule, known, within(view)))",
      "    sights.filter(({ rule }) => OPEN || relatedSatisfies(rule, known, within(view)))",
    ]],
  },
];

export function patchesOf(faults: readonly PlantedRelation[]): readonly Patch[] {
  return faults.flatMap(({ name, plantings }) =>
    plantings.map(([file, find, replace]) => ({
      file,
      find,
      replace: replace.replaceAll("OPEN", () => on(name)),
    }))
  );
}

export const PATCHES = patchesOf(FAULTS);
