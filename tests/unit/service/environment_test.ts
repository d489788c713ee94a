/** What an operator sets for the build service, and what keeps it from starting. */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  readAccountsFile,
  readOrigin,
  readServiceEnvironment,
  requireApiKeys,
  warnOfWeakKeys,
} from "../../../edge/environment.ts";

const read = (variables: Record<string, string>) =>
  readServiceEnvironment(new Map(Object.entries(variables)), 8787);

Deno.test("without variables the defaults stand, and no key", () => {
  const environment = read({ SERVICE_API_KEY: " ", HOST: "" });
  assertEquals(environment, {
    port: 8787,
    hostname: null,
    baseUrl: "http://localhost:8787",
    apiKeys: [],
    sessions: null,
    corsOrigins: null,
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

Deno.test("a key that can be guessed is taken, and told of", () => {
  const warned = (keys: string) => {
    const messages: string[] = [];
    warnOfWeakKeys(read({ SERVICE_API_KEY: keys }), { log: (e) => void messages.push(e.message) });
    return messages;
  };
  assertEquals(requireApiKeys(read({ SERVICE_API_KEY: "short" })), ["short"]);
  assertEquals(warned("long-enough-to-be-a-key"), []);
  const [message = "", ...more] = warned("long-enough-to-be-a-key,short");
  assertMatch(message, /less than 16 characters/);
  assertEquals(more, []);
});

Deno.test("origins whose pages may use the service are as browsers write them", () => {
  const origins = (text: string) => read({ SERVICE_CORS_ORIGINS: text }).corsOrigins;
  assertEquals(origins("https://IDE.example.com:443/, http://localhost:5173,"), [
    "https://ide.example.com",
    "http://localhost:5173",
  ]);
  for (const any of ["", "*"]) assertEquals(origins(any), null);
});

const DOUBTFUL: readonly (readonly [Record<string, string>, string])[] = [
  [{ PORT: "80a" }, "PORT must be 0 to 65535"],
  [{ PORT: "65536" }, "PORT must be 0 to 65535"],
  [{ BASE_URL: "build.example.com" }, "BASE_URL must be an origin"],
  [{ BASE_URL: "https://build.example.com/path" }, "BASE_URL must be an origin"],
  [{ BASE_URL: "javascript:alert(1)" }, "BASE_URL must be an origin"],
  [{ SERVICE_CORS_ORIGINS: "ide.example.com" }, "'ide.example.com' is no origin"],
  [{ SERVICE_CORS_ORIGINS: "https://*.example.com" }, "'https://*.example.com' is no origin"],
  [{ SERVICE_CORS_ORIGINS: "https://a.example/, null" }, "'null' is no origin"],
  [{ SERVICE_CORS_ORIGINS: "https://a.example,*" }, "'*' is no origin"],
  [{ SERVICE_CORS_ORIGINS: "https://a.example/ide" }, "'https://a.example/ide' is no origin"],
  [{ SERVICE_AUTH_SECRET: "short" }, "SERVICE_AUTH_SECRET must have at least 32 bytes"],
];

for (const [variables, message] of DOUBTFUL) {
  Deno.test(`${JSON.stringify(variables)} keeps the service from starting`, () => {
    assertThrows(() => read(variables), Error, message);
  });
}

Deno.test("accounts are hosted only where sessions can be signed", () => {
  const file = { SERVICE_ACCOUNTS_FILE: "accounts.db" };
  const both = { ...file, SERVICE_AUTH_SECRET: "a secret of the tests that is long enough" };
  const hostedBy = (variables: Record<string, string>) =>
    readAccountsFile(new Map(Object.entries(variables)), read(variables));
  assertEquals(hostedBy({}), null);
  assertEquals(hostedBy(both), "accounts.db");
  assertThrows(() => hostedBy(file), Error, "needs SERVICE_AUTH_SECRET");
});

Deno.test("an origin may end in a slash, and name its default port", () => {
  const variables = new Map([["EDGE_URL", "https://Edge.example.com:443/"]]);
  assertEquals(readOrigin("EDGE_URL", variables), "https://edge.example.com");
  assertEquals(readOrigin("CONTAINER_URL", variables), null);
});
