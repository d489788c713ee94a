/** All that one caller asks, in an order in which writes come last, deletes after all others (contract 4, 5.5). */
import { actionOperationsOf } from "../../shared/surface/action_operations.ts";
import { DISCOVERY_PATHS } from "../../shared/surface/discovery_operations.ts";
import { type Operation, operationsOf } from "../../shared/surface/operations.ts";
import type { Corpus } from "./question.ts";
import { WEBHOOK_BASE } from "../../shared/contract/versions.ts";
import { actionQuestions } from "./action_questions.ts";
import { batchQuestions } from "./batch_questions.ts";
import { changesetQuestions } from "./changesets.ts";
import { getQuestions } from "./get_questions.ts";
import { listQuestions } from "./list_parameters.ts";
import { mcpQuestions } from "./mcp.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import { isLetIn, pathWith, type Scene } from "./scene.ts";
import { writeQuestions } from "./write_variations.ts";

/** First what only reads, then what writes, and what overwrites hidden values last: from there on they are the same. */
const READS: readonly Operation["kind"][] = ["list", "view", "get"];
const WRITES: readonly Operation["kind"][] = [
  "create",
  "batchCreate",
  "update",
  "batchUpdate",
  "upsert",
  "batchUpsert",
];

const LAST: readonly Operation["kind"][] = ["delete", "batchDelete"];

export function* corpusOf(scene: Scene): Corpus {
  yield* webhookQuestions(scene);
  for (const path of [DISCOVERY_PATHS.llms, DISCOVERY_PATHS.openapi]) {
    yield { channel: "description", method: "GET", path };
  }
  yield* questionsOfKinds(scene, READS);
  yield* mcpQuestions(scene);
  for (const operation of actionOperationsOf(scene.model)) yield* actionQuestions(scene, operation);
  yield* changesetQuestions(scene);
  for (const kind of WRITES) yield* questionsOfKinds(scene, [kind]);
  yield* rereads(scene);
  yield* questionsOfKinds(scene, LAST);
  yield* deliveriesQuestions(scene);
}

/** Reads of records after others wrote them. */
export function* rereads(scene: Scene): Corpus {
  for (const operation of operationsOf(scene.model)) {
    if (!isLetIn(scene, operation.access)) continue;
    if (operation.kind === "get") yield* getQuestions(scene, operation);
    if (operation.kind === "list" || operation.kind === "view") {
      const table = tableOf(operation.resource, scene.model);
      const path = pathWith(scene, operation.path, { table });
      yield { channel: operation.kind, method: "GET", path };
    }
  }
}

function* questionsOfKinds(scene: Scene, kinds: readonly Operation["kind"][]): Corpus {
  const operations = operationsOf(scene.model);
  for (const operation of operations.filter(({ kind }) => kinds.includes(kind))) {
    yield* questionsOf(scene, operation);
  }
}

function questionsOf(scene: Scene, operation: Operation): Corpus {
  switch (operation.kind) {
    case "list":
    case "view":
      return listQuestions(scene, operation);
    case "get":
      return getQuestions(scene, operation);
    case "create":
    case "update":
    case "upsert":
    case "delete":
      return writeQuestions(scene, operation);
    default:
      return batchQuestions(scene, operation);
  }
}

/** Registers an endpoint, to which all later events are delivered. */
function* webhookQuestions({ model }: Scene): Corpus {
  if (!model.webhooks.outbound) return;
  yield {
    channel: "webhook",
    method: "POST",
    path: `${WEBHOOK_BASE}/endpoints`,
    body: { name: "leakcheck", url: "https://hooks.example.com/leakcheck", events: ["*"] },
  };
}

function* deliveriesQuestions({ model }: Scene): Corpus {
  if (!model.webhooks.outbound) return;
  yield { channel: "webhook", method: "GET", path: `${WEBHOOK_BASE}/endpoints` };
}
