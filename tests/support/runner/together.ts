/**
 * The one module of a test process: loads the test files that `TEST_FILES` names, so that they share what they import
 * and what the engine has learned of it. A test by the name of each file stands before the file's own.
 */
import { pathToFileURL } from "node:url";

for (const file of Deno.env.get("TEST_FILES")?.split("\n") ?? []) {
  Deno.test(`tests of ${file}`, () => {});
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    Deno.test(`${file} is loaded`, () => {
      throw error;
    });
  }
}
