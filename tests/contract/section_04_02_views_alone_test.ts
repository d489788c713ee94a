/** A role may have a view alone: the view's own rule, columns, filters, search, includes and totals, and nothing else of the resource (definitions 4.5). */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withApi, withDefinitions } from "../support/api.ts";
import { conformanceOf } from "../support/conformance.ts";
import { ACCOUNTANT, BOTH, EDITOR, MANAGER, MEMBER, staff } from "../support/staff_project.ts";
import { bearing, connected } from "../support/mcp_client.ts";
import { withRealtime } from "../support/realtime.ts";

interface Ids {
  readonly dept: string;
  readonly ann: string;
  readonly bob: string;
  readonly eve: string;
}

async function made(api: ApiUnderTest, resource: string, body: object): Promise<string> {
  api.pass(1000);
  const answer = await api.ask(resource, { as: MANAGER, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

/** Ann is active, Bob has left, Eve is hidden. */
async function fill(api: ApiUnderTest): Promise<Ids> {
  const dept = await made(api, "departments", { title: "Sales" });
  const person = (name: string, more: object) =>
    made(api, "people", { name, departmentId: dept, ...more });
  return {
    dept,
    ann: await person("Ann", { nick: "zephyr", cv: "walnut", salary: 300, taste: [1, 0] }),
    bob: await person("Bob", { nick: "quokka", salary: 200, state: "left", taste: [0, 1] }),
    eve: await person("Eve", { nick: "ibex", salary: 100, hidden: true }),
  };
}

function staffed(
  body: (api: ApiUnderTest, ids: Ids) => Promise<void>,
  of: Parameters<typeof staff>[0] = {},
): Promise<void> {
  return withDefinitions(staff(of), async (api) => await body(api, await fill(api)));
}

async function asked(api: ApiUnderTest, path: string, as: Claims): Promise<unknown> {
  const { status, body } = await api.ask(path, { as });
  if (status !== 200) return `${status} ${body["code"]}`;
  const { data } = body;
  return Array.isArray(data) ? data.map((one) => one.name ?? one.id ?? one.title) : body;
}

const where = (condition: unknown) => `where=${encodeURIComponent(JSON.stringify(condition))}`;
const REFUSED = "403 ACCESS_ROLE_REQUIRED";

Deno.test("a view alone stands by its own rule; whom the resource admits keeps both", () =>
  staffed(async (api) => {
    const payroll = (as: Claims) => asked(api, "people/views/payroll?sort=name", as);
    const rows: readonly (readonly [string, Claims, unknown])[] = [
      ["people/views/payroll?sort=-salary", ACCOUNTANT, ["Ann", "Bob", "Eve"]],
      ["people/views/payroll?sort=-salary", MANAGER, ["Ann", "Eve"]],
      ["people/views/payroll?sort=-salary", BOTH, ["Ann", "Eve"]],
      ["people/views/payroll", MEMBER, REFUSED],
      ["people/views/directory", ACCOUNTANT, REFUSED],
      ["people/views/directory?sort=name", MEMBER, ["Ann", "Bob"]],
      ["people/views/directory?sort=name", MANAGER, ["Ann"]],
      // A view without a rule is the resource's, as before.
      ["people/views/all", ACCOUNTANT, REFUSED],
      ["people/views/all", MEMBER, REFUSED],
    ];
    for (const [path, as, expected] of rows) {
      assertEquals(await asked(api, path, as), expected, `${path} as ${as.sub}`);
    }
    assertEquals(await payroll(ACCOUNTANT), "400 VALIDATION_INVALID_INPUT");
    const { body } = await api.ask("people/views/payroll?total=true", { as: ACCOUNTANT });
    assertEquals(body["aggregations"], { sum: 600 });
    assertEquals(isRecord(body["pagination"]) && body["pagination"]["total"], 3);
    const refused = await api.ask("people/views/payroll", { as: MEMBER });
    assertEquals(refused.body["details"], {
      required: ["manager", "accountant"],
      current: ["member"],
    });
  }));

Deno.test("where nobody reads the resource, every role of a view has it alone", () =>
  withApi(
    edited([
      ['{ roles: ["manager"], record: { state: "active" } }', "{ roles: [] }"],
      ['roles: ["manager", "accountant", "member"]', 'roles: ["manager"]'],
    ]),
    async (api) => {
      await fill(api);
      const names = ["Ann", "Bob", "Eve"];
      for (const as of [MANAGER, ACCOUNTANT, BOTH]) {
        assertEquals(await asked(api, "people/views/payroll?sort=-salary", as), names);
        assertEquals(await asked(api, "people", as), REFUSED);
        assertEquals(await asked(api, "people/views/all", as), REFUSED);
      }
      assertEquals(await asked(api, "people/views/payroll", MEMBER), REFUSED);
    },
  ));

Deno.test("everything else of the resource is refused as without a role", () =>
  staffed(async (api, { ann, dept }) => {
    const badge = await api.ask("badges", {
      as: ACCOUNTANT,
      body: { color: "red", personId: ann },
    });
    // A foreign key asks for the firewall alone.
    assertEquals(badge.status, 201, badge.text);
    await api.ask(`people/${ann}/photo`, {
      method: "PUT",
      as: MANAGER,
      body: "a photo",
      headers: { "content-type": "text/plain" },
    });
    const deep = { people: { some: { salary: { greaterThan: 1 } } } };
    const paths = [
      "people",
      "people?fields=id,name,salary",
      "people?search=Ann",
      "people?deleted=with",
      `people?near=${encodeURIComponent("[1,0]")}`,
      `people/${ann}`,
      `people/${ann}?fields=id`,
      `people/${ann}/history`,
      `people/${ann}/photo`,
      "people/views/all",
      "badges?include=personId",
      `badges/${badge.body["id"]}?include=personId`,
      "departments?include=people",
      `departments/${dept}?include=people`,
      `departments?${where(deep)}`,
      `departments?${where({ not: deep })}`,
      `departments?${where({ or: [deep, { title: "Sales" }] })}`,
      `badges?${where({ person: { salary: { greaterThan: 1 } } })}`,
      `badges?${where({ person: { not: { name: "Ann" } } })}`,
    ];
    for (const path of paths) assertEquals(await asked(api, path, ACCOUNTANT), REFUSED, path);
    // Nor does a tag that somebody else was given.
    const tag = (await api.ask(`people/${ann}`, { as: MANAGER })).headers.get("etag") ?? "";
    assert(tag !== "");
    const headers = { "if-none-match": tag };
    assertEquals((await api.ask(`people/${ann}`, { as: ACCOUNTANT, headers })).status, 403);
    const labels = await api.ask("badges", { as: ACCOUNTANT });
    assert(!labels.text.includes("Ann"), labels.text);
    assert((await api.ask("badges", { as: MANAGER })).text.includes("Ann"));
    for (
      const [method, path, body] of [
        ["POST", "people", { name: "X" }],
        ["PATCH", `people/${ann}`, { name: "X" }],
        ["DELETE", `people/${ann}`, undefined],
        ["POST", `people/${ann}/restore`, undefined],
        ["PATCH", "people/batch", { records: [{ id: ann, name: "X" }] }],
        ["DELETE", "people/batch", { ids: [ann] }],
        ["PUT", `people/${ann}/photo`, "another"],
      ] as const
    ) {
      const headers = typeof body === "string" ? { "content-type": "text/plain" } : {};
      const { status } = await api.ask(path, { method, as: ACCOUNTANT, body, headers });
      assertEquals(status, 403, `${method} ${path}`);
    }
  }));

Deno.test("a view alone asks by the view's own columns", () =>
  staffed(async (api) => {
    const refused = [
      "payroll?name=Ann",
      "payroll?cv.like=wal",
      "payroll?sort=name",
      "payroll?sort=state",
      "payroll?include=departmentId",
      "payroll?fields[departmentId]=title",
      `payroll?${where({ cv: "walnut" })}`,
      `payroll?${where({ department: { title: "Sales" } })}`,
      `payroll?near=${encodeURIComponent("[1,0]")}`,
    ];
    for (const query of refused) {
      assertEquals(
        await asked(api, `people/views/${query}`, ACCOUNTANT),
        "400 VALIDATION_INVALID_INPUT",
        query,
      );
    }
    assertEquals(await asked(api, `people/views/payroll?${where({ salary: 100 })}`, ACCOUNTANT), [
      "Eve",
    ]);
    const { text } = await api.ask("people/views/payroll?fields=id,cv,nick,state", {
      as: ACCOUNTANT,
    });
    assert(!/walnut|zephyr|active/.test(text), text);
    // The resource's own order tells of salaries, which the directory does not show.
    assertEquals(await asked(api, "people/views/directory", MEMBER), ["Bob", "Ann"]);
    // An include asks for the target's own read.
    assertEquals(await asked(api, "people/views/directory?include=departmentId", MEMBER), REFUSED);
    assertEquals(await asked(api, "people/views/directory?include=departmentId", MANAGER), ["Ann"]);
    const groups = await api.ask("people/views/teams", { as: ACCOUNTANT });
    assertEquals(groups.status, 200, groups.text);
    assertEquals(JSON.stringify(groups.body["data"]).includes('"all":3'), true, groups.text);
  }));

Deno.test("a full text holds what the resource's readers see plain, and a view that masks it does not search it", () =>
  staffed(async (api) => {
    const search = (view: string, word: string, as: Claims) =>
      asked(api, `people${view}?search=${word}`, as);
    assertEquals(await search("", "zeph", MANAGER), ["Ann"]);
    assertEquals(await search("/views/directory", "zeph", MANAGER), ["Ann"]);
    assertEquals(await search("/views/directory", "zeph", MEMBER), []);
    assertEquals(await search("/views/directory", "Ann", MEMBER), ["Ann"]);
    assertEquals(await search("/views/directory", "Ann%20zeph", MEMBER), []);
    // Not shown by the view.
    assertEquals(await search("/views/directory", "walnut", MEMBER), []);
    assertEquals(await search("/views/payroll", "zeph", ACCOUNTANT), []);
    assertEquals(await search("/views/payroll", "Bob", ACCOUNTANT), ["Bob"]);
    const directory = await api.ask("people/views/directory", { as: MEMBER });
    assert(!/zephyr|quokka/.test(directory.text), directory.text);
  }));

Deno.test("a default view is the plain list of whoever has it alone, but for what is near", () =>
  staffed(async (api, { ann }) => {
    const near = encodeURIComponent("[1,0]");
    assertEquals(await asked(api, "people?sort=-salary", ACCOUNTANT), ["Ann", "Bob", "Eve"]);
    assertEquals(await asked(api, `people?near=${near}`, ACCOUNTANT), REFUSED);
    assertEquals(await asked(api, `people?near=${near}`, MANAGER), ["Ann"]);
    assertEquals(await asked(api, `people/${ann}`, ACCOUNTANT), REFUSED);
    assertEquals(await asked(api, "people", MEMBER), REFUSED);
  }, { defaultView: "payroll" }));

Deno.test("whoever writes and does not read is answered what was written, and reads nothing else", () =>
  staffed(async (api, { ann, bob }) => {
    const one = await api.ask(`people/${ann}`, {
      method: "PATCH",
      as: EDITOR,
      body: { cv: "oak" },
    });
    assertEquals([one.status, one.body["cv"]], [200, "oak"]);
    assert(!one.text.includes("zephyr"), one.text);
    const batch = await api.ask("people/batch", {
      method: "PATCH",
      as: EDITOR,
      body: { records: [{ id: bob, cv: "elm" }] },
    });
    assertEquals(batch.status, 200, batch.text);
    assert(!batch.text.includes("quokka"), batch.text);
    for (const path of ["people", `people/${ann}`, "people/views/payroll"]) {
      assertEquals(await asked(api, path, EDITOR), REFUSED);
    }
  }));

Deno.test("no frame is for whoever has a view alone", () =>
  withRealtime(staff({ realtime: true }), async (api) => {
    const [manager, accountant] = [
      await api.listen(MANAGER, { search: "?resources=people" }),
      await api.listen(ACCOUNTANT, { search: "?resources=people" }),
    ];
    const id = await made(api, "people", { name: "Ann", salary: 1 });
    assertEquals(await manager.brief(1), [`record.created people ${id}`]);
    await api.ask(`people/${id}`, { method: "PATCH", as: MANAGER, body: { salary: 2 } });
    assertEquals(await manager.brief(1), [`record.updated people ${id}`]);
    api.end();
    assertEquals(await accountant.brief(1), ["closing "]);
  }));

Deno.test("tools of /mcp offer the view alone", () =>
  staffed(async (api, { ann }) => {
    const { client } = await connected(api, await bearing(ACCOUNTANT));
    const call = async (name: string, given: Record<string, unknown>) => {
      const { isError, content } = await client.callTool({ name, arguments: given });
      return { isError: isError === true, text: JSON.stringify(content) };
    };
    const listed = await call("list_records", { resource: "people", view: "payroll" });
    assertEquals([listed.isError, listed.text.includes("Bob")], [false, true]);
    for (
      const [name, given] of [
        ["list_records", { resource: "people" }],
        ["list_records", { resource: "people", view: "directory" }],
        ["list_records", { resource: "people", view: "all" }],
        ["get_record", { resource: "people", id: ann }],
      ] as const
    ) {
      assertEquals((await call(name, given)).isError, true, JSON.stringify([name, given]));
    }
    const told = await call("describe_resource", { resource: "people" });
    assertEquals(told.isError, false);
    assert(/payroll/.test(told.text) && /teams/.test(told.text), told.text);
    assert(!/directory|nick|hidden|photo/.test(told.text), told.text);
  }));

function modelOf(files: Readonly<Record<string, string>>): ProjectModel {
  const validation = validate(files);
  assert(validation.ok, JSON.stringify(validation));
  return validation.model;
}

type Edit = readonly [from: string, to: string];

/** The project with texts of its people in others' places. */
function edited(edits: readonly Edit[]): ProjectModel {
  const path = "quickback/features/staff/people.ts";
  const files = staff();
  const text = edits.reduce((text, [from, to]) => {
    assert(text.includes(from), from);
    return text.replace(from, to);
  }, files[path] ?? "");
  return modelOf({ ...files, [path]: text });
}

const WRONG: Readonly<Record<string, readonly Edit[]>> = {
  "the plain list": [
    ['["name", "nick", "cv"]', '["name", "cv"]'],
    ['roles: ["manager"], record: { state', 'roles: ["manager", "accountant"], record: { state'],
  ],
  "rows that the resource's rule hides": [[', record: { state: "active" } },', " },"]],
  "rows that the view's rule hides": [[", record: { hidden: false } },", " },"]],
  "one more column": [[
    'fields: ["id", "name", "salary"]',
    'fields: ["id", "name", "salary", "cv"]',
  ]],
  "another role": [['roles: ["member", "manager"]', 'roles: ["member", "accountant", "manager"]']],
  "a masked text": [['show: { roles: ["manager"] } }', 'show: { roles: ["manager", "member"] } }']],
};

Deno.test("conformance holds views alone against the oracle and finds every fault", async () => {
  const model = modelOf(staff());
  await withApi(model, async (api) => {
    assertEquals((await conformanceOf(model, api)).mismatches, []);
  });
  for (const [what, edits] of Object.entries(WRONG)) {
    await withApi(edited(edits), async (api) => {
      const { mismatches } = await conformanceOf(model, api, { stopsEarly: true });
      assert(mismatches.length > 0, `${what} was not found`);
    });
  }
});

const READERS: readonly (readonly [access: string, isTaken: boolean])[] = [
  ['{ roles: ["manager"] }', true],
  ["{ roles: [] }", true],
  ['{ and: [{ record: { state: "active" } }, { roles: ["manager"] }] }', true],
  ['{ roles: ["manager", "editor"] }', false],
  ['{ roles: ["AUTHENTICATED"] }', false],
  ['{ record: { state: "active" } }', false],
  ['{ or: [{ roles: ["manager"] }, { record: { state: "active" } }] }', false],
  ['{ or: [{ roles: ["manager"] }, { userRole: ["sysadmin"] }] }', false],
];

for (const [access, isTaken] of READERS) {
  Deno.test(`a full text ${isTaken ? "holds" : "does not hold"} what is masked for others than ${access}`, () => {
    const path = "quickback/features/staff/people.ts";
    const files = staff();
    const text = (files[path] ?? "").replace(
      '{ roles: ["manager"], record: { state: "active" } }',
      access,
    )
      .replace('roles: ["manager", "accountant", "member"]', 'roles: ["manager"]');
    const validation = validate({ ...files, [path]: text });
    const codes = validation.ok ? [] : validation.errors.map(({ code }) => code);
    assertEquals(codes, isTaken ? [] : ["SEARCH_MASKED"]);
  });
}
