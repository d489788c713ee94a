/** What `GET /templates` lists: the example projects (definitions 7). */
import type { Template } from "../shared/service/mod.ts";
import { filesBelow, readText } from "./repository_files.ts";

const TEMPLATES = [
  {
    name: "empty",
    title: "Empty",
    description: "One table of notes: the smallest project that has an API",
    runtime: "deno",
  },
  {
    name: "helpdesk",
    title: "Helpdesk",
    description: "Tickets, comments, customers and articles of many organizations, with actions",
    runtime: "deno",
  },
] as const;

export function readTemplates(): readonly Template[] {
  return TEMPLATES.map((template) => ({ ...template, files: projectFiles(template.name) }));
}

function projectFiles(name: string): Readonly<Record<string, string>> {
  const folder = `examples/${name}`;
  const paths = filesBelow(folder).toSorted();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readText(path)]),
  );
}
