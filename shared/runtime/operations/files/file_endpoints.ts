/** Mounts the routes of files (`surface/file_operations` is the one list). */
import { hasFiles, homeOf, type ProjectModel } from "../../../model/mod.ts";
import { fileOperationsOf, fileParametersOf, fileRouteBy } from "../../../surface/mod.ts";
import { fileRulesOf, tableOf } from "../../../surface/mod.ts";
import type { FileAct, FileOperation } from "../../../surface/mod.ts";
import { type Endpoint, refuseMissing } from "../../gate.ts";
import type { Ports } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import { answeringAuthored } from "../authored_answer.ts";
import { requireIdSpelling } from "../judge_record.ts";
import { asAnybody, auditPublicCall, isPublicTenantCall } from "../public_audit.ts";
import type { FileCall, FilePlan } from "./file_call.ts";
import { presignDraft, presignFile } from "./presign_file.ts";
import { readFile } from "./read_file.ts";
import { addFile, removeFile, writeFile } from "./write_file.ts";

type Handle = (call: FileCall) => Promise<Response>;

const HANDLERS: Readonly<Record<Exclude<FileAct, "presignFile">, Handle>> = {
  readFile: asAnybody(readFile),
  addFile,
  writeFile,
  removeFile,
};

/** Throws where the host has no store for a project's files: such an API must not start. */
export function requireFilePorts(project: ProjectModel, { files }: Pick<Ports, "files">): void {
  if (hasFiles(project) && !files) {
    throw new Error("Cannot start: the project has files, and the host no store for them");
  }
}

export function fileEndpoints(project: ProjectModel): readonly Endpoint[] {
  return fileOperationsOf(project).map((operation) => {
    const plan = planOf(operation, project);
    const { id, method, path, act } = operation;
    return {
      id,
      method,
      path,
      gate: plan.gate,
      before: (_, id) => requireIdSpelling(id, plan.table),
      handle: act === "presignFile"
        ? presigning(operation, project)
        : (request, id) => run({ request, plan, id }, HANDLERS[act]),
    };
  });
}

/** Handles a presign call by the rules of the read or the write that its body requests. */
function presigning(operation: FileOperation, project: ProjectModel): Endpoint["handle"] {
  const plans = new Map(
    Object.entries(fileRulesOf(operation.resource)).flatMap(([method, rule]) =>
      rule === null ? [] : [[method, planOf(fileRouteBy(operation, rule), project)] as const]
    ),
  );
  return async (request, id) => {
    const draft = await presignDraft(request, operation);
    const plan = plans.get(draft.method);
    if (plan === undefined) throw new Error(`No rule for addresses to ${draft.method}`);
    const { gate: { who } } = plan;
    return await run({ request, plan, id }, async (call) => {
      // The route admits every caller who may read or write the file.
      if (who !== "anyone" && request.principal.credential === "none") refuseMissing(who);
      const presign = (call: FileCall) => presignFile(call, draft);
      return await (draft.method === "GET" ? asAnybody(presign) : presign)(call);
    });
  };
}

/** Runs a call. An anonymous call into a tenant leaves an audit row, whatever its result. */
async function run(call: FileCall, handle: Handle): Promise<Response> {
  const isTold = isPublicTenantCall(call);
  try {
    const response = await answeringAuthored(handle)(call);
    const { status } = response;
    if (isTold) await auditPublicCall(call, { code: null, actor: null, status });
    return response;
  } catch (error) {
    if (isTold && error instanceof Refusal) {
      await auditPublicCall(call, { code: error.code, actor: null });
    }
    throw error;
  }
}

function planOf(operation: FileOperation, project: ProjectModel): FilePlan {
  const { resource, rateGate, who } = operation;
  const table = tableOf(resource, project);
  const columns = table.columns.map(({ name }) => name);
  return {
    operation,
    resource,
    table,
    makesRows: false,
    gate: {
      who,
      rate: rateGate,
      hasMiddlewares: true,
      home: homeOf(table),
    },
    query: {
      resource,
      table,
      parameters: new Map(
        fileParametersOf(operation, project).map((parameter) => [parameter.name, parameter]),
      ),
      columns,
      defaultSort: [],
      embeddables: [],
      aggregations: [],
      groupBy: null,
    },
    projection: { resource, columns },
    takesBody: false,
    checkBody: null,
    extras: null,
  };
}
