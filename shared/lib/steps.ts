/** Work with pauses. Whoever runs it may do other work at a pause, or stop there. */

/** A pause without a message. */
export const PAUSE = null;

export type Steps<Result, Told = never> = Generator<Told | typeof PAUSE, Result, void>;

/** Runs all steps without a pause. */
export function atOnce<Result, Told>(
  steps: Steps<Result, Told>,
  onTold: (told: Told) => void = () => {},
): Result {
  let step = steps.next();
  for (; !step.done; step = steps.next()) if (step.value !== PAUSE) onTold(step.value);
  return step.value;
}

/** Works as `items.map(of)`, with a pause after each item. */
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
