/** A project of as many resources as asked for, alike but for their names: what sizes and times are measured by. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

export function manyResources(count: number): RawFiles {
  const names = Array.from({ length: count }, (_, at) => `item${at}`);
  return {
    "quickback/quickback.config.ts": CONFIG,
    ...Object.fromEntries(
      names.map((name) => [`quickback/features/${name}/${name}.ts`, resource(name)]),
    ),
  };
}

const CONFIG = `import { defineConfig } from "quickback";

export default defineConfig({ name: "many", features: { organizations: false } });
`;

function resource(name: string): string {
  return `import { feature, q } from "quickback";

export default feature("${name}s", {
  columns: {
    id: q.id(),
    ownerId: q.scope("owner"),
    title: q.text({ maxLength: 200 }).required(),
    state: q.text(),
  },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } },
});
`;
}
