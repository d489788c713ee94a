import { assertEquals } from "@std/assert";
import { camelCase, kebabCase, pascalCase, snakeCase } from "../../../shared/surface/names.ts";

const ROWS: readonly (readonly [string, string, string, string, string])[] = [
  ["atsImports", "ats-imports", "ats_imports", "AtsImports", "atsImports"],
  ["ats_imports", "ats-imports", "ats_imports", "AtsImports", "atsImports"],
  ["knowledge-base", "knowledge-base", "knowledge_base", "KnowledgeBase", "knowledgeBase"],
  ["oauth2Clients", "oauth2-clients", "oauth2_clients", "Oauth2Clients", "oauth2Clients"],
  ["HTTPServer2_log", "http-server2-log", "http_server2_log", "HttpServer2Log", "httpServer2Log"],
  ["a1", "a1", "a1", "A1", "a1"],
  ["a_1", "a-1", "a_1", "A_1", "a_1"],
  ["userID", "user-id", "user_id", "UserId", "userId"],
];

Deno.test("one name is spelled for URLs, SQL and types, digits staying with their word", () => {
  for (const [name, kebab, snake, pascal, camel] of ROWS) {
    assertEquals(
      [kebabCase(name), snakeCase(name), pascalCase(name), camelCase(name)],
      [kebab, snake, pascal, camel],
    );
  }
});
