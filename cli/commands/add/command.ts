/**
 * Runs `add table|action|webhook|job`: writes a draft of a definition, which admits nobody until its author names the roles.
 */
import { BUILT_IN_PROVIDERS } from "../../../shared/contract/mod.ts";
import { camelCase, kebabCase } from "../../../shared/surface/mod.ts";
import { nearest } from "../../../shared/lib/nearest.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import type { Arguments } from "../../command.ts";
import { CommandError, type ExitCode, UsageError } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { actionDraft, eventsDraft, jobDraft, providerDraft, tableDraft } from "./drafts.ts";
import { readModel, writeDrafts } from "./write_draft.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

interface Drafted {
  readonly drafts: Readonly<Record<string, string>>;
  /** Next step for its author. */
  readonly next: string;
}

export function addTable(args: Arguments, output: Output): Promise<ExitCode> {
  return add(args, output, (name, { multiTenant }) => {
    const [folder, table] = [kebabCase(named(name, "table")), camelCase(name)];
    const path = `quickback/features/${folder}/${folder}.ts`;
    return {
      drafts: { [path]: tableDraft(table, multiTenant ? "organization" : "owner") },
      next: `its columns, and the roles in each access`,
    };
  });
}

export function addAction(args: Arguments, output: Output): Promise<ExitCode> {
  return add(args, output, (name, model, paths) => {
    const [table = "", action = "", ...rest] = name.split("/");
    if (rest.length > 0 || action === "") throw new UsageError("Write it as <table>/<name>");
    const file = `${kebabCase(named(action, "action"))}.ts`;
    return {
      drafts: { [`${actionsFolder(table, model, paths)}/${file}`]: actionDraft() },
      next: "what it does, and the roles in its access",
    };
  });
}

export function addWebhook(args: Arguments, output: Output): Promise<ExitCode> {
  return add(args, output, (name) => {
    const provider = kebabCase(named(name, "provider"));
    const isBuiltIn = BUILT_IN_PROVIDERS.some((one) => one === provider);
    const own = isBuiltIn ? {} : { [`quickback/services/${provider}.ts`]: providerDraft(provider) };
    return {
      drafts: { ...own, [`quickback/services/${provider}-events.ts`]: eventsDraft(provider) },
      next: `webhooks: { inbound: ["${provider}"] } in quickback/quickback.config.ts` +
        (isBuiltIn ? "" : ", and how it signs"),
    };
  });
}

export function addJob(args: Arguments, output: Output): Promise<ExitCode> {
  return add(args, output, (name) => ({
    drafts: { [`quickback/jobs/${kebabCase(named(name, "job"))}.ts`]: jobDraft() },
    next: `what it does, and jobs.${camelCase(name)}.enqueue({ … }) in whatever queues it`,
  }));
}

async function add(
  { positionals: [name = "", folder = "."] }: Arguments,
  output: Output,
  draft: (name: string, model: ProjectModel, paths: readonly string[]) => Drafted,
): Promise<ExitCode> {
  const read = await readModel(folder);
  if (read.kind === "failed") return reportValidation(read.findings, output);
  const { drafts, next } = draft(name, read.model, read.paths);
  await writeDrafts(folder, drafts);
  output.result({ files: Object.keys(drafts) });
  for (const path of Object.keys(drafts)) output.out(`${output.outColors.green("added")} ${path}`);
  output.out(`Next: ${next}`);
  return 0;
}

function named(name: string, what: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(`"${name}" is no name of a ${what}: letters, digits and hyphens`);
}

/** Returns the folder of actions: beside the feature's primary table, or else a folder of the table's own (definitions 1). */
function actionsFolder(name: string, { tables }: ProjectModel, paths: readonly string[]): string {
  const wanted = camelCase(name);
  const table = tables.find((one) => one.name === name || camelCase(one.name) === wanted);
  const [, feature, file] = /^quickback\/features\/([^/]+)\/([^/]+)\.ts$/.exec(
    table?.origin.file ?? "",
  ) ?? [];
  if (table === undefined || feature === undefined) {
    const meant = nearest(name, tables.map((one) => one.name));
    throw new CommandError(
      `There is no table "${name}"${meant === null ? "" : `; did you mean "${meant}"?`}`,
    );
  }
  const beside = paths.filter((path) =>
    new RegExp(`^quickback/features/${feature}/(?!actions\\.ts$)[^/]+\\.ts$`).test(path)
  );
  const isPrimary = file === feature || beside.length === 1;
  const folder = `quickback/features/${feature}/actions`;
  return isPrimary ? folder : `${folder}/${file}`;
}
