/** `/llms.txt` as parsers of its format read it (llmstxt.org; contract 4.7): every line below a heading is a link that leads somewhere. */
import { assert, assertEquals } from "@std/assert";
import { openApiDocument, type ProjectModel } from "../../../shared/compiler/mod.ts";
import { llmsText } from "../../../shared/surface/llms_text.ts";
import { isRecord } from "../../support/api.ts";
import { describedProjects } from "../../support/described_projects.ts";

const BASE = "https://api.example.com";

interface Parsed {
  readonly title: string;
  readonly summary: string;
  readonly info: string;
  /** Links by heading. */
  readonly sections: ReadonlyMap<string, readonly Link[]>;
}

interface Link {
  readonly title: string;
  readonly url: string;
}

for (const [name, project] of Object.entries(await describedProjects())) {
  Deno.test(`llms.txt of ${name} is read by parsers of the format`, () => {
    const { title, summary, info, sections } = parsed(llmsText(project, BASE));
    assertEquals(title.replaceAll("\\", ""), project.name);
    assert(summary.startsWith(`A JSON API below ${BASE}/api/v`), summary);
    assert(info.includes("x-api-key") && info.includes("problem+json"), info);
    assertEquals([...sections.keys()][0], "Descriptions");
    for (const [heading, links] of sections) {
      assert(links.length > 0, heading);
      for (const link of links) assertLeads(link, project);
    }
  });
}

/** A title, a quoted summary, text, and headings with nothing but links. */
function parsed(text: string): Parsed {
  const [head = "", ...parts] = text.split(/^## */m);
  const found = /^# (?<title>.+)\n+> (?<summary>.+)\n+(?<info>[^]*)$/.exec(head)?.groups ?? {};
  const { title = "", summary = "", info = "" } = found;
  return {
    title,
    summary,
    info,
    sections: new Map(parts.map((part) => {
      const [heading = "", ...lines] = part.split("\n").filter((line) => line.trim() !== "");
      return [heading, lines.map(linkIn)];
    })),
  };
}

function linkIn(line: string): Link {
  const { title, url } = /^- \[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?:: .+)?$/.exec(line)?.groups ??
    {};
  assert(title !== undefined && url !== undefined, line);
  return { title, url };
}

/** A link with a fragment names an operation of the description. */
function assertLeads({ title, url }: Link, project: ProjectModel): void {
  const { hash, origin } = new URL(url);
  assertEquals(origin, BASE);
  if (hash === "") return;
  const keys = decodeURIComponent(hash.slice(2)).split("/")
    .map((token) => token.replaceAll("~1", "/"));
  const operation = keys.reduce<unknown>(
    (value, key) => isRecord(value) ? value[key] : undefined,
    openApiDocument(project),
  );
  assert(operation !== undefined, `${title} leads to ${url}`);
}
