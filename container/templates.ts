/**
 * Templates for `GET /templates` (definitions 7): projects to start from, and the files that each runtime adds to an output.
 */
import { TARGETS } from "../shared/compiler/front.ts";
import { PLATFORMS } from "../shared/contract/mod.ts";
import { compareText } from "../shared/lib/texts.ts";
import type { Template } from "../shared/service/mod.ts";
import { readServerTemplate, readTemplate } from "./host.ts";
import { filesBelow, readText } from "./repository_files.ts";

/** Example projects by the name of their folder. */
export const STARTERS = [
  {
    name: "empty",
    title: "Empty",
    description: "One table of notes: the smallest project that has an API",
    runtime: "deno",
  },
  {
    name: "field-service",
    title: "Field service",
    description:
      "Work orders of technicians, whose rights follow from assignments, with totals, numbers and files",
    runtime: "deno",
  },
  {
    name: "helpdesk",
    title: "Helpdesk",
    description: "Tickets, comments, customers and articles of many organizations, with actions",
    runtime: "deno",
  },
  {
    name: "saas",
    title: "SaaS",
    description:
      "Projects, tasks, private notes and masked invoices of many organizations, with actions and webhooks",
    runtime: "deno",
  },
] as const;

const RUNTIMES = [
  {
    name: "deno",
    title: "Deno",
    description: TARGETS.deno.description,
    runtime: "deno",
    read: () => readTemplate("deno"),
  },
  {
    name: "container",
    title: "Container",
    description: "The same in a container that runs without root and answers health checks",
    runtime: "deno",
    read: readServerTemplate,
  },
  ...PLATFORMS.slice(1).map((name) => {
    const { title, description } = TARGETS[name];
    const read = () => ({ ...readServerTemplate(), ...readTemplate(name) });
    return { name, title, description, runtime: name, read };
  }),
] as const;

export function readTemplates(): readonly Template[] {
  return [
    ...STARTERS.map(({ name, ...about }) => {
      // Only files that `/compile` accepts are included. A page beside the definitions is left out.
      const folder = `examples/${name}`;
      const paths = filesBelow(`${folder}/quickback`).toSorted();
      return {
        name,
        kind: "project" as const,
        ...about,
        files: Object.fromEntries(
          paths.map((path) => [path.slice(folder.length + 1), readText(path)]),
        ),
      };
    }),
    ...RUNTIMES.map(({ name, read, ...about }) => ({
      name,
      kind: "runtime" as const,
      ...about,
      files: Object.fromEntries(Object.entries(read()).sort(([a], [b]) => compareText(a, b))),
    })),
  ];
}
