/** A request that succeeds for every operation of the helpdesk: what other requests are bent from. */
import type { ApiUnderTest, Ask, Claims } from "./api.ts";

export const ADA: Claims = { sub: "ada", orgId: "org_a", roles: ["admin"] };

/** One request that was not sent yet. */
export interface Sent {
  readonly path: string;
  readonly ask: Ask;
}

interface ResourceRequests {
  readonly segment: string;
  readonly create: (api: ApiUnderTest) => Promise<Readonly<Record<string, unknown>>>;
  readonly change: Readonly<Record<string, unknown>>;
}

let number = 0;

const inTicket = (more: Readonly<Record<string, unknown>>) => async (api: ApiUnderTest) => ({
  ticketId: await made("Tickets", api),
  ...more,
});

/** By the name in operation ids. */
const RESOURCES: ReadonlyMap<string, ResourceRequests> = new Map<string, ResourceRequests>([
  ["Articles", {
    segment: "articles",
    create: () =>
      Promise.resolve({ title: "How", slug: `how-${++number}`, body: "So", published: true }),
    change: { title: "How to" },
  }],
  ["Customers", {
    segment: "customers",
    create: () => Promise.resolve({ name: "Eve", email: `eve-${++number}@example.com` }),
    change: { name: "Eva" },
  }],
  ["Tickets", {
    segment: "tickets",
    create: async (api) => ({ customerId: await made("Customers", api), subject: "Help" }),
    change: { subject: "Please" },
  }],
  ["Comments", {
    segment: "comments",
    create: inTicket({ body: "Hm" }),
    change: { body: "Aha" },
  }],
  ["Attachments", {
    segment: "attachments",
    create: inTicket({ fileName: "a.png", url: "https://example.com/a.png" }),
    change: { fileName: "b.png" },
  }],
  ["InternalNotes", {
    segment: "internal-notes",
    create: inTicket({ body: "Rude" }),
    change: { body: "Kind" },
  }],
]);

const OPERATION = /^(list|get|create|update|delete|batchCreate|batchUpdate|batchDelete)(\w+)$/;

/** Null: no operation of a resource, or an action. */
export async function helpdeskRequest(
  operationId: string,
  path: string,
  api: ApiUnderTest,
): Promise<Sent | null> {
  const [, action] = /^run(?:Many)?Tickets_(\w+)$/.exec(operationId) ?? [];
  if (action !== undefined) return await actionRequest(action, path, api);
  if (operationId.startsWith("view")) return { path, ask: { as: ADA } };
  const [, verb = "", name = ""] = OPERATION.exec(operationId) ?? [];
  const requests = RESOURCES.get(name);
  return requests ? { path, ...await recordRequest(verb, { name, requests, path, api }) } : null;
}

interface Target {
  readonly name: string;
  readonly requests: ResourceRequests;
  readonly path: string;
  readonly api: ApiUnderTest;
}

async function recordRequest(
  verb: string,
  { name, requests: { create, change }, path, api }: Target,
): Promise<{ readonly path?: string; readonly ask: Ask }> {
  const one = async () => path.replace("{id}", await made(name, api));
  switch (verb) {
    case "get":
      return { path: await one(), ask: { as: ADA } };
    case "create":
      return { ask: { as: ADA, body: await create(api) } };
    case "update":
      return { path: await one(), ask: { as: ADA, method: "PATCH", body: change } };
    case "delete":
      return { path: await one(), ask: { as: ADA, method: "DELETE" } };
    case "batchCreate":
      return { ask: { as: ADA, body: { records: [await create(api)] } } };
    case "batchUpdate": {
      const records = [{ id: await made(name, api), ...change }];
      return { ask: { as: ADA, method: "PATCH", body: { records } } };
    }
    case "batchDelete":
      return { ask: { as: ADA, method: "DELETE", body: { ids: [await made(name, api)] } } };
    default:
      return { ask: { as: ADA } };
  }
}

async function actionRequest(action: string, path: string, api: ApiUnderTest): Promise<Sent> {
  const id = await made("Tickets", api);
  if (action === "Reopen") await api.ask(`tickets/${id}/resolve`, { as: ADA, body: {} });
  return path.includes("{id}")
    ? { path: path.replace("{id}", id), ask: { as: ADA, body: {} } }
    : { path, ask: { as: ADA, body: { ids: [id] } } };
}

/** The id of a new record. */
async function made(name: string, api: ApiUnderTest): Promise<string> {
  const requests = RESOURCES.get(name);
  if (!requests) throw new Error(`There are no ${name}`);
  const body = await requests.create(api);
  const answer = await api.ask(requests.segment, { as: ADA, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return String(answer.body["id"]);
}
