/** Policies of ZenStack become conditions that follow relations, for nobody yet. */
import { assertEquals } from "@std/assert";
import { readPrisma } from "../../../cli/adopt/read_prisma.ts";
import { countsOf, drafted, lineOf } from "../../support/drafts.ts";

const SCHEMA = `
abstract model Base {
  id String @id @default(uuid())
  createdAt DateTime @default(now())
}
model User extends Base {
  email String @unique
}
model Project extends Base {
  name String @length(2, 40)
  isOpen Boolean @default(false)
  lead User @relation(fields: [leadId], references: [id])
  leadId String
  helpers Helper[]
  tasks Task[]
  @@deny('all', auth() == null)
  @@allow('read', isOpen || lead == auth() || helpers?[userId == auth().id])
  @@allow('update', auth().id == leadId)
}
model Helper extends Base {
  project Project @relation(fields: [projectId], references: [id])
  projectId String
  userId String
}
model Task extends Base {
  project Project @relation(fields: [projectId], references: [id])
  projectId String
  stars Int @gte(1) @lte(5)
  @@allow('read', check(project, 'read'))
  @@allow('create,update', project.lead == auth() && stars > 2)
  @@deny('update', helperOf(project))
  @@allow('delete', project.helpers?[userId == auth().id])
}
`;

Deno.test("policies of ZenStack follow relations, collections and check()", () => {
  const draft = drafted(readPrisma(SCHEMA));
  const caller = '{ equals: "$ctx.userId" }';
  const open = `{ or: [{ isOpen: { equals: true } }, { leadId: ${caller} }, ` +
    `{ helpers: { some: { userId: ${caller} } } }] }`;
  assertEquals(
    lineOf(draft, "projects", "read:"),
    `read: { access: { roles: [], record: ${open} } },`,
  );
  assertEquals(
    lineOf(draft, "projects", "update:"),
    `update: { access: { roles: [], record: { leadId: ${caller} } } },`,
  );
  assertEquals(
    lineOf(draft, "tasks", "read:"),
    `read: { access: { roles: [], record: { project: ${open} } } },`,
  );
  assertEquals(
    lineOf(draft, "tasks", "create:"),
    `create: { access: { roles: [], record: { and: [{ project: { leadId: ${caller} } }, ` +
      `{ stars: { greaterThan: 2 } }] } } },`,
  );
  assertEquals(
    lineOf(draft, "tasks", "delete:"),
    `delete: { access: { roles: [], record: { project: { helpers: { some: { userId: ${caller} } } } } } },`,
  );
  assertEquals(countsOf(draft)["policies"], [7, 0, 6, 1]);
});
