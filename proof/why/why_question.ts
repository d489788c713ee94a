/** A question of `why`, and the steps of its answer. */
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
  /** Without a query. */
  readonly path: string;
  readonly caller: Principal;
  /** The organization that an anonymous caller names. */
  readonly namedOrganization: string | null;
  /** Null: there is no such row. Undefined: nothing is known of it. */
  readonly row: Row | null | undefined;
  /** Rows that relations lead to from that row; absent: no rule that is asked follows one. */
  readonly world?: World;
  /** Null: none is sent, or nothing is known of it. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface WhyStep {
  readonly layer: Layer | "route";
  readonly passed: boolean;
  readonly rule: string;
  /** Null: the rule is the service's own. */
  readonly place: Origin | null;
  readonly compared: readonly ComparedValue[];
}

export interface ComparedValue {
  readonly condition: string;
  readonly actual: unknown;
  readonly wanted: unknown;
  readonly holds: boolean;
  readonly place: Origin;
  /** Of a rule that follows relations: the way to the rows that decide; empty: it follows none. */
  readonly chain: readonly ChainLink[];
}
