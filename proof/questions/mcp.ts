/**
 * Requests that the host of a language model may send: calls of the tools, and through them of the records (contract 5.5,
 * docs/mcp.md).
 */
import { isJsonObject } from "../../shared/lib/json.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import type { ActionOperation, Operation } from "../../shared/surface/mod.ts";
import { MCP_PATH, tableNamed, tableOf } from "../../shared/surface/mod.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { harmless, newBody } from "./bodies.ts";
import { partedInput } from "./actions.ts";
import { inputsOf } from "./inputs.ts";
import { castOf, hiddenIn, isLetIn, type Planning, queryText, secretsOf } from "./planning.ts";
import { type Corpus, type Question, recordIn } from "./question.ts";

export function* mcpQuestions(planning: Planning): Corpus {
  const { model, world } = planning;
  if (!model.agents.mcp || world.caller.credential === "none") return;
  const tools = toolNames(recordIn(yield message("tools/list", {})));
  yield message("resources/list", {});
  yield message("prompts/list", {});
  for (const route of ruledRoutesOf(model)) {
    const { subject } = route;
    if (subject.kind === "action") yield* actionCalls(subject.operation, tools, planning);
    if (subject.kind === "operation") yield* recordCalls(route, subject.operation, planning);
  }
}

function* recordCalls(route: RuledRoute, operation: Operation, planning: Planning): Corpus {
  const { kind, view, resource: { name: resource } } = operation;
  const table = tableOf(operation.resource, planning.model);
  const { own, others: [one], foreign } = castOf(table, planning);
  switch (kind) {
    case "list":
      yield call("list_records", { resource, total: true });
      return yield* isLetIn(route, planning) ? hiddenCalls(resource, table.name, planning) : [];
    case "view":
      return yield call("list_records", { resource, view: view?.name ?? "" });
    case "get":
      for (const id of [one, own, foreign]) yield call("get_record", { resource, id });
      return;
    case "update": {
      const writing = { ...planning, resource: operation.resource, table };
      const data = Object.entries(harmless(newBody("update", writing), writing));
      for (const [name, value] of data.slice(0, 2)) {
        yield call("update_record", { resource, id: one, data: { [name]: value } });
      }
    }
  }
}

function* hiddenCalls(resource: string, table: string, planning: Planning): Corpus {
  for (const hidden of hiddenIn(table, planning)) {
    const { name } = hidden.column;
    const column = `${table}.${name}`;
    yield { ...call("list_records", { resource, sort: [name] }), column };
    const { others: [, , three] } = castOf(hidden.table, planning);
    for (const secret of secretsOf(hidden, three, planning).map(queryText)) {
      yield { ...call("list_records", { resource, filter: { [`${name}.gte`]: secret } }), column };
      yield { ...call("list_records", { resource, search: secret }), column };
    }
  }
}

function* actionCalls(
  { action, kind, path }: ActionOperation,
  tools: readonly string[],
  planning: Planning,
): Corpus {
  const [input = {}] = inputsOf(action, planning);
  const table = action.table === null ? null : tableNamed(action.table, planning.model);
  const id = table === null ? "x" : castOf(table, planning).others[0];
  if (kind === "bulkAction") {
    return yield call("run_bulk_action", { action: action.key, ids: [id], input });
  }
  const isBound = kind === "recordAction";
  const { named, rest } = partedInput(input, { route: { path }, action });
  const parameters = { ...named, ...(isBound ? { id } : {}) };
  yield call("run_action", {
    action: action.key,
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    input: rest,
  });
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

function call(name: string, args: Readonly<Record<string, JsonValue>>): Question {
  return message("tools/call", { name, arguments: args });
}

function message(method: string, params: Readonly<Record<string, JsonValue>>): Question {
  return {
    channel: "mcp",
    method: "POST",
    path: MCP_PATH,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method, params },
  };
}
