/** The part of `@std/assert` that the tests use, over `node:assert`: one line in `deno.json` switches to the real one. */
import strict from "node:assert/strict";

export function assert(condition: unknown, message?: string): asserts condition {
  if (message === undefined) strict.ok(condition);
  else strict.ok(condition, message);
}

/** Whole-value comparison; prototypes do not count, as in `@std/assert`. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  if (message === undefined) strict.deepEqual(actual, expected);
  else strict.deepEqual(actual, expected, message);
}

export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  if (message === undefined) strict.notDeepEqual(actual, expected);
  else strict.notDeepEqual(actual, expected, message);
}

export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): void {
  if (message === undefined) strict.strictEqual(actual, expected);
  else strict.strictEqual(actual, expected, message);
}

export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (message === undefined) strict.match(actual, expected);
  else strict.match(actual, expected, message);
}

export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  strict.ok(
    actual.includes(expected),
    message ?? `Expected ${JSON.stringify(actual)} to include ${JSON.stringify(expected)}`,
  );
}

export function assertThrows(
  run: () => unknown,
  errorClass?: new (...args: never[]) => Error,
  includes?: string,
): Error {
  try {
    run();
  } catch (error) {
    return checkThrown(error, errorClass, includes);
  }
  throw new strict.AssertionError({ message: "Expected the function to throw" });
}

export async function assertRejects(
  run: () => Promise<unknown>,
  errorClass?: new (...args: never[]) => Error,
  includes?: string,
): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return checkThrown(error, errorClass, includes);
  }
  throw new strict.AssertionError({ message: "Expected the promise to be rejected" });
}

function checkThrown(
  error: unknown,
  errorClass?: new (...args: never[]) => Error,
  includes?: string,
): Error {
  strict.ok(error instanceof Error, "Expected an Error to be thrown");
  if (errorClass) {
    strict.ok(
      error instanceof errorClass,
      `Expected ${errorClass.name}, got ${error.name}: ${error.message}`,
    );
  }
  if (includes !== undefined) assertStringIncludes(error.message, includes);
  return error;
}
