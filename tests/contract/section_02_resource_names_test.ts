/**
 * One name for a resource wherever somebody writes it. Its name in URLs means the same there, and is stored and answered as
 * the name (contract 2.1).
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as fc from "fast-check";
import { readCompileHost } from "../../container/host.ts";
import { compile, type RawFiles, validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { memoryPubSub } from "../../shared/runtime/mod.ts";
import {
  DEFINITION_NAME,
  kebabCase,
  nameMeant,
  permissionsMeant,
} from "../../shared/surface/mod.ts";
import { founder, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import { type ApiUnderTest, BASE_URL, isRecord } from "../support/api.ts";
import { type Compiled, withCompiled } from "../support/compiled_actions.ts";
import { connected, type McpClientUnderTest } from "../support/mcp_client.ts";
import * as oauth from "../support/oauth.ts";
import { listenerOf, manualTimer } from "../support/realtime.ts";

const ALL = '{ access: { roles: ["owner"] } }';
const OPERATIONS = `read: ${ALL}, create: ${ALL}, update: ${ALL},
  delete: { access: { roles: ["owner"] }, restore: ${ALL} }, audit: true, realtime: true,`;

const ORDERS = `import { feature, q } from "quickback";
export default feature("workOrders", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"], updatable: ["title"] },
  ${OPERATIONS}
});
`;

/** `$orders` is the name of the table, as it is written. */
const LINES = `import { feature, q } from "quickback";
export default feature("lines", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    label: q.text().required(),
    orderId: q.text(),
  },
  references: { orderId: "$orders" },
  guards: { createable: ["label", "orderId"], updatable: ["label"] },
  ${OPERATIONS}
});
`;

const PICK = `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Takes an order.",
  input: z.object({ orderId: z.string() }),
  refs: { orderId: "$orders" },
  access: { roles: ["owner"] },
  execute: ({ input }) => ({ taken: input.orderId }),
});
`;

const SEED = `import { defineSeed } from "quickback";
export default defineSeed({
  organizations: [{ id: "org_1", name: "One", members: { ada: ["owner"] } }],
  users: [{ id: "ada", name: "Ada" }],
  as: { userId: "ada", organizationId: "org_1" },
  rows: { "$orders": [{ $as: "first", title: "Roof" }] },
});
`;

const CONFIG = `export default {
  name: "works",
  agents: { oauth: true },
  realtime: { enabled: true },
  contract: { changeset: true },
};
`;

const LINES_FILE = "quickback/features/work/lines.ts";
const PICK_FILE = "quickback/features/work/actions/lines/pick.ts";
const SEED_FILE = "quickback/seed.ts";

const PLACES: Readonly<Record<string, string>> = {
  [LINES_FILE]: LINES,
  [PICK_FILE]: PICK,
  [SEED_FILE]: SEED,
};

/** `places` say `name`, the others the table's own. */
function files(places: readonly string[] = [], name = "workOrders"): RawFiles {
  return {
    "quickback/quickback.config.ts": CONFIG,
    "quickback/features/work/orders.ts": ORDERS,
    ...Object.fromEntries(
      Object.entries(PLACES).map(([path, text]) => [
        path,
        text.replace("$orders", places.includes(path) ? name : "workOrders"),
      ]),
    ),
  };
}

Deno.test("nameMeant() knows every name in the form that URLs have of it, and no third one", () => {
  fc.assert(
    fc.property(fc.stringMatching(DEFINITION_NAME), (name) => {
      assertEquals(nameMeant(kebabCase(name), ["other", name]), name);
      assertEquals(nameMeant(name, [`${name}X`, name]), name);
      assertEquals(nameMeant(`${name}-`, [name]), undefined);
    }),
  );
  assertEquals(nameMeant("work-orders", ["workOrders", "work-orders"]), "work-orders");
  for (const other of ["work_orders", "WorkOrders", "workorders", "WORK-ORDERS", ""]) {
    assertEquals(nameMeant(other, ["workOrders"]), undefined, other);
  }
});

const CHILDREN = (name: string): RawFiles => ({
  ...files(),
  "quickback/features/work/orders.ts": ORDERS.replace(
    `read: ${ALL}`,
    `read: { access: { roles: ["owner"] }, include: ["${name}.orderId"] }`,
  ),
  "quickback/features/work/lines.ts": LINES.replace("$orders", "workOrders")
    .replace('feature("lines"', 'feature("workLines"'),
});

/** An order is read by those who have a line of it; `told` names the table that refers to it. */
const RULED = (told: string): RawFiles => ({
  ...CHILDREN("workLines"),
  "quickback/features/work/orders.ts": ORDERS.replace(`read: ${ALL}`, `read: { access: ${told} }`),
});

/** Where a definition says the name that is handed in, and the file of it. */
const NAMED: Readonly<Record<string, readonly [(name: string) => RawFiles, string, string]>> = {
  "a map of references": [(name) => files([LINES_FILE], name), LINES_FILE, "workOrders"],
  "an input's references": [(name) => files([PICK_FILE], name), PICK_FILE, "workOrders"],
  "rows of a seed": [(name) => files([SEED_FILE], name), SEED_FILE, "workOrders"],
  "a relation in a rule": [
    (name) =>
      RULED(`{ roles: ["owner"], record: { "${name}": { some: { label: { equals: "a" } } } } }`),
    "quickback/features/work/orders.ts",
    "workLines",
  ],
  "a relation in a rule, by its key": [
    (name) =>
      RULED(
        `{ roles: ["owner"], record: { "${name}.orderId": { none: { label: { equals: "a" } } } } }`,
      ),
    "quickback/features/work/orders.ts",
    "workLines",
  ],
  "a relation of a firewall": [
    (name) => ({
      ...CHILDREN("workLines"),
      "quickback/features/work/orders.ts": ORDERS.replace(
        "guards:",
        `firewall: [{ field: "organizationId", equals: "ctx.activeOrgId" }, { through: "${name}.orderId", some: { label: { equals: "a" } } }],
  guards:`,
      ),
    }),
    "quickback/features/work/orders.ts",
    "workLines",
  ],
  "a rollup": [
    (name) => ({
      ...CHILDREN("workLines"),
      "quickback/features/work/orders.ts": ORDERS.replace(
        "title: q.text().required()",
        `title: q.text().required(), lines: q.rollup("${name}.orderId", { count: true })`,
      ),
    }),
    "quickback/features/work/orders.ts",
    "workLines",
  ],
  "included children": [CHILDREN, "quickback/features/work/orders.ts", "workLines"],
};

Deno.test("definitions take the name of URLs with a warning at its place, and mean the table", () => {
  for (const [where, [filesOf, file, name]] of Object.entries(NAMED)) {
    const plain = validate(filesOf(name));
    assert(plain.ok, `${where}: ${JSON.stringify(plain)}`);
    assertEquals(plain.warnings, [], where);
    const found = validate(filesOf(kebabCase(name)));
    assert(found.ok, `${where}: ${JSON.stringify(found)}`);
    const told = found.warnings.map(({ code, place, hint }) => [code, place.file, hint]);
    assertEquals(told, [["NAME_OF_URLS", file, `Write "${name}"`]], where);
    assertEquals(withoutSeedPlaces(found.model), withoutSeedPlaces(plain.model), where);
    assert(!validate(filesOf(name.toLowerCase())).ok, where);
  }
});

/** A row of a seed says its line, and nothing else tells the two spellings apart. */
function withoutSeedPlaces(model: ProjectModel): unknown {
  return JSON.parse(JSON.stringify(model, (key, value) => key === "at" ? undefined : value));
}

Deno.test("permissions under both names are joined, whatever stands there", () => {
  const grantable = new Map([["workOrders", ["read", "update"]], ["work-orders", ["report"]], [
    "lines",
    ["read"],
  ]]);
  const meant = (written: unknown) => permissionsMeant(written, grantable);
  assertEquals(meant({ workOrders: ["read"], "work-orders": ["update", "read"] }), {
    workOrders: ["read", "update"],
  });
  // A feature has its own name, and a verb says which of both is meant.
  assertEquals(meant({ "work-orders": ["report", "read"] }), {
    "work-orders": ["report"],
    workOrders: ["read"],
  });
  for (const other of [null, 3, ["read"], { none: ["read"] }, { lines: "read" }, { lines: [] }]) {
    assertEquals(meant(other), other);
  }
  // As long as a body may be: each verb is looked at once.
  const verbs = Array.from({ length: 100_000 }, (_, at) => `verb${at}`);
  assertEquals(meant({ lines: verbs }), { lines: verbs });
});

Deno.test("a folder of actions is its table's, by either name", () => {
  for (const folder of ["workOrders", "work-orders"]) {
    const found = validate({
      ...files(),
      [`quickback/features/work/actions/${folder}/close.ts`]: PICK.replace("$orders", "lines"),
    });
    assert(found.ok, JSON.stringify(found));
    assertEquals(found.model.actions.find(({ name }) => name === "close")?.table, "workOrders");
  }
});

interface Scene {
  readonly api: ApiUnderTest;
  readonly owner: Visitor;
  readonly mcp: McpClientUnderTest;
  /** Id of an order. */
  readonly order: string;
  /** Id of an order that is deleted. */
  readonly gone: string;
}

/** What is answered where a caller writes the name that is handed in: the same for both names. */
type Place = (name: string, scene: Scene) => Promise<unknown>;

/** In bodies and queries that the description tells: by operation and member. */
const DESCRIBED: Readonly<Record<string, Place>> = {
  "POST /changeset resource": async (resource, { owner }) => {
    const operations = [{ op: "create", resource, data: { title: "Roof" } }];
    const { status, body } = await owner.ask("changeset", { operations });
    return [status, Object.keys(Object(Object(body["results"])[0]))];
  },
  "POST /api/auth/api-key/create permissions": async (name, { api, owner }) => {
    const key = await owner.ask("/auth/v1/api-key/create", {
      permissions: { [name]: ["read"], lines: ["create"] },
    });
    const headers = { "x-api-key": String(key.body["key"]) };
    const listed = await owner.ask("/auth/v1/api-key/list");
    const stored = await api.database.run({
      sql: `SELECT json_remove("permissions", '$.organization') FROM "auth_apikey" WHERE "id" = ?`,
      args: [String(key.body["id"])],
    });
    const { text } = await api.ask("lines", { headers });
    return [
      key.status,
      stored.rows,
      Object.keys(Object(Object(listed.body["apiKeys"])[0])["permissions"] ?? {}),
      (await api.ask("work-orders", { headers })).status,
      text.includes("ACCESS_ROLE_REQUIRED"),
    ];
  },
};

const TOOLS: Readonly<Record<string, (scene: Scene) => Readonly<Record<string, unknown>>>> = {
  describe_resource: () => ({}),
  list_records: () => ({ limit: 1, sort: ["createdAt"] }),
  get_record: ({ order }) => ({ id: order }),
  get_history: ({ order }) => ({ id: order }),
  create_record: () => ({ data: { title: "Roof" }, dryRun: true }),
  update_record: ({ order }) => ({ id: order, data: { title: "Wall" }, dryRun: true }),
  delete_record: ({ order }) => ({ id: order, dryRun: true }),
  restore_record: ({ gone }) => ({ id: gone, dryRun: true }),
  create_records: () => ({ records: [{ title: "Roof" }], dryRun: true }),
  update_records: ({ order }) => ({ records: [{ id: order, title: "Wall" }], dryRun: true }),
  delete_records: ({ order }) => ({ ids: [order], dryRun: true }),
};

/** Where only prose tells of it. */
const UNDESCRIBED: Readonly<Record<string, Place>> = {
  "?resources= of the stream": async (name, { api, owner }) => {
    const response = await api.fetch(
      new Request(`${BASE_URL}/broadcast/v1/events?resources=lines,${name}`, {
        headers: { host: new URL(BASE_URL).host, cookie: owner.cookie },
      }),
      { clientIp: null },
    );
    const listener = await listenerOf(response);
    const made = await owner.ask("work-orders", { title: "Told" });
    const { data } = await listener.next();
    await listener.leave();
    return [made.status, data["type"], data["resource"]];
  },
  "scopes of a client": async (name, { api, owner }) => {
    const scope = `${name}:read lines:create workOrders:read`;
    const client = await oauth.allowed(api, owner, { scope });
    const again = await oauth.refreshed(api, client.clientId, client.refresh, {
      scope: `${name}:read`,
    });
    const grants = await owner.ask("/auth/v1/oauth/grants");
    return [
      client.scope,
      oauth.tokensIn(again).scope,
      /"(scopes?)":("[^"]*"|\[[^\]]*\])/.exec(grants.text)?.[2],
      (await client.ask("work-orders")).status,
      (await client.ask("lines")).status,
    ];
  },
  "the page of a client": async (name, { api, owner }) => {
    const client = await oauth.registered(api);
    const page = await owner.ask(oauth.authorizePath(client, { scope: `${name}:read` }));
    return [page.status, /<h3>[^<]*<\/h3>|workOrders:read/.exec(page.text)?.[0]];
  },
  "the record's address of the model's protocol": async (name, { mcp, order }) => {
    const { contents: [content] } = await mcp.client.readResource({
      uri: `quickback://${name}/${order}`,
    });
    return String(content && "text" in content ? content.text : "").includes(order);
  },
  "a prompt": async (name, { mcp }) => {
    const { messages: [message] } = await mcp.client.getPrompt({
      name: "work_with_resource",
      arguments: { resource: name },
    });
    return message?.content;
  },
  "a completion": async (name, { mcp }) => {
    const { completion } = await mcp.client.complete({
      ref: { type: "ref/prompt", name: "work_with_resource" },
      argument: { name: "resource", value: name.slice(0, 6) },
    });
    return completion;
  },
};

const compiled = compile(files(), readCompileHost({ version: "0.0.0" }));

/** Operations whose bodies or parameters hold the name, by the member of which it is a value or a key. */
function describedPlaces(): readonly string[] {
  assert(compiled.ok);
  const text = compiled.files.find(({ path }) => path === "openapi.json")?.content ?? "";
  const document: { readonly paths: Readonly<Record<string, unknown>> } = JSON.parse(text);
  const places = new Set<string>();
  const look = (value: unknown, operation: string, members: readonly string[]): void => {
    if (value === "workOrders") return void places.add(`${operation} ${members[0]}`);
    if (Array.isArray(value)) return value.forEach((one) => look(one, operation, members));
    if (!isRecord(value)) return;
    const ref = value["$ref"];
    if (typeof ref === "string") {
      const found = ref.slice(2).split("/").reduce<unknown>(
        (one, key) => Object(one)[key],
        document,
      );
      look(found, operation, members);
    }
    for (const [key, one] of Object.entries(value)) {
      if (key === "workOrders") places.add(`${operation} ${members[0]}`);
      const isMember = isRecord(value) && members[1] === "properties";
      look(one, operation, isMember ? [key, ...members] : [members[0] ?? "", key]);
    }
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, told] of Object.entries(Object(methods))) {
      const { requestBody, parameters } = Object(told);
      const operation = `${method.toUpperCase()} ${path.replace("/api/v1", "")}`;
      look({ requestBody, parameters }, operation, ["", ""]);
    }
  }
  return [...places];
}

Deno.test("callers may write either name in every place, and hear the one", () =>
  withCompiled(files(), (project) =>
    withScene(project, async (scene) => {
      assertEquals(describedPlaces().toSorted(), Object.keys(DESCRIBED).toSorted());
      const { tools } = await scene.mcp.client.listTools();
      const naming = tools.filter(({ inputSchema }) =>
        JSON.stringify(inputSchema).includes('"workOrders"')
      );
      assertEquals(naming.map(({ name }) => name).toSorted(), Object.keys(TOOLS).toSorted());
      const places: Readonly<Record<string, Place>> = {
        ...DESCRIBED,
        ...UNDESCRIBED,
        ...Object.fromEntries(
          Object.entries(TOOLS).map((
            [tool, args],
          ): [string, Place] => [tool, async (resource, scene) => {
            const { status, isError, data } = await scene.mcp.call(tool, {
              resource,
              ...args(scene),
            });
            return [status, isError, shape(data)];
          }]),
        ),
      };
      for (const [place, answer] of Object.entries(places)) {
        const [known, other] = [
          await answer("workOrders", scene),
          await answer("work-orders", scene),
        ];
        assertEquals(other, known, place);
        // What means nothing is refused there, or finds nothing.
        assertNotEquals(await answer("work_orders", scene).catch(String), known, place);
      }
    })));

/** The answer without what differs from one write to the next. */
function shape(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      data ?? null,
      (key, value) => /^(?:id|.*At|nextCursor)$/.test(key) ? key : value,
    ),
  );
}

function withScene(
  { model, code }: Compiled,
  body: (scene: Scene) => Promise<void>,
): Promise<void> {
  return withAccountsApi(async (api) => {
    const owner = await founder(api, "anna", "acme");
    const made = async () =>
      String((await owner.ask("work-orders", { title: "First" })).body["id"]);
    const [order, gone] = [await made(), await made()];
    const key = await owner.ask("/auth/v1/api-key/create", {});
    const headers = { "x-api-key": String(key.body["key"]) };
    const removed = await api.ask(`work-orders/${gone}`, { headers, method: "DELETE" });
    assertEquals(removed.status, 200, removed.text);
    await body({
      api,
      owner,
      order,
      gone,
      mcp: await connected(api, headers),
    });
  }, {
    project: model,
    code,
    realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
  });
}
