/** One endpoint per operation of the model (architecture: `surface/operations` is the one list). */
import { Refusal } from "../refusal.ts";
import { RUNTIME_CODES } from "../../contract/codes.ts";
import type { ProjectModel } from "../../model/project.ts";
import { isPublic } from "../../surface/admission.ts";
import { type Operation, type OperationKind, operationsOf } from "../../surface/operations.ts";
import { queryPlanOf } from "../../surface/query_plan.ts";
import { bodyCheckerOf } from "../../surface/schema/body.ts";
import { tableOf } from "../../surface/tables.ts";
import type { Call, OperationPlan } from "../context.ts";
import { decodeSegment } from "../request/path.ts";
import type { Endpoint } from "../router.ts";
import { createRecord } from "./create.ts";
import { deleteRecord } from "./delete.ts";
import { getRecord } from "./get.ts";
import { listRecords } from "./list.ts";
import { updateRecord } from "./update.ts";

const HANDLERS: Readonly<Record<OperationKind, (call: Call) => Promise<Response>>> = {
  list: listRecords,
  view: listRecords,
  get: getRecord,
  create: createRecord,
  update: updateRecord,
  delete: deleteRecord,
};

export function operationEndpoints(project: ProjectModel): readonly Endpoint[] {
  return operationsOf(project).map((operation) => endpointOf(operation, project));
}

function endpointOf(operation: Operation, project: ProjectModel): Endpoint {
  const plan = planOf(operation, project);
  const handle = HANDLERS[operation.kind];
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    async handle(request, segment) {
      const call = { request, plan, id: decodeSegment(segment) ?? segment };
      try {
        return await handle(call);
      } catch (error) {
        if (error instanceof Refusal && echoesBody(error, plan)) await request.body.settle();
        throw error;
      }
    },
  };
}

function planOf(operation: Operation, project: ProjectModel): OperationPlan {
  const { kind, resource } = operation;
  const table = tableOf(resource, project);
  const takesBody = kind === "create" || kind === "update";
  return {
    operation,
    table,
    isPublic: isPublic(operation.access),
    query: queryPlanOf(operation, project),
    checkBody: takesBody ? bodyCheckerOf(kind, resource, table) : null,
  };
}

/** A problem repeats the body even when it was refused unread, but nobody's whom authentication or limits turned away. */
function echoesBody({ code }: Refusal, { checkBody }: OperationPlan): boolean {
  const { layer } = RUNTIME_CODES[code];
  return checkBody !== null && layer !== "authentication" && layer !== "rate-limit";
}
