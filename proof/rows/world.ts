/** World of one class of callers: ids of the caller's own scope, and of a foreign one (definitions 4.1). */
import type { Principal, ProjectModel } from "../../shared/model/mod.ts";
import { accountClassesOf } from "../../shared/oracle/account_routes.ts";
import { type Home, principalClassesOf } from "../../shared/oracle/principal_class.ts";

export interface World {
  /** Name of the class. */
  readonly name: string;
  readonly description: string;
  readonly caller: Principal;
  /** Scope with which the class's own rows are stamped; the caller may have less. */
  readonly home: Home;
  /** Another organization with another user and another team. */
  readonly foreign: Home;
}

/** Returns one world for each class, so that no class reads rows that another one wrote. `run` is unique. */
export function worldsOf(model: ProjectModel, run: string): readonly World[] {
  const names = principalClassesOf(model, homeOf(run, "own", 0)).map(({ name }) => name);
  return [...names, "foreigner"].flatMap((name, index) => {
    const home = homeOf(run, "own", index);
    const foreign = homeOf(run, "other", index);
    // A member of another organization, with every role: a refusal of this caller cannot be due to a missing role.
    const known = [...principalClassesOf(model, home), {
      name: "foreigner",
      description: "A member of another organization with every role",
      caller: {
        credential: "token",
        userId: foreign.userId,
        organizationId: model.multiTenant ? foreign.organizationId : null,
        teamId: foreign.teamId,
        roles: model.auth.roles,
        userRole: null,
      } satisfies Principal,
    }];
    const found = known.find((one) => one.name === name);
    return found ? [{ ...found, home, foreign }] : [];
  });
}

/** Returns one world for each class that only account routes distinguish. */
export function accountWorldsOf(model: ProjectModel, run: string): readonly World[] {
  const names = accountClassesOf(model, homeOf(run, "account", 0)).map(({ name }) => name);
  return names.flatMap((name, index) => {
    const home = homeOf(run, "account", index);
    const found = accountClassesOf(model, home).find((one) => one.name === name);
    return found ? [{ ...found, home, foreign: homeOf(run, "stranger", index) }] : [];
  });
}

/** Home that is the same in every run: the two databases must differ in nothing else. */
export const TWIN_HOME: Home = {
  userId: "leakcheck-caller",
  organizationId: "leakcheck-home",
  teamId: "leakcheck-team",
};

/** Foreign scope whose user is also a colleague of the caller. */
export const TWIN_FOREIGN: Home = {
  userId: "leakcheck-colleague",
  organizationId: "leakcheck-elsewhere",
  teamId: "leakcheck-other-team",
};

/** Returns every class of callers in the same world: each class gets its own database. */
export function twinWorldsOf(model: ProjectModel): readonly World[] {
  return principalClassesOf(model, TWIN_HOME).map((one) => ({
    ...one,
    home: TWIN_HOME,
    foreign: TWIN_FOREIGN,
  }));
}

/** Returns the common prefix of a run's names, by which rows of an aborted run are found. */
export function runPrefix(run: string): string {
  return `conformance_${run}_`;
}

function homeOf(run: string, side: "own" | "other" | "account" | "stranger", index: number): Home {
  const prefix = `${runPrefix(run)}${side}_${index}`;
  return {
    userId: `${prefix}_user`,
    organizationId: `${prefix}_org`,
    teamId: `${prefix}_team`,
  };
}
