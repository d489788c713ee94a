/** Statements that leave their scope are found in whatever a build runs: each is planted in the output's own runtime (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { recordOutput } from "../../../cli/commands/audit_sql/record_output.ts";
import { type Audit, auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { Fault } from "../../../proof/audit/finding.ts";
import { SqlTexts } from "../../../proof/audit/sql_texts.ts";
import type { RecordedRequest } from "../../../proof/audit/statement_record.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { firewallColumns } from "../../../shared/surface/row_predicate.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import { BOOKS_PROJECT } from "../../support/books_project.ts";
import { CLINIC } from "../../support/clinic.ts";
import { compiledFiles, patched, withOutput } from "../../support/leaky_project.ts";
import { auditedProject, FAULTS, PATCHES, SWITCH } from "../../support/planted_statements.ts";
import { projectFiles } from "../../support/sample_files.ts";

/** Is let in nearly everywhere, and held to what is their own. */
const CALLER = "role:customer";

interface Asked {
  readonly folder: string;
  readonly model: ProjectModel;
  readonly only: readonly string[];
  /** Nothing more is asked once this was found. */
  readonly until?: RegExp;
}

async function auditOf({ folder, model, only, until }: Asked): Promise<Audit> {
  const requests: RecordedRequest[] = [];
  const listener = {
    principal: () => {},
    request: (request: RecordedRequest) => void requests.push(request),
  };
  const service = serviceTables(model).map(({ name }) => name);
  const isEnough = () => {
    const latest = requests.slice(-BATCH);
    return until !== undefined && requests.length % BATCH === 0 &&
      foundIn(auditRequests(latest, model, service, TEXTS)).some((text) => until.test(text));
  };
  await recordOutput(folder, listener, only, isEnough);
  return auditRequests(requests, model, service, TEXTS);
}

/** Every output runs much the same statements. */
const TEXTS = new SqlTexts();

/** Requests between two looks at what was found. */
const BATCH = 50;

function faultText(fault: Fault): string {
  switch (fault.kind) {
    case "predicateMissing":
      return `${fault.role} ${fault.table.name}.${firewallColumns([fault.predicate]).join()}`;
    case "scopeNotWritten":
      return `write ${fault.table.name}.${fault.column}`;
    default:
      return fault.kind;
  }
}

function foundIn({ findings }: Audit): readonly string[] {
  return [...new Set(findings.map(({ fault }) => faultText(fault)))].sort();
}

function modelOf(files: Parameters<typeof validate>[0]): ProjectModel {
  const validation = validate(files);
  assert(validation.ok, JSON.stringify(validation));
  return validation.model;
}

Deno.test("a statement that leaves its scope is found, and none where none does", async (t) => {
  const model = modelOf(auditedProject());
  const output = patched(compiledFiles(auditedProject()), PATCHES);
  await withOutput("planted-statements", output, async (folder) => {
    for (const { name, found } of FAULTS) {
      await t.step(name, async () => {
        Deno.env.set(SWITCH, name);
        const texts = foundIn(await auditOf({ folder, model, only: [CALLER], until: found }));
        assert(texts.some((text) => found.test(text)), JSON.stringify(texts));
      });
    }
    await t.step("none is open", async () => {
      Deno.env.delete(SWITCH);
      const audit = await auditOf({ folder, model, only: [CALLER] });
      assertEquals(foundIn(audit), []);
      assertEquals(audit.unused, []);
      assert(audit.statements > 500, "Hardly anything was asked");
      // Every kind of clearance that this project can have is there.
      assertEquals([...audit.clearances.keys()].sort(), [
        "deletionProbe",
        "fileBytes",
        "job",
        "restorable",
        "scoped",
        "service",
        "stamped",
        "unsafe",
        "written",
      ]);
    });
  });
});

const MUSEUM = await projectFiles(new URL("../../contract/museum/", import.meta.url));
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));

const FIELD_SERVICE = await projectFiles(
  new URL("../../../examples/field-service/", import.meta.url),
);
const SAAS = await projectFiles(new URL("../../../examples/saas/", import.meta.url));

/** Handlers that leave the move of their record to the service, as it was and where it has left the caller's sight. */
const MOVES = {
  "quickback/quickback.config.ts": 'export default { name: "moves" };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    status: q.enum(["paid", "shipped"]).required().default("paid"),
    keeper: q.text(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "deletedAt", isNull: true },
    { field: "keeper", equals: "ctx.userId", roles: ["member"] },
  ],
  guards: { createable: ["keeper"] },
  read: { access: { roles: ["owner", "member"] } },
  create: { access: { roles: ["owner", "member"] } },
});
`,
  ...Object.fromEntries(
    Object.entries({
      ship: "",
      "hand-over":
        'await db.update(orders).set({ keeper: "bob" }).where(eq(orders.id, record.id));',
      remove: "await db.delete(orders).where(eq(orders.id, record.id));",
    }).map(([name, act]) => [
      `quickback/features/orders/actions/${name}.ts`,
      `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "../schema";
export default defineAction({
  description: "Ship an order",
  input: z.object({}),
  access: { roles: ["owner", "member"] },
  transition: { field: "status", fromTo: { paid: ["shipped"] }, to: "shipped" },
  execute: async ({ db, record }) => {
    void [db, eq, orders];
    ${act}
    return { id: record.id };
  },
});
`,
    ]),
  ),
};

const PROJECTS = [
  { name: "moves", files: MOVES, only: ["role:member", "role:owner"], atLeast: 300 },
  // Its transitions leave the move to the service.
  { name: "saas", files: SAAS, only: ["role:member"] },
  // A vector of its rows is made by a service.
  {
    name: "catalogue",
    files: BOOKS_PROJECT,
    only: ["role:librarian"],
    atLeast: 300,
  },
  // Rules that follow relations, totals three deep.
  { name: "field-service", files: FIELD_SERVICE, only: ["role:technician"] },
  { name: "helpdesk", files: HELPDESK, only: ["anonymous", "role:customer"] },
  { name: "clinic", files: CLINIC, only: ["role:doctor", "sysadmin"] },
  { name: "museum", files: MUSEUM, only: ["role:curator", "role:director"] },
];

for (const { name, files, only, atLeast = 1000 } of PROJECTS) {
  Deno.test(`${name} has no statement that leaves its scope, its handlers' included`, async () => {
    await withOutput(`audited-${name}`, compiledFiles(files), async (folder) => {
      const model = modelOf(files);
      const audit = await auditOf({ folder, model, only });
      assertEquals(foundIn(audit), []);
      assertEquals(audit.unused, []);
      assert(audit.statements > atLeast, "Hardly anything was asked");
      const declares = model.actions.some(({ unsafe }) => unsafe !== null);
      assertEquals(audit.clearances.has("unsafe"), declares);
    });
  });
}
