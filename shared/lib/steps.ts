/** Work that pauses between its parts: whoever runs it may let others run at a pause, or never go on. */

/** Nothing to tell; only a place to stop at. */
export const PAUSE = null;

export type Steps<Result, Told = never> = Generator<Told | typeof PAUSE, Result, void>;

/** All of it at once. */
export function atOnce<Result, Told>(
  steps: Steps<Result, Told>,
  onTold: (told: Told) => void = () => {},
): Result {
  let step = steps.next();
  for (; !step.done; step = steps.next()) if (step.value !== PAUSE) onTold(step.value);
  return step.value;
}

/** `items.map(of)` with a pause after each. */
export function* mapInSteps<Item, Result>(
  items: Iterable<Item>,
  of: (item: Item) => Result,
): Steps<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(of(item));
    yield PAUSE;
  }
  return results;
}
