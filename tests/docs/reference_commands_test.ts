/** The commands of docs/reference, run as a reader runs them. */
import { join } from "node:path";
import { freePort } from "../support/free_port.ts";
import { inFolder, runHere } from "../cli/command_line.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { readPage } from "../support/pages.ts";
import { publicResolver } from "../support/public_resolver.ts";
import { ServiceProcess } from "../support/service_process.ts";
import { runShellPage } from "../support/shell_page.ts";

/** Lines that docs/reference/http.md adds to the helpdesk: each stands before a line that is there. */
const ADDED: Readonly<Record<string, readonly (readonly [before: string, line: string])[]>> = {
  "quickback.config.ts": [
    ["  providers: {", "  contract: { changeset: true },"],
    ["  providers: {", '  webhooks: { outbound: true, inbound: ["standard"] },'],
  ],
  "features/tickets/tickets.ts": [
    ["    customerId: q.text()", "    revision: q.revision(),"],
  ],
};

Deno.test("the commands of docs/reference/http.md are answered as it says", () =>
  inFolder(async (folder) => {
    const page = await readPage("docs/reference/http.md");
    await runHere(["new", "helpdesk", "desk"], { cwd: folder });
    for (const [path, lines] of Object.entries(ADDED)) {
      await addLines(join(folder, "desk/quickback", path), lines, page);
    }
    await using resolver = publicResolver();
    const port = freePort();
    await using dev = RunningCommand.dev(
      ["desk", "--port", String(port), "--no-playground"],
      folder,
      { WEBHOOK_RESOLVER_URL: `http://127.0.0.1:${resolver.addr.port}/` },
    );
    await dev.says("Watching");
    await runShellPage({ page, replaced: { "http://localhost:8000": `http://localhost:${port}` } });
  }));

Deno.test("the commands of docs/reference/service.md are answered as it says", async () => {
  const key = "a-key-of-the-documentation";
  await using service = new ServiceProcess("service", { SERVICE_API_KEY: key, HOST: "127.0.0.1" });
  const page = await readPage("docs/reference/service.md");
  const replaced = { "http://localhost:8787": await service.address };
  await runShellPage({ page, replaced, env: { KEY: key } });
});

async function addLines(
  path: string,
  lines: readonly (readonly [before: string, line: string])[],
  page: string,
): Promise<void> {
  let text = await Deno.readTextFile(path);
  for (const [before, line] of lines) {
    if (!page.includes(line.trim())) throw new Error(`The page does not show ${line}`);
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    text = text.replace(before, `${line}\n${before}`);
  }
  await Deno.writeTextFile(path, text);
}
