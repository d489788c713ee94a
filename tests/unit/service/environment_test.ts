/** What an operator sets for the build service, and what keeps it from starting. */
import { assertEquals, assertThrows } from "@std/assert";
import { readOrigin, readServiceEnvironment, requireApiKeys } from "../../../edge/environment.ts";

const read = (variables: Record<string, string>) =>
  readServiceEnvironment(new Map(Object.entries(variables)), { port: 8787 });

Deno.test("without variables the defaults stand, and no key", () => {
  const environment = read({ SERVICE_API_KEY: " ", HOST: "" });
  assertEquals(environment, {
    port: 8787,
    hostname: null,
    baseUrl: "http://localhost:8787",
    apiKeys: [],
  });
  assertThrows(() => requireApiKeys(environment), Error, "SERVICE_API_KEY is not set");
});

Deno.test("keys are parted by commas", () => {
  const environment = read({
    SERVICE_API_KEY: "first-key-of-16-or-more, second-key-of-16-or-more,",
  });
  assertEquals(requireApiKeys(environment), [
    "first-key-of-16-or-more",
    "second-key-of-16-or-more",
  ]);
});

const DOUBTFUL: readonly (readonly [Record<string, string>, string])[] = [
  [{ PORT: "80a" }, "PORT must be 0 to 65535"],
  [{ PORT: "65536" }, "PORT must be 0 to 65535"],
  [{ BASE_URL: "build.example.com" }, "BASE_URL must be an origin"],
  [{ BASE_URL: "https://build.example.com/path" }, "BASE_URL must be an origin"],
  [{ BASE_URL: "javascript:alert(1)" }, "BASE_URL must be an origin"],
  [{ SERVICE_API_KEY: "long-enough-to-be-a-key,short" }, "at least 16 characters"],
];

for (const [variables, message] of DOUBTFUL) {
  Deno.test(`${JSON.stringify(variables)} keeps the service from starting`, () => {
    assertThrows(() => read(variables), Error, message);
  });
}

Deno.test("an origin may end in a slash", () => {
  const variables = new Map([["EDGE_URL", "https://edge.example.com/"]]);
  assertEquals(readOrigin("EDGE_URL", variables), "https://edge.example.com");
  assertEquals(readOrigin("CONTAINER_URL", variables), null);
});
