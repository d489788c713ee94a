/** `asyncapi.json` (contract 4.7, 6): valid by AsyncAPI's own parser, and true of what is really sent. */
import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/2020";
import addFormats from "ajv-formats";
import { validate } from "../../../shared/compiler/mod.ts";
import { emitAsyncApi } from "../../../shared/compiler/phases/6-emit/asyncapi.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { Claims } from "../../support/api.ts";
import { isRecord } from "../../support/api.ts";
import { board } from "../../support/board_project.ts";
import { withRealtime } from "../../support/realtime.ts";
import { runTool } from "../../support/run_tool.ts";
import { project as plain } from "../../support/sample_project.ts";

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const MEMBER: Claims = { sub: "user_m", orgId: "org_a", roles: ["member"] };

function model(): ProjectModel {
  const validation = validate(board());
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  return validation.model;
}

const withWebhooks = (project: ProjectModel): ProjectModel => ({
  ...project,
  webhooks: {
    ...project.webhooks,
    outbound: true,
    events: ["user.created", "crm:user.moved", "crm:/заказ.a'b`${c}"],
  },
});

interface Reading {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
  }[];
  readonly version: string;
  readonly channels: readonly {
    readonly id: string;
    readonly address: string | null;
  }[];
  readonly messages: readonly string[];
}

const PROJECTS = {
  quiet: plain,
  telling: withWebhooks(plain),
  live: model(),
  full: withWebhooks(model()),
  second: { ...withWebhooks(model()), contract: "v2" },
} as const satisfies Readonly<Record<string, ProjectModel>>;

let readings: Promise<readonly Reading[]> | null = null;

/** The parser takes seconds to load: it is asked once, for all documents. */
async function parsed(name: keyof typeof PROJECTS): Promise<Reading> {
  readings ??= read(Object.values(PROJECTS));
  const reading = (await readings)[Object.keys(PROJECTS).indexOf(name)];
  assert(reading, name);
  // That 3.1 exists is no fault of a 3.0 document.
  assertEquals(
    reading.diagnostics.filter(({ code }) => code !== "asyncapi-latest-version"),
    [],
  );
  return reading;
}

async function read(projects: readonly ProjectModel[]): Promise<readonly Reading[]> {
  const input = JSON.stringify(projects.map(emitAsyncApi));
  const { success, out, err } = await runTool({ tool: "read_asyncapi.ts", input });
  assert(success, err);
  return JSON.parse(out);
}

Deno.test("the parser of AsyncAPI takes the document, whatever a project sends", async () => {
  const found = [];
  for (const name of ["quiet", "telling", "live", "full"] as const) {
    const { version, channels } = await parsed(name);
    found.push([version, ...channels.map(({ id }) => id)]);
  }
  assertEquals(found, [
    ["3.0.0"],
    ["3.0.0", "webhooks"],
    ["3.0.0", "broadcast"],
    ["3.0.0", "broadcast", "webhooks"],
  ]);
});

Deno.test("the parser of AsyncAPI takes the documents of both versions of the contract", async () => {
  const { channels } = await parsed("second");
  const addresses = channels.map(({ address }) => address);
  assert(addresses.includes("/broadcast/v2/events"), addresses.join(", "));
});

Deno.test("every change, signal and event is a message", async () => {
  const { messages } = await parsed("full");
  assertEquals(messages, [
    "record.cards.created",
    "record.cards.updated",
    "record.cards.deleted",
    "record.comments.created",
    "record.comments.deleted",
    "invalidate.board.asked",
    "invalidate.board.changed",
    "invalidate.board.mine",
    "stream.resync",
    "stream.closing",
    "stream.open",
    "event.user.created",
    "event.crm..3a.user.moved",
    "event.crm..3a...2f...437...430...43a...430...437..a..27.b..60...24...7b.c..7d.",
    "event.webhook.test",
  ]);
});

Deno.test("what is really sent is as it is described, masked or not", async () => {
  const document: unknown = JSON.parse(emitAsyncApi(model()));
  const check = frameCheck(document);
  await withRealtime(board(), async (api) => {
    const listeners = [
      await api.listen(ADMIN),
      await api.listen(MEMBER),
      await api.listen(MEMBER, { headers: { "last-event-id": "1000-0" } }),
    ];
    const card = {
      title: "Paint",
      email: "ann@example.com",
      points: 0.5,
      tags: [1, null],
    };
    const { body: { id } } = await api.ask("cards", { as: ADMIN, body: card });
    await api.ask(`cards/${id}`, {
      as: ADMIN,
      method: "PATCH",
      body: { urgent: true },
    });
    await api.ask(`cards/${id}/rename`, {
      as: MEMBER,
      body: { title: "user_a" },
    });
    await api.ask("comments", { as: MEMBER, body: { cardId: id, body: "Hm" } });
    await api.ask(`cards/${id}`, { as: ADMIN, method: "DELETE" });
    api.end();
    const seen = new Set<string>();
    for (const listener of listeners) {
      for (let told = await listener.next();; told = await listener.next()) {
        seen.add(check(told.data));
        if (told.event === "closing") break;
      }
    }
    assertEquals([...seen].sort(), [
      "invalidate.board.asked",
      "invalidate.board.changed",
      "invalidate.board.mine",
      "record.cards.created",
      "record.cards.deleted",
      "record.cards.updated",
      "record.comments.created",
      "stream.closing",
      "stream.resync",
    ]);
  });
});

/** Names the one message that a frame is. */
function frameCheck(document: unknown): (frame: unknown) => string {
  const messages = isRecord(document) && isRecord(document["components"]) &&
    document["components"]["messages"];
  if (!isRecord(messages)) throw new Error("There are no messages");
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const checks = Object.entries(messages).map(([name, message]) => {
    const payload = isRecord(message) && message["payload"];
    if (!isRecord(payload)) throw new Error(`Message ${name} has no payload`);
    return [name, ajv.compile(payload)] as const;
  });
  return (frame) => {
    const fitting = checks.filter(([, check]) => check(frame)).map(([name]) => name);
    assertEquals(
      fitting.length,
      1,
      `${JSON.stringify(frame)} is ${fitting.join(", ") || "nothing"}`,
    );
    return fitting[0] ?? "";
  };
}
