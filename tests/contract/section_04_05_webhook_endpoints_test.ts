/** Contract 4.5: who manages webhook endpoints, and how. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { withApi } from "../support/api.ts";
import { project as sample } from "../support/sample_project.ts";
import {
  ADMIN,
  dataOf,
  ENDPOINTS,
  LONER,
  MEMBER,
  OWNER,
  STRANGER,
  URL,
  webhooksProject,
  withWebhooks,
} from "../support/webhooks.ts";

const MISS = { status: 403, code: "FIREWALL_NOT_FOUND" };

Deno.test("registration answers 201 with the endpoint and its secret", async () => {
  await withWebhooks(async (api) => {
    const { status, body } = await api.ask(ENDPOINTS, {
      as: ADMIN,
      body: { name: "Billing", url: URL, events: ["user.*", "file.uploaded"] },
    });
    assertEquals(status, 201);
    const { id, secret, ...rest } = body;
    assertEquals(rest, {
      name: "Billing",
      url: URL,
      events: ["user.*", "file.uploaded"],
      enabled: true,
      createdAt: "2026-01-02T03:04:05.678Z",
    });
    assertMatch(String(id), /^wep_[0-9a-f]{32}$/);
    const bytes = Uint8Array.fromBase64(String(secret).replace(/^whsec_/, ""));
    assert(bytes.byteLength >= 24 && bytes.byteLength <= 64);
  });
});

Deno.test("no other answer shows the secret", async () => {
  await withWebhooks(async (api) => {
    const { id, secret } = await api.register();
    const answers = [
      await api.ask(ENDPOINTS, { as: ADMIN }),
      await api.ask(`${ENDPOINTS}/${id}`, { as: OWNER }),
      await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body: { name: "New" } }),
      await api.ask(`${ENDPOINTS}/${id}/test`, { as: ADMIN, method: "POST" }),
      await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN }),
    ];
    for (const { status, text } of answers) {
      assertEquals(status, 200);
      assert(!text.includes(String(secret)));
    }
    assertEquals(answers[1]?.body["secret"], "whsec_***");
  });
});

Deno.test("endpoints belong to the organization, and strangers cannot tell that they exist", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: OWNER })).length, 1);
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: STRANGER })), []);
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: LONER })), []);
    for (const as of [STRANGER, LONER]) {
      for (const [method, path, body] of requestsTo(String(id))) {
        const { status, body: { code } } = await api.ask(path, { as, method, body });
        assertEquals({ status, code }, MISS, `${method} ${path}`);
      }
    }
    const known = await api.ask(`${ENDPOINTS}/${id}`, { as: STRANGER });
    const unknown = await api.ask(`${ENDPOINTS}/wep_nothing`, { as: STRANGER });
    assertEquals(known.body["detail"], unknown.body["detail"]);
    assertEquals((await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN })).status, 200);
  });
});

Deno.test("without an organization the endpoints are the user's own", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register({ as: LONER });
    assertEquals((await api.ask(`${ENDPOINTS}/${id}`, { as: LONER })).status, 200);
    const sameUserElsewhere = { ...LONER, orgId: "org_a", roles: ["admin"] };
    assertEquals((await api.ask(`${ENDPOINTS}/${id}`, { as: sameUserElsewhere })).status, 403);
    assertEquals((await api.ask(`${ENDPOINTS}/${id}`, { as: { sub: "user_x" } })).status, 403);
  });
});

Deno.test("only owner and admin manage what is the organization's", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    for (const [method, path, body] of [["GET", ENDPOINTS], ...requestsTo(String(id))] as const) {
      const refused = await api.ask(path, { as: MEMBER, method, body });
      assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_ROLE_REQUIRED"], path);
      const anonymous = await api.ask(path, { method, body });
      assertEquals([anonymous.status, anonymous.body["code"]], [401, "AUTH_MISSING"], path);
    }
  });
});

const BODIES: readonly (readonly [what: string, body: unknown, field: string])[] = [
  ["no name", { url: URL, events: ["*"] }, "name"],
  ["an empty name", { name: "", url: URL, events: ["*"] }, "name"],
  ["a long name", { name: "x".repeat(101), url: URL, events: ["*"] }, "name"],
  ["no url", { name: "a", events: ["*"] }, "url"],
  ["a url that is none", { name: "a", url: "hooks", events: ["*"] }, "url"],
  ["a number as url", { name: "a", url: 1, events: ["*"] }, "url"],
  ["no events", { name: "a", url: URL }, "events"],
  ["no event at all", { name: "a", url: URL, events: [] }, "events"],
  ["an event with a blank", { name: "a", url: URL, events: ["user created"] }, "events"],
  ["a star within", { name: "a", url: URL, events: ["user.*.x"] }, "events"],
  ["half a prefix", { name: "a", url: URL, events: ["user*"] }, "events"],
  ["an unknown field", { name: "a", url: URL, events: ["*"], secret: "whsec_mine" }, "secret"],
];

for (const [what, body, field] of BODIES) {
  Deno.test(`a registration with ${what} is 400`, async () => {
    await withWebhooks(async (api) => {
      const answer = await api.ask(ENDPOINTS, { as: ADMIN, body });
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"]);
      assertEquals(answer.body["pointer"], `/${field}`);
      assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })), []);
    });
  });
}

Deno.test("the destination is judged on registration and on update", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    api.resolves("gone.example.com", { addresses: [], exists: false });
    api.resolves("inside.example.com", { addresses: ["8.8.8.8", "10.1.2.3"] });
    api.resolves("slow.example.com", { addresses: [], failure: "The resolver took too long" });
    const judged = [
      ["http://hooks.example.com/", 400],
      ["https://127.0.0.1/", 400],
      ["https://metadata.google.internal/", 400],
      ["https://gone.example.com/", 400],
      ["https://inside.example.com/", 400],
      ["https://slow.example.com/", 503],
    ] as const;
    for (const [url, status] of judged) {
      const body = { name: "a", url, events: ["*"] };
      const registered = await api.ask(ENDPOINTS, { as: ADMIN, body });
      const updated = await api.ask(`${ENDPOINTS}/${id}`, {
        as: ADMIN,
        method: "PATCH",
        body: { url },
      });
      assertEquals([registered.status, updated.status], [status, status], url);
      assertEquals(
        updated.body["code"],
        status === 400 ? "VALIDATION_ERROR" : "WEBHOOK_RESOLVER_UNAVAILABLE",
      );
    }
    assertEquals((await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN })).body["url"], URL);
    assertEquals(api.dialled, []);
  });
});

Deno.test("webhookAllowInsecure admits http, and nothing else", async () => {
  const database = { ...sample.database, webhookAllowInsecure: true };
  await withWebhooks(async (api) => {
    const body = { name: "a", url: "http://hooks.example.com/", events: ["*"] };
    assertEquals((await api.ask(ENDPOINTS, { as: ADMIN, body })).status, 201);
    const local = { ...body, url: "http://localhost/" };
    assertEquals((await api.ask(ENDPOINTS, { as: ADMIN, body: local })).status, 400);
  }, { project: { database } });
});

Deno.test("an update changes what it names", async () => {
  await withWebhooks(async (api) => {
    const { id, secret: _, ...registered } = await api.register();
    const patch = (body: unknown) =>
      api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body });
    assertEquals((await patch({ enabled: false })).body["enabled"], false);
    assertEquals((await patch({ events: ["a.*"] })).body["events"], ["a.*"]);
    assertEquals((await patch({ name: "New", url: "https://8.8.4.4/" })).body, {
      ...registered,
      id,
      secret: "whsec_***",
      name: "New",
      url: "https://8.8.4.4/",
      events: ["a.*"],
      enabled: false,
    });
    assertEquals((await patch({ secret: "whsec_x" })).status, 400);
    assertEquals((await patch({ enabled: null })).status, 400);
    assertEquals((await patch({})).status, 200);
  });
});

Deno.test("a deleted endpoint is gone", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    const deleted = await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "DELETE" });
    assertEquals([deleted.status, deleted.body], [200, { success: true }]);
    const again = await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "DELETE" });
    assertEquals([again.status, again.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
  });
});

Deno.test("an event that a project's list does not have is refused by its name; patterns wait", async () => {
  const endpointEvents = ["invoice.paid", "invoice.sent", "webhook.test"];
  const webhooks = { ...webhooksProject.webhooks, endpointEvents };
  await withWebhooks(async (api) => {
    const register = (events: readonly string[]) =>
      api.ask(ENDPOINTS, { as: ADMIN, body: { name: "a", url: URL, events } });
    for (const events of [["*"], ["order.*"], ["invoice.paid", "invoice.*"]]) {
      assertEquals((await register(events)).status, 201, events.join());
    }
    const refused = await register(["invoice.sent", "invoice.payed"]);
    const { status, body: { code, pointer, detail } } = refused;
    assertEquals([status, code, pointer], [400, "VALIDATION_ERROR", "/events"]);
    assertMatch(
      String(detail),
      /no event "invoice\.payed"; there are invoice\.paid, invoice\.sent/,
    );
    const { id } = await api.register({ events: ["*"] });
    const change = (events: readonly string[]) =>
      api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body: { events } });
    assertEquals((await change(["order.made"])).status, 400);
    assertEquals((await change(["invoice.paid"])).status, 200);
  }, { project: { webhooks } });
  // Without a list of its own, a project may emit whatever it likes.
  await withWebhooks(async (api) => {
    const body = { name: "a", url: URL, events: ["order.made"] };
    assertEquals((await api.ask(ENDPOINTS, { as: ADMIN, body })).status, 201);
  });
});

Deno.test("one more than the quota is 409, for each scope on its own", async () => {
  const webhooks = { ...webhooksProject.webhooks, maxEndpoints: 2 };
  await withWebhooks(async (api) => {
    await api.register();
    await api.register();
    const body = { name: "a", url: URL, events: ["*"] };
    const third = await api.ask(ENDPOINTS, { as: OWNER, body });
    assertEquals([third.status, third.body["code"]], [409, "WEBHOOK_ENDPOINT_LIMIT"]);
    await api.register({ as: STRANGER });
  }, { project: { webhooks } });
});

Deno.test("registrations at the same time do not pass the quota together", async () => {
  await withWebhooks(async (api) => {
    const body = JSON.stringify({ name: "a", url: URL, events: ["*"] });
    for (let at = 0; at < 20; at += 1) await api.register();
    const answers = [];
    for (let at = 0; at < 10; at += 1) answers.push(api.ask(ENDPOINTS, { as: ADMIN, body }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
    assertEquals(statuses, [201, 201, 201, 201, 201, 409, 409, 409, 409, 409]);
  });
});

Deno.test("lists are pages of the collection envelope, the newest first", async () => {
  await withWebhooks(async (api) => {
    const ids: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      api.pass(1000);
      ids.unshift((await api.register())["id"]);
    }
    const first = await api.ask(`${ENDPOINTS}?limit=2`, { as: ADMIN });
    assertEquals(dataOf(first).map(({ id }) => id), ids.slice(0, 2));
    assertEquals(first.body["view"], null);
    const { nextCursor, ...pagination } = Object(first.body["pagination"]);
    assertEquals(pagination, { count: 2, page: 1, pageSize: 2, hasMore: true, prevCursor: null });
    assertEquals(typeof nextCursor, "string");
    const second = await api.ask(`${ENDPOINTS}?limit=2&offset=2`, { as: ADMIN });
    assertEquals(dataOf(second).map(({ id }) => id), ids.slice(2));
    for (const query of ["limit=x", "offset=-1", "limit=1&limit=2", "status=failed", "sort=name"]) {
      const refused = await api.ask(`${ENDPOINTS}?${query}`, { as: ADMIN });
      assertEquals(
        [refused.status, refused.body["code"]],
        [400, "VALIDATION_INVALID_INPUT"],
        query,
      );
    }
  });
});

Deno.test("the event list holds what the project names, by default the recommended ones", async () => {
  await withWebhooks(async (api) => {
    const types = dataOf(await api.ask("/webhooks/v1/events", { as: ADMIN })).map(({ type }) =>
      type
    );
    assertEquals(types.length, 14);
    assertEquals(types[0], "user.created");
  });
});

Deno.test("without the configuration there are no routes", async () => {
  await withApi(sample, async (api) => {
    for (const path of [ENDPOINTS, "/webhooks/v1/events", "/webhooks/v1/inbound/events"]) {
      const { status, body } = await api.ask(path, { as: ADMIN });
      assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"]);
    }
  });
});

function requestsTo(
  id: string,
): readonly (readonly [method: string, path: string, body?: unknown])[] {
  const path = `${ENDPOINTS}/${id}`;
  return [
    ["GET", path],
    ["PATCH", path, { name: "Mine" }],
    ["GET", `${path}/deliveries`],
    ["POST", `${path}/test`],
    ["POST", `${path}/rotate-secret`],
    ["DELETE", path],
  ];
}
