/** Text of a new file: a definition that compiles. */

const TABLE = /^quickback\/features\/([^/]+)\/([^/]+)\.ts$/;
const ACTION = /^quickback\/features\/[^/]+\/actions\/(?:[^/]+\/)?([^/]+)\.ts$/;

export function firstText(path: string): string {
  const table = TABLE.exec(path)?.[2];
  if (table !== undefined && table !== "actions") return tableText(table);
  const action = ACTION.exec(path)?.[1];
  return action === undefined ? "" : actionText(action);
}

function tableText(name: string): string {
  return `import { feature, q } from "quickback";

export default feature(${JSON.stringify(camelCase(name))}, {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 200 }).required(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
  delete: { access: { roles: ["AUTHENTICATED"] } },
});
`;
}

/** Files are named with hyphens, tables without. */
function camelCase(name: string): string {
  return name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function actionText(name: string): string {
  return `import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: ${JSON.stringify(name)},
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  execute: () => Promise.resolve({ success: true }),
});
`;
}
