/** The demo of `dev`, made from the model of whatever project it serves. */
import { assert, assertEquals } from "@std/assert";
import type { ApiRequest } from "../../../cli/dev/demo/api_client.ts";
import { curlLine } from "../../../cli/dev/demo/demo_text.ts";
import {
  ensureSampleRows,
  inReferenceOrder,
  sampleBody,
} from "../../../cli/dev/demo/sample_rows.ts";
import { exportLine } from "../../../cli/dev/demo/credential_words.ts";
import { tourOf, type Visitor } from "../../../cli/dev/demo/tour.ts";
import type { Credential } from "../../../playground/mod.ts";
import type { ColumnModel } from "../../../shared/model/table.ts";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import { column } from "../../../shared/model/table_spec.ts";
import { project as sampleProject, tasks } from "../../support/sample_project.ts";

const NOW = "2030-01-02T03:04:05.000Z";
const CREDENTIAL = { name: "authorization", value: "Bearer t" } as const;

Deno.test("inReferenceOrder() puts what is pointed at before what points", () => {
  const reversed = { ...sampleProject, resources: sampleProject.resources.toReversed() };
  const names = inReferenceOrder(reversed).map(({ name }) => name);
  assert(names.indexOf("projects") < names.indexOf("tasks"));
});

Deno.test("sampleBody() has every required column, and references that exist", () => {
  const resource = resourceNamed("tasks");
  const body = sampleBody(resource, tasks, new Map([["projects", "project_1"]]), NOW);
  assertEquals(body?.["projectId"], "project_1");
  assertEquals(body?.["title"], "Sample title");
});

Deno.test("sampleBody() gives up when a required reference has no row", () => {
  const body = sampleBody(resourceNamed("tasks"), tasks, new Map(), NOW);
  assertEquals(body, null);
});

Deno.test("sampleBody() makes a row that the read conditions let through", () => {
  const resource: ResourceModel = {
    ...resourceNamed("tasks"),
    guards: null,
    read: {
      include: [],
      defaultView: null,
      views: [],
      access: {
        kind: "any",
        of: [
          { kind: "roles", roles: ["owner"] },
          {
            kind: "record",
            conditions: [{
              column: "isPublic",
              operator: "equals",
              operand: { kind: "literal", value: true },
            }],
          },
        ],
      },
    },
  };
  const isPublic: ColumnModel = column({
    name: "isPublic",
    sqlName: "is_public",
    type: { kind: "bool" },
    default: { kind: "literal", value: false },
  });
  const body = sampleBody(resource, { ...tasks, columns: [isPublic] }, new Map(), NOW);
  assertEquals(body, { isPublic: true });
});

Deno.test("ensureSampleRows() takes the rows that are there and makes the others", async () => {
  const asked: string[] = [];
  const rows = await ensureSampleRows({
    project: sampleProject,
    credential: CREDENTIAL,
    now: NOW,
    api: ({ method, path }) => {
      asked.push(`${method} ${path.split("?")[0]}`);
      const isKnown = path.includes("/projects");
      if (method === "POST") return answer(201, { id: "task_new" });
      return answer(200, { data: isKnown ? [{ id: "project_old" }] : [] });
    },
  });
  assertEquals(rows.get("projects"), "project_old");
  assertEquals(rows.get("tasks"), "task_new");
  assert(!asked.includes("POST /api/v1/projects"));
});

Deno.test("tourOf() asks for another tenant's row with the own token, and for nothing without one", () => {
  const visitor = {
    name: "demo",
    credential: CREDENTIAL,
    principal: principal(["owner", "admin"]),
  };
  const steps = tourOf({
    project: sampleProject,
    demo: visitor,
    member: null,
    rows: new Map([["projects", "project_own"], ["tasks", "task_own"]]),
    foreignRows: new Map([["projects", "project_foreign"], ["tasks", "task_foreign"]]),
  });
  const firewall = steps.find(({ layer }) => layer === "firewall");
  assert(firewall?.request.path.endsWith("_foreign"));
  assertEquals(firewall?.request.credential, CREDENTIAL);
  assertEquals(steps.find(({ layer }) => layer === "authentication")?.request.credential, null);
});

Deno.test("tourOf() asks members for rows that all of them reach", () => {
  const member: Visitor = {
    name: "member",
    credential: CREDENTIAL,
    principal: principal(["member"]),
  };
  const stepsOver = (narrowed: readonly string[]) => {
    const kind = "rule" as const;
    const predicate = { kind: "holders", roles: ["admin"], exceptRoles: [] } as const;
    return tourOf({
      project: {
        ...sampleProject,
        tables: sampleProject.tables.map((table) =>
          narrowed.includes(table.name)
            ? {
              ...table,
              firewall: [...table.firewall, { kind, predicate, roles: [], exceptRoles: [] }],
            }
            : table
        ),
      },
      demo: member,
      member,
      rows: new Map([["projects", "project_own"], ["tasks", "task_own"]]),
      foreignRows: new Map(),
    }).filter(({ layer }) => layer === "access").map(({ request }) => request.path);
  };
  const [open = ""] = stepsOver([]);
  const asked = open.includes("projects") ? "projects" : "tasks";
  assertEquals(stepsOver([asked]).includes(open), false);
  assertEquals(stepsOver(["projects", "tasks"]), []);
});

const NAMES = { demo: "demo", agent: "on-call agent" } as const;
const asked = (name: string, credential: Credential): Visitor => ({
  name,
  credential,
  principal: ANONYMOUS,
});
const COOKIE = { name: "cookie", value: "session=a%2Fb; it's=1" } as const;

const LINES: readonly (readonly [Visitor | null, ApiRequest, string])[] = [
  [
    null,
    { method: "GET", path: "/api/v1/tickets", credential: null },
    "curl -s http://localhost:1/api/v1/tickets",
  ],
  [
    asked(NAMES.demo, CREDENTIAL),
    { method: "GET", path: "/api/v1/tickets?limit=5", credential: CREDENTIAL },
    `curl -s -H "authorization: Bearer $TOKEN" 'http://localhost:1/api/v1/tickets?limit=5'`,
  ],
  [
    asked(NAMES.agent, COOKIE),
    { method: "DELETE", path: "/t/1", credential: COOKIE },
    `curl -s -X DELETE -H '@/my shop/on_call_agent.header' http://localhost:1/t/1`,
  ],
  [
    asked(NAMES.demo, COOKIE),
    { method: "GET", path: "/t/1", credential: COOKIE },
    `curl -s -H "cookie: $COOKIE" http://localhost:1/t/1`,
  ],
  [
    null,
    { method: "PATCH", path: "/t/1", credential: null, body: { name: "it's" } },
    `curl -s -X PATCH -H 'content-type: application/json' -d '{"name":"it'\\''s"}' http://localhost:1/t/1`,
  ],
];

for (const [visitor, request, line] of LINES) {
  const { name } = request.credential ?? { name: "nobody" };
  Deno.test(`curlLine() writes ${request.method} ${request.path} with ${name}`, () => {
    const demo = asked(NAMES.demo, CREDENTIAL);
    const places = { origin: "http://localhost:1", demo, folder: "/my shop" };
    assertEquals(curlLine({ visitor, request }, places), line);
  });
}

Deno.test("the demo's credential is exported, whatever a shell makes of its characters", () => {
  assertEquals(exportLine(asked(NAMES.demo, CREDENTIAL)), "export TOKEN=t");
  assertEquals(
    exportLine(asked(NAMES.demo, COOKIE)),
    "export COOKIE='session=a%2Fb; it'\\''s=1'",
  );
});

function resourceNamed(name: string): ResourceModel {
  const resource = sampleProject.resources.find((candidate) => candidate.name === name);
  assert(resource, `The sample project has no resource ${name}`);
  return resource;
}

function answer(status: number, json: unknown) {
  return Promise.resolve({ status, json, cookies: [] });
}

function principal(roles: readonly string[]): Principal {
  return {
    credential: "token",
    userId: "u",
    organizationId: "o",
    teamId: null,
    roles,
    userRole: null,
  };
}
