/** Fields that a write body may carry (definitions 4.3). Column lists are API names, sorted as declared. */

export interface GuardsModel {
  readonly createable: readonly string[];
  readonly updatable: readonly string[];
  readonly immutable: readonly string[];
  /** Field → the actions that may write it. */
  readonly protected: Readonly<Record<string, readonly string[]>>;
}
