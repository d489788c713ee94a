/** A clinic's patients, appointments, wards and reports: an action for each key of contract 2.11, in every form of definitions 5. */
import { type ApiOptions, type ApiUnderTest, type Claims, withApi } from "./api.ts";
import { type Compiled, withCompiled } from "./compiled_actions.ts";
import { foundAccounts } from "./found_accounts.ts";
import { projectFiles } from "./sample_files.ts";

export const CLINIC = await projectFiles(new URL("../contract/clinic/", import.meta.url));

const caller = (sub: string, role: string, orgId = "org_a"): Claims => ({
  sub,
  orgId,
  roles: [role],
});

export const CLERK = caller("cora", "clerk");
export const NURSE = caller("nora", "nurse");
export const DOCTOR = caller("dora", "doctor");
export const STRANGER = caller("stan", "doctor", "org_b");
export const ROOT: Claims = { sub: "root", userRole: "sysadmin" };

let compiled: Promise<Compiled> | null = null;

/** Compiled and imported once, when it is first asked for: its modules outlive their files. */
function compiledClinic(): Promise<Compiled> {
  return compiled ??= new Promise((resolve, reject) => {
    withCompiled(CLINIC, (done) => Promise.resolve(resolve(done))).catch(reject);
  });
}

export async function withClinic(
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  const { model, code } = await compiledClinic();
  await withApi(model, async (api) => {
    await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
    await body(api);
  }, { ...options, actions: code });
}

let numbers = 0;

/** A patient's id. */
export async function admit(api: ApiUnderTest, as: Claims = CLERK): Promise<string> {
  numbers += 1;
  const body = { name: `Eve ${numbers}`, number: `P-${numbers}`, email: "eve.adams@example.com" };
  const { status, body: patient, text } = await api.ask("patients", { as, body });
  if (status !== 201) throw new Error(text);
  return String(patient["id"]);
}

/** Audit rows in their order: action, actor, result, code, target. */
export async function auditRows(api: ApiUnderTest): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await api.database.run({
    sql: "SELECT action_name, actor_user_id, result, error_code FROM audit_events ORDER BY rowid",
    args: [],
  });
  return rows.map((row) => [...row]);
}
