/** Projects whose descriptions others' programs must be able to read: between them, every kind of operation. */
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { board } from "./board_project.ts";
import { CLINIC } from "./clinic.ts";
import { projectFiles } from "./sample_files.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);
const SAMPLES = new URL("../compiler/samples/", import.meta.url);

export interface DescribedProjects {
  readonly helpdesk: ProjectModel;
  /** Outbound webhooks, transitions, teams. */
  readonly saas: ProjectModel;
  /** An action of each kind, in the second version of the contract. */
  readonly clinicV2: ProjectModel;
  readonly notes: ProjectModel;
  /** Names that are reserved words of many languages. */
  readonly awkward: ProjectModel;
  /** Realtime. */
  readonly board: ProjectModel;
}

export async function describedProjects(): Promise<DescribedProjects> {
  const clinic = modelOf(CLINIC);
  return {
    helpdesk: modelOf(await projectFiles(new URL("helpdesk/", EXAMPLES))),
    saas: modelOf(await projectFiles(new URL("saas/", EXAMPLES))),
    clinicV2: { ...clinic, contract: "v2", auth: { ...clinic.auth, jwt: null } },
    notes: modelOf(await projectFiles(new URL("notes/input/", SAMPLES))),
    awkward: modelOf(await projectFiles(new URL("awkward/input/", SAMPLES))),
    board: modelOf(board()),
  };
}

function modelOf(files: Readonly<Record<string, string>>): ProjectModel {
  const validation = validate(files);
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors, null, 2));
  return validation.model;
}
