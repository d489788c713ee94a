/** Types of a question of `why`, and of the steps of its answer. */
import type { Layer } from "../../shared/contract/mod.ts";
import type { Origin, Principal, ProjectModel } from "../../shared/model/mod.ts";
import type { ChainLink } from "../../shared/oracle/chain.ts";
import type { Row, World } from "../../shared/oracle/judge.ts";
import * as origins from "../../shared/oracle/places.ts";

export interface DefinedProject {
  readonly model: ProjectModel;
  readonly places: origins.DefinitionPlaces;
}

export interface WhyQuestion {
  readonly method: string;
  /** Path without a query. */
  readonly path: string;
  readonly caller: Principal;
  /** Organization that an anonymous caller names. */
  readonly namedOrganization: string | null;
  /** Row; null: it does not exist. Undefined: nothing is known about it. */
  readonly row: Row | null | undefined;
  /** Rows to which relations lead from that row; absent: no rule of the route follows one. */
  readonly world?: World;
  /** Body; null: none is sent, or nothing is known about it. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface WhyStep {
  readonly layer: Layer | "route";
  readonly passed: boolean;
  readonly rule: string;
  /** Place of the rule; null: the rule is the service's own. */
  readonly place: Origin | null;
  readonly compared: readonly ComparedValue[];
}

export interface ComparedValue {
  readonly condition: string;
  readonly actual: unknown;
  readonly wanted: unknown;
  readonly holds: boolean;
  readonly place: Origin;
  /** Path of a rule that follows relations, to the rows that decide; empty: the rule follows none. */
  readonly chain: readonly ChainLink[];
}
