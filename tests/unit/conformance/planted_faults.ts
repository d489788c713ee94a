/** What can go wrong in an API, one by one: each of these must be found by a conformance run (contract 4.7). */
import { type Access, hasRole } from "../../../shared/model/access.ts";
import type { RuntimeCode } from "../../../shared/contract/codes.ts";
import { isRecord } from "../../support/api.ts";
import {
  answersFirst,
  ANYONE,
  type Fault,
  hasQuery,
  inAction,
  inRead,
  inResource,
  inTable,
  inView,
  isBatch,
  isMethod,
  pathOf,
  rewritten,
  rewrittenJson,
  withAccess,
  withBatchAccess,
  withoutConditions,
  withoutMasks,
  withoutPredicate,
  withRestoreAccess,
} from "../../support/conformance_faults.ts";

const PUBLIC = hasRole("PUBLIC");

export const HELPDESK_FAULTS: readonly Fault[] = [
  // Firewall.
  {
    name: "a dropped tenant predicate",
    finds: /^runTickets_Reopen\b/,
    change: withoutPredicate("tickets", "organization"),
  },
  {
    name: "a dropped tenant predicate in a single verb",
    finds: /^deleteComments\b/,
    change: withoutPredicate("comments", "organization"),
    when: isMethod("DELETE"),
  },
  {
    name: "a dropped tenant predicate in batches alone",
    finds: /^batchUpdateCustomers\b/,
    change: withoutPredicate("customers", "organization"),
    when: isBatch,
  },
  {
    name: "a dropped owner predicate",
    finds: /^updateInternalNotes\b/,
    change: withoutPredicate("internalNotes", "owner"),
  },
  {
    name: "a dropped soft-delete predicate",
    finds: /^updateCustomers\b/,
    change: withoutPredicate("customers", "notDeleted"),
  },
  {
    name: "a list that a filter opens",
    finds: /^listArticles\b/,
    change: withoutPredicate("articles", "organization"),
    when: hasQuery("id.in"),
  },
  {
    name: "a search that looks into other tenants",
    finds: /^listCustomers\b/,
    change: withoutPredicate("customers", "organization"),
    when: hasQuery("search"),
  },
  {
    name: "a where that looks into other tenants",
    finds: /^listTickets\b.*\n.*where/,
    change: withoutPredicate("customers", "organization"),
    when: (request) => hasQuery("where")(request) && pathOf(request) === "/api/v1/tickets",
  },
  {
    name: "an include of rows that refer to a record, without their row condition",
    finds: /^listTickets\b.*\n.*include=comments/,
    change: inRead("comments", (read) => ({ ...read, access: withoutConditions(read.access) })),
    when: hasQuery("include"),
  },
  {
    name: "a where over rows that refer to a record, without their row condition",
    finds: /^listTickets\b.*\n.*where/,
    change: inRead("comments", (read) => ({ ...read, access: withoutConditions(read.access) })),
    when: (request) => hasQuery("where")(request) && pathOf(request) === "/api/v1/tickets",
  },
  {
    name: "an owner predicate with the wrong side of its comparison",
    finds: /^updateInternalNotes\b/,
    change: inTable("internalNotes", (table) => ({
      ...table,
      firewall: table.firewall.map((one) =>
        one.kind === "owner" ? { ...one, operator: "notEquals" as const } : one
      ),
    })),
  },
  {
    name: "a firewall that tells what it should hide",
    finds: /^updateInternalNotes\b/,
    change: inResource("internalNotes", (one) => ({ ...one, firewallErrorMode: "reveal" })),
  },
  {
    name: "a foreign key that takes another tenant's row",
    finds: /^createTickets\b/,
    change: inTable("tickets", (table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, references: null })),
    })),
    when: isMethod("POST"),
  },
  {
    name: "labels of rows that the caller cannot see",
    finds: /^listTickets\b/,
    change: withoutPredicate("customers", "organization"),
    when: (request) => pathOf(request).startsWith("/api/v1/tickets") && request.method === "GET",
  },

  // Access.
  {
    name: "a swapped role",
    finds: /^deleteTickets\b/,
    change: withAccess("tickets", "delete", hasRole("agent")),
  },
  {
    name: "a role hierarchy that is not followed",
    finds: /^createArticles\b/,
    change: withAccess("articles", "create", hasRole("agent")),
  },
  {
    name: "PUBLIC on a private list",
    finds: /^listCustomers\b/,
    change: inRead("customers", (read) => ({ ...read, access: PUBLIC })),
  },
  {
    name: "a list without its row condition",
    finds: /^listTickets\b/,
    change: inRead("tickets", (read) => ({ ...read, access: withoutConditions(read.access) })),
    when: (request) => pathOf(request) === "/api/v1/tickets",
  },
  {
    name: "a read by id without its row condition",
    finds: /^getComments\b/,
    change: inRead("comments", (read) => ({ ...read, access: withoutConditions(read.access) })),
    when: (request) => /\/comments\/./.test(pathOf(request)),
  },
  {
    name: "an update without one of its row conditions",
    finds: /^updateTickets\b/,
    change: inResource("tickets", (one) => ({
      ...one,
      update: one.update &&
        { ...one.update, access: rewritten(one.update.access, withoutState) },
    })),
  },
  {
    name: "a row condition the wrong way round",
    finds: /^listComments\b/,
    change: inRead("comments", (read) => ({
      ...read,
      access: rewritten(read.access, (part) =>
        part.kind === "record"
          ? {
            ...part,
            conditions: part.conditions.map((one) => ({ ...one, operator: "notEquals" })),
          }
          : part),
    })),
  },
  {
    name: "rules of which one is enough where both must hold",
    finds: /^updateComments\b/,
    change: inResource("comments", (one) => ({
      ...one,
      update: one.update && {
        ...one.update,
        access: rewritten(
          one.update.access,
          (part) => part.kind === "all" ? { kind: "any", of: part.of } : part,
        ),
      },
    })),
  },
  {
    name: "a batch that goes round the access rule",
    finds: /^batchDeleteCustomers\b/,
    change: withBatchAccess("customers", "delete", ANYONE),
  },
  {
    name: "a batch that goes round row conditions",
    finds: /^batchUpdateComments\b/,
    change: inResource("comments", (one) => ({
      ...one,
      update: one.update && one.update.batch && {
        ...one.update,
        batch: { ...one.update.batch, access: withoutConditions(one.update.batch.access) },
      },
    })),
  },
  {
    name: "a view without its own rule",
    finds: /^viewTickets_Queue\b/,
    change: inView("tickets", "queue", (view) => ({ ...view, access: ANYONE })),
  },
  {
    name: "an action with another role",
    finds: /^runTickets_Resolve\b/,
    change: inAction("tickets.resolve", (one) => ({ ...one, access: ANYONE })),
  },
  {
    name: "a bulk action with another role",
    finds: /^runManyTickets_Resolve\b/,
    change: inAction("tickets.resolve", (one) => ({ ...one, access: ANYONE })),
    when: (request) => pathOf(request).includes("/batch/"),
  },
  {
    name: "a transition from every state",
    finds: /^runTickets_Reopen\b/,
    change: inAction("tickets.reopen", (one) => ({
      ...one,
      transition: one.transition && {
        ...one.transition,
        fromTo: { open: ["open"], pending: ["open"], resolved: ["open"] },
      },
    })),
  },
  {
    name: "a credential that nobody looks at",
    finds: /^viewCustomers_Directory\b/,
    between: async (request, send) => {
      const headers = new Headers(request.headers);
      const isDirectory = pathOf(request) === "/api/v1/customers/views/directory";
      if (isDirectory) headers.delete("authorization");
      return await send(isDirectory ? new Request(request, { headers }) : request);
    },
  },

  // Masks and projections.
  { name: "a skipped mask", finds: /^listCustomers\b/, change: withoutMasks("customers") },
  {
    name: "a mask that is skipped in the echo of an update",
    finds: /^updateCustomers\b/,
    change: withoutMasks("customers"),
    when: (request) => request.method === "PATCH" && !isBatch(request),
  },
  {
    name: "a mask that is skipped in the echo of a create",
    finds: /^createCustomers\b/,
    change: withoutMasks("customers"),
    when: (request) => request.method === "POST" && !isBatch(request),
  },
  {
    name: "a mask that is skipped in batches",
    finds: /^batchCreateCustomers\b/,
    change: withoutMasks("customers"),
    when: isBatch,
  },
  {
    name: "a mask that is skipped when columns are asked for",
    finds: /^listCustomers\b/,
    change: withoutMasks("customers"),
    when: hasQuery("fields"),
  },
  {
    name: "a mask that is skipped in embedded records",
    finds: /^listTickets\b/,
    change: withoutMasks("customers"),
    when: hasQuery("include"),
  },
  {
    name: "a masked column that may be filtered by",
    finds: /^listCustomers\b/,
    change: withoutMasks("customers"),
    when: hasQuery("email"),
  },
  {
    name: "a masked column that may be sorted by",
    finds: /^listCustomers\b/,
    change: withoutMasks("customers"),
    when: hasQuery("sort"),
  },
  {
    name: "a mask of another type",
    finds: /^listCustomers\b/,
    change: inResource("customers", (one) => ({
      ...one,
      masks: Object.fromEntries(
        Object.entries(one.masks).map(([name, mask]) => [name, { ...mask, type: "name" as const }]),
      ),
    })),
  },
  {
    name: "a mask that owners do not lift",
    finds: /^listCustomers\b/,
    change: inResource("customers", (one) => ({
      ...one,
      masks: Object.fromEntries(
        Object.entries(one.masks).map(([name, mask]) => [name, { ...mask, showOwner: false }]),
      ),
    })),
  },
  {
    name: "a view with a column more",
    finds: /^viewCustomers_Directory\b/,
    change: inView("customers", "directory", (view) => ({
      ...view,
      fields: [...view.fields, "email"],
    })),
  },
  {
    name: "a view without its projection",
    finds: /^viewTickets_Summary\b/,
    between: async (request, send) => {
      if (request.method !== "GET") return await send(request);
      const url = request.url.replace("/views/summary", "");
      const response = await send(new Request(url, request));
      return url === request.url
        ? response
        : await rewrittenJson(response, (body) => ({ ...body, view: "summary" }));
    },
  },
  {
    name: "a total that counts what is hidden",
    finds: /^listArticles\b/,
    between: async (request, send) =>
      await rewrittenJson(await send(request), (body) => {
        const { pagination } = body;
        if (!isRecord(pagination) || typeof pagination["total"] !== "number") return body;
        return { ...body, pagination: { ...pagination, total: pagination["total"] + 1 } };
      }),
  },

  // Guards.
  {
    name: "a skipped guard of a protected column",
    finds: /^createTickets\b/,
    change: inResource("tickets", (one) => ({
      ...one,
      guards: one.guards && { ...one.guards, protected: {} },
    })),
  },
  {
    name: "an immutable column that is updated",
    finds: /^updateCustomers\b/,
    change: inResource("customers", (one) => ({
      ...one,
      guards: one.guards &&
        { ...one.guards, immutable: [], updatable: [...one.guards.updatable, "email"] },
    })),
  },
  {
    name: "a column that nobody listed, created",
    finds: /^createTickets\b/,
    change: inResource("tickets", (one) => ({
      ...one,
      guards: one.guards &&
        { ...one.guards, createable: [...one.guards.createable, "assigneeId"] },
    })),
  },
  {
    name: "no guards at all",
    finds: /^updateComments\b/,
    change: inResource("comments", (one) => ({ ...one, guards: null })),
  },

  // Order of the layers.
  {
    name: "JSON that is read before the caller is known",
    finds: /^runTickets_Reopen\b/,
    between: answersFirst((_request, text) =>
      text === "{" ? { status: 400, code: "INVALID_JSON" } : null
    ),
  },
  {
    name: "guards before access",
    finds: /^updateArticles\b/,
    between: answersFirst((request, text) =>
      request.method === "PATCH" && !isBatch(request) && text.includes('"createdAt"')
        ? { status: 400, code: "GUARD_SYSTEM_MANAGED" }
        : null
    ),
  },
  {
    name: "the role before the firewall where the row comes first",
    finds: /^deleteArticles\b/,
    between: async (request, send) => {
      const response = await send(request);
      if (request.method !== "DELETE") return response;
      return await rewrittenJson(
        response,
        (body) =>
          body["code"] === "FIREWALL_NOT_FOUND" ? { ...body, code: "ACCESS_ROLE_REQUIRED" } : body,
      );
    },
  },
  {
    name: "a question that is judged before who asks it",
    finds: /^listAttachments\b/,
    between: answersFirst((request) =>
      hasQuery("no such column")(request) ? { status: 400, code: "VALIDATION_INVALID_INPUT" } : null
    ),
  },

  // Effects.
  {
    name: "a refused update that is written all the same",
    finds: /^tickets\b/,
    change: (model) =>
      withoutPredicate("tickets", "organization")(
        withAccess("tickets", "update", ANYONE)(model),
      ),
    when: () => false,
    between: async (request, send, faulty) => {
      const response = await send(request.clone());
      const isRefused = request.method === "PATCH" && response.status === 403;
      if (isRefused) {
        const body = JSON.stringify({ subject: "overwritten" });
        const { headers, method, url } = request;
        await (await faulty(new Request(url, { method, headers, body }))).body?.cancel();
      }
      return response;
    },
  },
  {
    name: "a hard delete where a soft one is declared",
    finds: /^batchDeleteCustomers\b/,
    change: inResource("customers", (one) => ({
      ...one,
      delete: one.delete && { ...one.delete, mode: "hard" },
    })),
  },

  // Routes.
  {
    name: "an extra view",
    finds: /^openapi\.json\b/,
    change: inRead("customers", (read) => ({
      ...read,
      views: [
        ...read.views,
        ...read.views.map((view) => ({ ...view, name: "everything", segment: "everything" })),
      ],
    })),
  },
  {
    name: "a missing view",
    finds: /^openapi\.json\b/,
    change: inRead("tickets", (read) => ({
      ...read,
      views: read.views.filter(({ name }) => name !== "summary"),
    })),
  },
  {
    name: "a missing route that the description still lists",
    finds: /^\/api\/v1\/attachments\/conformance\b/,
    change: inResource("attachments", (one) => ({ ...one, update: null })),
    when: (request) => pathOf(request) !== "/openapi.json",
  },
  {
    name: "an extra verb that the description does not list",
    finds: /^\/api\/v1\/articles\/conformance\b/,
    change: inResource("articles", (one) => ({ ...one, upsert: one.create })),
    when: (request) => pathOf(request) !== "/openapi.json",
  },
  {
    name: "a description that leaves out a path",
    finds: /^openapi\.json\b/,
    between: async (request, send) => {
      const response = await send(request);
      if (pathOf(request) !== "/openapi.json") return response;
      return await rewrittenJson(response, (body) => {
        const paths = isRecord(body["paths"]) ? Object.entries(body["paths"]).slice(1) : [];
        return { ...body, paths: Object.fromEntries(paths) };
      });
    },
  },
  {
    name: "a 405 without Allow",
    finds: /^\/api\/v1\/articles\b/,
    between: async (request, send) => {
      const response = await send(request);
      response.headers.delete("allow");
      return response;
    },
  },
];

export const CLINIC_FAULTS: readonly Fault[] = [
  {
    name: "a deletion that takes living children along where they keep their parent",
    finds: /^deletePatients\b.*others refer/,
    change: inResource("patients", (resource) => {
      if (resource.delete === null) throw new Error("Patients are not deleted");
      const { children: _refused, ...removal } = resource.delete;
      return { ...resource, delete: removal };
    }),
  },
  {
    name: "a dropped tenant predicate",
    finds: /^runWards_Close\b/,
    change: withoutPredicate("wards", "organization"),
  },
  {
    name: "a dropped tenant predicate in actions alone",
    finds: /^runPatients_Discharge\b/,
    change: withoutPredicate("patients", "organization"),
    when: (request) => /\/patients\/[^/]+\/[^/]+$/.test(pathOf(request)),
  },
  {
    name: "a file of another tenant's row",
    finds: /^(?:read|write|remove)FileAllergies_Scan\b/,
    change: withoutPredicate("allergies", "organization"),
    when: (request) => pathOf(request).endsWith("/scan"),
  },
  {
    name: "one of the files of another tenant's row",
    finds: /^(?:read|add|write|remove)FileAllergies_Photos\b/,
    change: withoutPredicate("allergies", "organization"),
    when: (request) => pathOf(request).includes("/photos"),
  },
  {
    name: "one more file by whoever may not update",
    finds: /^addFileAllergies_Photos\b/,
    change: inResource("allergies", (one) => ({
      ...one,
      update: one.update && { ...one.update, access: ANYONE },
    })),
    when: (request) => pathOf(request).endsWith("/photos") && request.method === "POST",
  },
  {
    name: "a deleted row's file",
    finds: /^(?:read|write|remove)FileAllergies_Scan\b/,
    change: withoutPredicate("allergies", "notDeleted"),
    when: (request) => pathOf(request).endsWith("/scan"),
  },
  {
    name: "a masked file",
    finds: /^readFileAllergies_Scan\b/,
    change: inResource("allergies", (one) => ({ ...one, masks: {} })),
    when: (request) => pathOf(request).endsWith("/scan"),
  },
  {
    name: "an address for a file of another tenant's row",
    finds: /^presignFileAllergies_/,
    change: withoutPredicate("allergies", "organization"),
    when: (request) => pathOf(request).endsWith("/presign"),
  },
  {
    name: "an address for a masked file",
    finds: /^presignFileAllergies_/,
    change: inResource("allergies", (one) => ({ ...one, masks: {} })),
    when: (request) => pathOf(request).endsWith("/presign"),
  },
  {
    name: "an address to send a file to, for whoever may not",
    finds: /^presignFileAllergies_\w+_PUT\b/,
    change: inResource("allergies", (one) => ({
      ...one,
      update: one.update && { ...one.update, access: ANYONE },
    })),
    when: (request) => pathOf(request).endsWith("/presign"),
  },
  {
    name: "deleted rows for those who may not restore them",
    finds: /^listPatients\b.*\n.*deleted=/,
    change: withRestoreAccess("patients", ANYONE),
    when: hasQuery("deleted"),
  },
  {
    name: "a restoration by anybody",
    finds: /^restorePatients\b/,
    change: withRestoreAccess("patients", ANYONE),
    when: (request) => pathOf(request).endsWith("/restore"),
  },
  {
    name: "another tenant's deleted rows",
    finds: /^listPatients\b.*\n.*deleted=/,
    change: withoutPredicate("patients", "organization"),
    when: hasQuery("deleted"),
  },
  {
    name: "a description that anybody may read",
    finds: /^serviceOpenApi\b/,
    change: (model) => ({ ...model, openapi: { ...model.openapi, publish: "public" } }),
  },
  {
    name: "an action for administrators that everybody may run",
    finds: /^runPatients_Erase\b/,
    change: inAction("patients.erase", (one) => ({
      ...one,
      unsafe: one.unsafe && { ...one.unsafe, adminOnly: false },
    })),
  },
  {
    name: "an action across tenants that everybody may run",
    finds: /^runPatients_AuditHouses\b/,
    change: inAction("patients.audit-houses", (one) => ({ ...one, unsafe: null })),
  },
  {
    name: "a PUBLIC action on a private record",
    finds: /^runPatients_Summarize\b/,
    change: inAction("patients.summarize", (one) => ({ ...one, access: PUBLIC })),
  },
  {
    name: "an action without its row condition",
    finds: /^runPatients_Confirm\b/,
    change: inAction("patients.confirm", (one) => ({
      ...one,
      access: withoutConditions(one.access),
    })),
  },
  {
    name: "a transition without its guard",
    finds: /^runPatients_Discharge\b/,
    change: inAction("patients.discharge", (one) => ({
      ...one,
      transition: one.transition && { ...one.transition, guard: [] },
    })),
  },
  {
    name: "an illegal move that is refused with another code",
    finds: /^runPatients_Readmit\b/,
    change: inAction("patients.readmit", (one) => ({
      ...one,
      transition: one.transition && { ...one.transition, onIllegal: null },
    })),
  },
  {
    name: "records that an input names, unchecked",
    finds: /^createAppointments\b/,
    change: inAction("appointments.book", (one) => ({ ...one, refs: {} })),
  },
  {
    name: "a rehearsal that is kept",
    finds: /^runAppointments_Confirm\b/,
    between: async (request, send) =>
      await send(new Request(request.url.replace("dryRun=true", "dryRun=false"), request)),
  },
  {
    name: "a handler's move that everybody loses",
    finds:
      /^runAppointments_Confirm\b.*bring the action to success\n[^]*409 ACCESS_TRANSITION_LOST/,
    between: failing(/\/appointments\/(?!batch)[^/]+\/confirm$/, 409, "ACCESS_TRANSITION_LOST"),
  },
  {
    name: "a handler that always fails",
    finds: /^run\w+_Count\b.*bring the action to success\n[^]*500 ACTION_EXECUTION_FAILED/,
    between: failing(/\/counted$/, 500, "ACTION_EXECUTION_FAILED"),
  },
  {
    name: "a mapped verb that everybody may use",
    finds: /^deleteAppointments\b/,
    change: (model) =>
      inAction("appointments.cancel", (one) => ({ ...one, access: ANYONE }))(
        withAccess("appointments", "delete", ANYONE)(model),
      ),
  },
  {
    name: "a skipped mask",
    finds: /^listPatients\b/,
    change: withoutMasks("patients"),
    when: (request) => request.method === "GET" && !hasQuery("where")(request),
  },
  {
    name: "a masked column of another table that may be asked by",
    finds: /^listAllergies\b.*patient/,
    change: withoutMasks("patients"),
    when: hasQuery("where"),
  },
  {
    name: "a role hierarchy that is not followed",
    finds: /^createWards\b/,
    change: withAccess("wards", "create", hasRole("nurse")),
  },
  {
    name: "a swapped role of a standalone action",
    finds: /^runWards_OpenAll\b/,
    change: inAction("wards.openAll", (one) => ({ ...one, access: hasRole("clerk") })),
  },
  {
    name: "an action whose input is judged before its caller",
    finds: /^runPatients_Discharge\b/,
    between: answersFirst((request, text) =>
      pathOf(request).endsWith("/discharge") && text === "{"
        ? { status: 400, code: "INVALID_JSON" }
        : null
    ),
  },
];

/** What succeeds on this path is answered so. */
function failing(
  path: RegExp,
  status: number,
  code: RuntimeCode,
): NonNullable<Fault["between"]> {
  return async (request, send) => {
    const response = await send(request);
    if (!path.test(pathOf(request)) || !response.ok) return response;
    await response.body?.cancel();
    return Response.json({ code, layer: "action", status }, { status });
  };
}

function withoutState(part: Access): Access {
  return part.kind === "record"
    ? { ...part, conditions: part.conditions.filter(({ column }) => column !== "status") }
    : part;
}
