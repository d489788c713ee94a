/** What notices that a database's path leads to another file than the one that is open. */
import { assertThrows } from "@std/assert";
import { watchFile } from "../../../library/platform/libsql/file_watch.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/mod.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

Deno.test("reads ask the file system four times a second at most, and writes each time", () =>
  withTempFolder((folder) => {
    const path = `${folder}/app.db`;
    for (const file of [path, `${path}-wal`]) Deno.writeTextFileSync(file, "");
    let now = 0;
    const watch = watchFile(path, () => now);
    Deno.renameSync(path, `${path}.old`);
    now = 249;
    watch.requireLately();
    assertThrows(() => watch.require(), DatabaseUnavailableError, path);
    // Known to be gone: every read asks again.
    assertThrows(() => watch.requireLately(), DatabaseUnavailableError);
    Deno.renameSync(`${path}.old`, path);
    watch.requireLately();
    Deno.writeTextFileSync(`${path}.new`, "");
    Deno.renameSync(`${path}.new`, path);
    now = 499;
    assertThrows(() => watch.requireLately(), DatabaseUnavailableError);
    return Promise.resolve();
  }));
