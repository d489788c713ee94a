/** The code of a compiled project, loaded into this process: its own copy of the runtime, and what its author wrote. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Platform from "../../../platform/mod.ts";
import type * as Runtime from "../../../shared/runtime/mod.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { inOneDatabase } from "../../../shared/model/tenancy.ts";
import type { ActionImplementations } from "../../../shared/surface/action_implementation.ts";
import { type AuthoredCode, NO_CODE } from "../../../shared/surface/authored_code.ts";
import { ifThere } from "../../if_there.ts";

type RuntimeParts = Pick<
  typeof Runtime,
  | "applyMigrations"
  | "createApp"
  | "createSecretBox"
  | "createWebhookWorker"
  | "databaseQueue"
  | "memoryPubSub"
>;

type PlatformParts = Pick<typeof Platform, "openDatabase" | "readMigrations">;

export interface CompiledCode {
  readonly folder: string;
  readonly project: ProjectModel;
  readonly runtime: RuntimeParts;
  readonly platform: PlatformParts;
  readonly actions: ActionImplementations;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly authored: AuthoredCode;
  /** Texts of the descriptions; null: the project has none. */
  readonly openapi: string | null;
  readonly asyncapi: string | null;
}

/** Runs what stands at the top of the author's modules. */
export async function loadCompiled(folder: string): Promise<CompiledCode> {
  const module = async (path: string): Promise<unknown> =>
    await import(pathToFileURL(join(folder, "src", path)).href);
  const { actions, schema } = membersOf(await module("actions.ts"));
  const { authored } = membersOf(await module("services.ts"));
  const { project } = membersOf(await module("project.ts"));
  return {
    folder,
    // A caller asks in one database, whichever organization it is of.
    project: inOneDatabase(checked(
      project,
      (value: unknown): value is ProjectModel =>
        isRecord(value) && Array.isArray(value["tables"]) && Array.isArray(value["resources"]),
      "project",
    )),
    runtime: checked(
      await module("quickback/runtime/mod.ts"),
      (value: unknown): value is RuntimeParts =>
        hasFunctions(value, [
          "applyMigrations",
          "createApp",
          "createSecretBox",
          "createWebhookWorker",
          "databaseQueue",
          "memoryPubSub",
        ]),
      "runtime",
    ),
    platform: checked(
      await module("quickback/platform/mod.ts"),
      (value: unknown): value is PlatformParts =>
        hasFunctions(value, ["openDatabase", "readMigrations"]),
      "platform",
    ),
    actions: checked(
      actions,
      (value: unknown): value is ActionImplementations =>
        isRecord(value) && Object.values(value).every(isRecord),
      "actions",
    ),
    schema: checked(schema, isRecord, "schema"),
    authored: checked(
      authored,
      (value: unknown): value is AuthoredCode =>
        isRecord(value) && Object.keys(NO_CODE).every((name) => Object.hasOwn(value, name)),
      "services",
    ),
    openapi: await ifThere(Deno.readTextFile(join(folder, "openapi.json"))),
    asyncapi: await ifThere(Deno.readTextFile(join(folder, "asyncapi.json"))),
  };
}

function checked<T>(value: unknown, isOne: (value: unknown) => value is T, name: string): T {
  if (!isOne(value)) throw new Error(`The output's ${name} module is not one of a compile`);
  return value;
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === "function");
}

function membersOf(module: unknown): Readonly<Record<string, unknown>> {
  return isRecord(module) ? module : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
