/**
 * Starts the page without a server: takes a project from a template, a folder, a zip or the address, and runs everything else
 * in the tab.
 */
import "../without_eval.ts";
import { wrap } from "comlink";
import { PATHS } from "../../paths.ts";
import { App } from "../app.ts";
import { Connection } from "../connection.ts";
import { pageElement } from "../dom.ts";
import type { LanguageWorker } from "../language/worker.ts";
import { workerAddress } from "../worker_address.ts";
import type { CompileWorker } from "./compile_worker.ts";
import { chooseProject } from "./project_choice.ts";
import { showProjectActions } from "./project_actions.ts";
import { TabDev } from "./tab_dev.ts";
import { TabServer } from "./tab_server.ts";
import { TEMPLATES } from "./template.ts";

async function start(): Promise<void> {
  const templates = TEMPLATES.parse(await (await fetch(PATHS.templates)).json());
  const { name, files } = await chooseProject(templates);
  const { load } = wrap<CompileWorker>(
    new Worker(workerAddress(PATHS.compiler), { type: "module" }),
  );
  const compiler = await load(PATHS.host);
  const dev = new TabDev({
    compiler,
    // Workers are kept: without a network, none could be loaded again.
    transpiled:
      wrap<LanguageWorker>(new Worker(workerAddress(PATHS.languageWorker), { type: "module" }))
        .transpiled,
    addresses: { frame: PATHS.sandbox, script: PATHS.api },
  });
  const server = new TabServer({ name, files, compiler, dev });
  showProjectActions(pageElement("project-actions", HTMLElement), name, () => server.files);
  dev.changed(files);
  await new App(new Connection("", server.fetch)).start();
}

await start();
