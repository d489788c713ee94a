/** What is said of the stages of an order. */

/** @type {Readonly<Record<string, string>>} */
const STAGE_TEXTS = { inProgress: "in progress" };

/** @param {string | null} stage */
export function stageText(stage) {
  return STAGE_TEXTS[stage ?? ""] ?? stage ?? "";
}
