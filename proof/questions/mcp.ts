/** Requests that a language model's host may send: the tools, and through them the records (contract 5.5, docs/mcp.md). */
import { isJsonObject } from "../../shared/lib/json_object.ts";
import type { ActionOperation } from "../../shared/surface/action_operations.ts";
import { actionOperationsOf } from "../../shared/surface/action_operations.ts";
import { MCP_PATH } from "../../shared/surface/mcp_operation.ts";
import { operationsOf } from "../../shared/surface/operations.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import type { HiddenColumn } from "../rows/hidden_columns.ts";
import { type Corpus, type Question, recordIn } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { inputsOf } from "./action_questions.ts";
import { hiddenIn, isLetIn, type Scene, secretsOf } from "./scene.ts";
import { harmlessBody } from "./corpus_bodies.ts";
import { NEW_ROWS } from "./write_variations.ts";

export function* mcpQuestions(scene: Scene): Corpus {
  if (!scene.model.agents.mcp || scene.caller.credential === "none") return;
  const tools = toolNames(recordIn(yield message("tools/list", {})));
  yield message("resources/list", {});
  yield message("prompts/list", {});
  for (const operation of operationsOf(scene.model)) {
    const table = tableOf(operation.resource, scene.model);
    const resource = operation.resource.name;
    const [one = 1] = ROWS.others;
    const id = rowId(table, one);
    switch (operation.kind) {
      case "list":
        yield call("list_records", { resource, total: true });
        if (!isLetIn(scene, operation.access)) break;
        for (const hidden of hiddenIn(scene, table)) yield* listCalls(hidden, { scene, resource });
        break;
      case "view":
        yield call("list_records", { resource, view: operation.view?.name ?? "" });
        break;
      case "get":
        for (const at of [one, ROWS.own, ROWS.foreign]) {
          yield call("get_record", { resource, id: rowId(table, at) });
        }
        break;
      case "update": {
        const data = harmlessBody("update", operation.resource, { scene, at: NEW_ROWS.single + 9 });
        for (const [name, value] of Object.entries(data).slice(0, 2)) {
          yield call("update_record", { resource, id, data: { [name]: value } });
        }
        break;
      }
      default:
        break;
    }
  }
  for (const operation of actionOperationsOf(scene.model)) {
    yield* actionCalls(operation, { scene, tools });
  }
}

function* listCalls(
  one: HiddenColumn,
  { scene, resource }: { readonly scene: Scene; readonly resource: string },
): Corpus {
  const { name } = one.column;
  const column = `${one.table.name}.${name}`;
  yield { ...call("list_records", { resource, sort: [name] }), column };
  for (const secret of secretsOf(one, ROWS.known - 1, scene.model)) {
    yield { ...call("list_records", { resource, filter: { [`${name}.gte`]: secret } }), column };
    yield { ...call("list_records", { resource, search: secret }), column };
  }
}

function* actionCalls(
  operation: ActionOperation,
  { scene, tools }: { readonly scene: Scene; readonly tools: readonly string[] },
): Corpus {
  const { action, resource, kind } = operation;
  const [input = {}] = inputsOf(operation, scene);
  const table = resource === null ? null : tableOf(resource, scene.model);
  const id = table === null ? "x" : rowId(table, 1);
  if (kind === "bulkAction") {
    return yield call("run_bulk_action", { action: action.key, ids: [id], input });
  }
  const isBound = kind === "recordAction";
  const parameters = isBound ? { parameters: { id } } : {};
  yield call("run_action", { action: action.key, ...parameters, input });
  const own = tools.filter((name) => name.endsWith(action.segment.replaceAll("-", "_")));
  for (const name of own) yield call(name, { ...(isBound ? { id } : {}), ...input });
}

function toolNames({ result }: Readonly<Record<string, unknown>>): readonly string[] {
  const tools = isJsonObject(result) ? result["tools"] : [];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) =>
    isJsonObject(tool) && typeof tool["name"] === "string" ? [tool["name"]] : []
  );
}

function call(name: string, args: Readonly<Record<string, unknown>>): Question {
  return message("tools/call", { name, arguments: args });
}

function message(method: string, params: Readonly<Record<string, unknown>>): Question {
  return {
    channel: "mcp",
    method: "POST",
    path: MCP_PATH,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method, params },
  };
}
