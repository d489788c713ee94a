/** Defines a rule over the whole project: pure, one file each, in one ordered registry (architecture, phase 4). */
import type { ResourceModel } from "../../../../model/mod.ts";
import type { Analysis } from "../tables/analysis.ts";
import type { FirewallDraft } from "../tables/firewall.ts";
import type { Relations } from "../tables/relations.ts";

/** One table with its firewall, relations and resource. */
export interface Subject {
  readonly firewall: FirewallDraft;
  readonly relations: Relations;
  readonly resource: ResourceModel | null;
}

export interface RuleInput {
  readonly analysis: Analysis;
  /** Subjects, sorted by table name. */
  readonly subjects: readonly Subject[];
}

export type Rule = (input: RuleInput) => void;
