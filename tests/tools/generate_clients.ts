/** What generators make of `<name>.json` in the working folder: `<name>.ts`, and a client in `<name>/`. */
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";

for (const name of Deno.args) {
  const text = await Deno.readTextFile(`${name}.json`);
  await Deno.writeTextFile(
    `${name}.ts`,
    astToString(await openapiTypescript(text)),
  );
  await createClient({
    input: JSON.parse(text),
    output: name,
    logs: { level: "silent" },
  });
}
