/** The protocol's own conformance package against a served API (contract 5.5): every scenario, passed or named below. */
import { assertEquals } from "@std/assert";
import { scopesOf } from "../../shared/surface/oauth_scopes.ts";
import { founder, withAccountsApi } from "../support/accounts_api.ts";
import { type ApiUnderTest, BASE_URL } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { MCP_FIXTURE_SCHEMAS, MCP_FIXTURES } from "../support/mcp_fixtures.ts";
import { allowed, oauthProject } from "../support/oauth.ts";
import { runTool } from "../support/run_tool.ts";

/** They ask for fixtures with fixed names and contents that no business API has, and no action can be. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  "tools-call-mixed-content": "one tool that answers text, an image and a resource at once",
  "tools-call-sampling": "a tool that has the client's model write something",
  "tools-call-elicitation": "a tool that asks the client's user something",
  "elicitation-sep1034-defaults": "the same, with defaults",
  "elicitation-sep1330-enums": "the same, with choices",
  "resources-read-text": "a resource named test://static-text",
  "resources-read-binary": "a resource named test://static-binary",
  "resources-templates-read": "a resource template named test://template/{id}/data",
  "resources-subscribe": "a subscription to test://watched-resource",
  "resources-unsubscribe": "the end of that subscription",
  "prompts-get-simple": "a prompt named test_simple_prompt",
  "prompts-get-with-args": "a prompt named test_prompt_with_arguments",
  "prompts-get-embedded-resource": "a prompt named test_prompt_with_embedded_resource",
  "prompts-get-with-image": "a prompt named test_prompt_with_image",
};

/** All that the package has besides, with a project whose actions are its fixtures. */
const PASSED = [
  "completion-complete",
  "dns-rebinding-protection",
  "json-schema-2020-12",
  "logging-set-level",
  "ping",
  "prompts-list",
  "resources-list",
  "server-initialize",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-error",
  "tools-call-image",
  "tools-call-simple-text",
  "tools-call-with-logging",
  "tools-call-with-progress",
  "tools-list",
];

Deno.test("the conformance package's server scenarios pass, but for those that ask for its own fixtures", async () => {
  const expected = {
    passed: PASSED,
    failed: Object.keys(NOT_APPLICABLE).sort(),
  };
  await withCompiled(
    MCP_FIXTURES,
    ({ model, code }) =>
      withAccountsApi(
        async (api) => assertEquals(await scenariosAt(api), expected),
        { project: oauthProject(model), code },
      ),
    { actionInputSchemas: MCP_FIXTURE_SCHEMAS },
  );
});

interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/**
 * The package sends no credential: something in between does, that of an OAuth client which a member allowed all of the
 * fixtures, at `/mcp` alone. Its own scenarios of OAuth ask clients, and no server.
 */
async function scenariosAt(api: ApiUnderTest): Promise<Outcome> {
  const ada = await founder(api, "ada", "acme", "/auth/v2");
  await api.database.write((transaction) =>
    transaction.run({ sql: "UPDATE auth_member SET role = 'owner,member'", args: [] })
  );
  const { access: token } = await allowed(api, ada, {
    scope: scopesOf(api.project).join(" "),
    resource: `${BASE_URL}/mcp`,
  });
  const server = Deno.serve({
    port: 0,
    hostname: "localhost",
    onListen: () => {},
  }, (request) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${token}`);
    const { url, method, body } = request;
    return api.fetch(new Request(url, { method, headers, body }), {
      clientIp: null,
    });
  });
  try {
    return outcomeIn(await report(`http://localhost:${server.addr.port}/mcp`));
  } finally {
    await server.shutdown();
  }
}

async function report(url: string): Promise<string> {
  const args = ["server", "--url", url, "--suite", "all"];
  const { out, err } = await runTool({
    tool: "@modelcontextprotocol/conformance",
    args,
  });
  return out + err;
}

function outcomeIn(text: string): Outcome {
  const lines = [
    ...text.matchAll(/^(✓|✗) ([\w-]+): \d+ passed, \d+ failed$/gm),
  ];
  const named = (mark: string) =>
    lines.flatMap(([, one, name = ""]) => one === mark ? [name] : []).sort();
  return { passed: named("✓"), failed: named("✗") };
}
