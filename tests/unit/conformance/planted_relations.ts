/** What can go wrong with rules that follow relations, one by one: each must be found by a conformance run (docs/decisions/relations.md). */
import type { RelatedPredicate, RowPredicate, TableModel } from "../../../shared/model/mod.ts";
import {
  type Fault,
  hasQuery,
  inRead,
  inResource,
  inTable,
  isBatch,
  isMethod,
  pathOf,
  rewritten,
} from "../../support/conformance_faults.ts";

/** Every relation of a predicate, changed. */
function relations(
  predicate: RowPredicate,
  change: (one: RelatedPredicate) => RowPredicate,
): RowPredicate {
  switch (predicate.kind) {
    case "related":
      return change({ ...predicate, of: relations(predicate.of, change) });
    case "all":
    case "any":
      return { ...predicate, of: predicate.of.map((part) => relations(part, change)) };
    case "not":
    case "context":
      return { ...predicate, of: relations(predicate.of, change) };
    default:
      return predicate;
  }
}

const inFirewall = (change: (one: RelatedPredicate) => RowPredicate) => (table: TableModel) => ({
  ...table,
  firewall: table.firewall.map((one) =>
    one.kind === "rule" ? { ...one, predicate: relations(one.predicate, change) } : one
  ),
});

const EVERY: RowPredicate = { kind: "all", of: [] };
const ofRelation = (part: Partial<RelatedPredicate["relation"]>) => (one: RelatedPredicate) => ({
  ...one,
  relation: { ...one.relation, ...part },
});
const isOn = (resource: string) => (request: Request) =>
  pathOf(request).startsWith(`/api/v1/${resource}`);

const TECHNICIAN = { only: "role:technician" };

export const RELATION_FAULTS: readonly Fault[] = [
  {
    name: "a firewall without its relation",
    finds: /^listItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: isOn("items"),
    ...TECHNICIAN,
  },
  {
    name: "a relation that is followed to a deleted row",
    finds: /^listItems\b/,
    change: inTable("items", inFirewall(ofRelation({ deletedAt: null }))),
    when: isOn("items"),
    ...TECHNICIAN,
  },
  {
    name: "a relation that is followed to another tenant's row",
    finds: /^listVisits\b/,
    change: inTable("visits", inFirewall(ofRelation({ tenant: null }))),
    ...TECHNICIAN,
  },
  {
    name: "`none` in place of `some`",
    finds: /^listVisits\b/,
    change: inTable(
      "visits",
      inFirewall((one) =>
        one.relation.direction === "children" ? { ...one, quantifier: "none" } : one
      ),
    ),
    ...TECHNICIAN,
  },
  {
    name: "`some` in place of `none`",
    finds: /^listAudits\b/,
    change: inTable(
      "audits",
      inFirewall((one) =>
        one.relation.direction === "children" ? { ...one, quantifier: "some" } : one
      ),
    ),
    ...TECHNICIAN,
  },
  {
    name: "a related row whoever it belongs to",
    finds: /^listItems\b/,
    change: inTable("items", inFirewall((one) => ({ ...one, of: EVERY }))),
    when: isOn("items"),
    ...TECHNICIAN,
  },
  {
    name: "`anyOf` without the roles of its items",
    finds: /^listItems\b/,
    change: inTable("items", (table) => ({
      ...table,
      firewall: table.firewall.map((one) =>
        one.kind === "rule" ? { ...one, predicate: EVERY } : one
      ),
    })),
    when: isOn("items"),
    ...TECHNICIAN,
  },
  {
    name: "a table behind another one without the other one's rule",
    finds: /^listParts\b/,
    change: inTable(
      "parts",
      inFirewall((one) => one.relation.table === "items" ? { ...one, of: EVERY } : one),
    ),
    ...TECHNICIAN,
  },
  {
    name: "a read by id without the relation of its record",
    finds: /^getNotes\b/,
    change: inRead("notes", (read) => ({
      ...read,
      access: rewritten(
        read.access,
        (part) => part.kind === "row" ? { kind: "all", of: [] } : part,
      ),
    })),
    when: (request) => /^\/api\/v1\/notes\/./.test(pathOf(request)) && request.method === "GET",
    ...TECHNICIAN,
  },
  {
    name: "a batch that goes round relations",
    finds: /^batchUpdateItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => isBatch(request) && isOn("items")(request),
    ...TECHNICIAN,
  },
  {
    name: "a create below anybody's row",
    finds: /^createItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => isMethod("POST")(request) && pathOf(request) === "/api/v1/items",
    ...TECHNICIAN,
  },
  {
    name: "a PUT below anybody's row",
    finds: /^upsertVisits\b/,
    change: inTable("visits", inFirewall(() => EVERY)),
    when: isMethod("PUT"),
    ...TECHNICIAN,
  },
  {
    name: "a record that is moved below anybody's row",
    finds: /^updateItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => isMethod("PATCH")(request) && isOn("items")(request),
    ...TECHNICIAN,
  },
  {
    name: "a changeset that goes round relations",
    finds: /^updateItems\b.*changeset/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => pathOf(request).endsWith("/changeset"),
    ...TECHNICIAN,
  },
  {
    name: "a restoration that goes round relations",
    finds: /^restoreItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => pathOf(request).endsWith("/restore"),
    ...TECHNICIAN,
  },
  {
    name: "a history that goes round relations",
    finds: /^historyItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => pathOf(request).endsWith("/history"),
    ...TECHNICIAN,
  },
  {
    name: "a file that goes round relations",
    finds: /Items_Photo\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: (request) => pathOf(request).endsWith("/photo"),
    ...TECHNICIAN,
  },
  {
    name: "a search that goes round relations",
    finds: /^listItems\b/,
    change: inTable("items", inFirewall(() => EVERY)),
    when: hasQuery("where"),
    ...TECHNICIAN,
  },
  {
    name: "a mask that no row lifts",
    finds: /^listKeys\b/,
    change: inResource("keys", (one) => ({
      ...one,
      masks: Object.fromEntries(
        Object.entries(one.masks).map(([name, { showRows: _, ...mask }]) => [name, mask]),
      ),
    })),
    ...TECHNICIAN,
  },
  {
    name: "a mask that the other rows lift",
    finds: /^listKeys\b/,
    change: inResource("keys", (one) => ({
      ...one,
      masks: Object.fromEntries(
        Object.entries(one.masks).map(([name, { showRows = EVERY, ...mask }]) => [
          name,
          { ...mask, showRows: { kind: "not", of: showRows } },
        ]),
      ),
    })),
    when: (request) => pathOf(request) === "/api/v1/keys",
    ...TECHNICIAN,
  },
];
