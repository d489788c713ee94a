/** Finds the field of a body that the guards refuse, and the place of that rule (contract 7.2, definitions 4.3). */
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { ResourceModel, TableModel } from "../../shared/model/mod.ts";
import { clientIdRule, VERBS } from "../../shared/surface/mod.ts";
import { nearestPlace } from "../../shared/oracle/places.ts";
import { type BodyVerb, guardRefusal } from "../questions/bodies.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { DefinedProject, WhyQuestion, WhyStep } from "./why_question.ts";

/** Step with the code of its refusal; null: it does not refuse. */
export interface JudgedStep {
  readonly step: WhyStep;
  readonly code: RuntimeCode | null;
}

/** Judges the body; null: no body is known, or guards do not judge it. */
export function guardStep(
  { subject, table }: RuledRoute,
  { body }: WhyQuestion,
  { places }: DefinedProject,
): JudgedStep | null {
  if (subject.kind !== "operation" || body === null || table === null) return null;
  const { kind, resource } = subject.operation;
  const verb = VERBS[kind];
  if (verb === "read" || verb === "history" || verb === "delete" || verb === "restore") return null;
  const refused = refusedField(Object.keys(body), { verb, resource, table });
  const place = nearestPlace(places, resource.origin.file, placePath(refused, verb)) ??
    resource.origin;
  return {
    code: refused?.code ?? null,
    step: {
      ...refused === null
        ? { passed: true, rule: "every field may be written", place }
        : { passed: false, rule: ruleText(refused, verb, resource), place },
      layer: "guards",
      compared: [],
    },
  };
}

interface RefusedField {
  readonly field: string;
  readonly code: RuntimeCode;
}

interface WriteTarget {
  readonly verb: BodyVerb;
  readonly resource: ResourceModel;
  readonly table: TableModel;
}

function refusedField(fields: readonly string[], writing: WriteTarget): RefusedField | null {
  const refused = fields.flatMap((field): RefusedField[] => {
    const code = codeFor(field, writing);
    return code === null ? [] : [{ field, code }];
  });
  return refused[0] ?? null;
}

function codeFor(field: string, { verb, resource, table }: WriteTarget): RuntimeCode | null {
  const column = table.columns.find(({ name }) => name === field);
  if (column === undefined) {
    return verb === "update" ? "GUARD_FIELD_NOT_UPDATABLE" : "GUARD_FIELD_NOT_CREATEABLE";
  }
  const isChosenId = column.manager === "id" && verb === "create" &&
    clientIdRule(table) !== "refused";
  return isChosenId ? null : guardRefusal(verb, column, resource);
}

function placePath(refused: RefusedField | null, verb: BodyVerb): string {
  const list = verb === "update" ? "updatable" : "createable";
  switch (refused?.code) {
    case "GUARD_FIELD_PROTECTED":
      return `guards.protected.${refused.field}`;
    case "GUARD_FIELD_IMMUTABLE":
      return "guards.immutable";
    case "GUARD_SYSTEM_MANAGED":
      return `columns.${refused.field}`;
    default:
      return `guards.${list}`;
  }
}

function ruleText({ field, code }: RefusedField, verb: BodyVerb, { guards }: ResourceModel) {
  switch (code) {
    case "GUARD_FIELD_PROTECTED": {
      const actions = guards?.protected[field] ?? [];
      return `"${field}" is written by ${
        actions.length === 0 ? "no request" : `the actions ${actions.join(", ")}`
      } only`;
    }
    case "GUARD_FIELD_IMMUTABLE":
      return `"${field}" stays as it was created`;
    case "GUARD_SYSTEM_MANAGED":
      return `"${field}" is written by the service`;
    default:
      return `"${field}" is not among the fields that ${
        verb === "update" ? "an update" : "a create"
      } may write`;
  }
}
