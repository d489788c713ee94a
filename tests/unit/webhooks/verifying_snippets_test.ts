/** What docs/webhooks.md says of verifying a delivery, in each of its languages, on deliveries as they are signed here. */
import { assertEquals } from "@std/assert";
import { systemRandomness } from "../../../library/platform/mod.ts";
import { newSecret, signatureOf } from "../../../shared/runtime/webhooks/outbound/secret.ts";
import { type Program, programMissing, runProgram, snippetIn } from "../../support/run_snippet.ts";

const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const PAGE = "webhooks.md";
const ID = "whd_0f8fad5bd9cb469fa16570867728950e";
const BODY =
  '{"type":"user.created","data":{"name":"Zoë 🚀"},"createdAt":"2026-01-02T03:04:05.678Z"}';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The secret that the receiver knows, and the one before it. */
const SECRETS = [newSecret(systemRandomness), newSecret(systemRandomness)] as const;
const [SECRET, OLDER] = SECRETS;
const STRANGERS = newSecret(systemRandomness);

async function signed(
  secrets: readonly string[],
  timestamp: number,
  body = BODY,
): Promise<Received> {
  const signature = await signatureOf({ id: ID, timestamp, body }, secrets);
  return {
    headers: {
      "webhook-id": ID,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
    },
    body,
  };
}

/** Deliveries, and whether each is genuine; `now` is in seconds, as the receiver's own clock has it. */
async function casesAt(
  now: number,
): Promise<readonly (readonly [what: string, Received, boolean])[]> {
  const genuine = await signed([SECRET], now);
  const altered = (headers: Readonly<Record<string, string>>): Received => ({
    ...genuine,
    headers: { ...genuine.headers, ...headers },
  });
  return [
    ["as it was sent", genuine, true],
    ["after a rotation, with the new secret first", await signed(SECRETS, now), true],
    ["after a rotation, with the old secret first", await signed([OLDER, SECRET], now), true],
    ["four minutes old", await signed([SECRET], now - 240), true],
    ["an empty body, signed", await signed([SECRET], now, "{}"), true],
    ["signed by a stranger", await signed([STRANGERS], now), false],
    ["signed with the old secret only", await signed([OLDER], now), false],
    ["six minutes old", await signed([SECRET], now - 360), false],
    ["six minutes ahead", await signed([SECRET], now + 360), false],
    ["with another body", { ...genuine, body: `${BODY} ` }, false],
    ["under another id", altered({ "webhook-id": `${ID}0` }), false],
    ["at another time", altered({ "webhook-timestamp": String(now - 1) }), false],
    ["at no time", altered({ "webhook-timestamp": "" }), false],
    ["at a time that is none", altered({ "webhook-timestamp": "soon" }), false],
    ["without a signature", altered({ "webhook-signature": "" }), false],
    ["with letters beyond ASCII", altered({ "webhook-signature": "v1,é" }), false],
    [
      "with the signature of another version",
      altered({
        "webhook-signature": genuine.headers["webhook-signature"]?.replace("v1,", "v2,") ?? "",
      }),
      false,
    ],
  ];
}

const READ_CASES = "const { secret, cases } = await new Response(Deno.stdin.readable).json();";

/** How each language's code becomes a program that tells of every case whether it is genuine. */
const PROGRAMS: readonly {
  readonly language: string;
  readonly missing: string | null;
  readonly of: (snippet: string) => Program;
}[] = [
  {
    language: "JavaScript and TypeScript",
    missing: null,
    of: (snippet) => ({
      command: [Deno.execPath(), "run", "-A", "--no-check", "--config", CONFIG],
      file: "main.ts",
      text: `${READ_CASES}
console.log = () => {};
${snippet}
const told = [];
for (const { headers, body } of cases) {
  const init = { method: "POST", headers, body };
  told.push((await receive(new Request("https://hooks.example.com/", init))).ok);
}
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(told)));
`,
    }),
  },
  {
    language: "Python",
    missing: await programMissing("python3", "--version"),
    of: (snippet) => ({
      command: ["python3"],
      file: "main.py",
      text: `${snippet}

import json, sys
given = json.load(sys.stdin)
told = [is_genuine(given["secret"], case["headers"], case["body"].encode()) for case in given["cases"]]
print(json.dumps(told))
`,
    }),
  },
  {
    language: "Go",
    missing: await programMissing("go", "version"),
    of: (snippet) => ({
      command: ["go", "run"],
      file: "main.go",
      text: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${snippet}

func main() {
	var given struct {
		Secret string
		Cases  []struct {
			Headers map[string]string
			Body    string
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	told := []bool{}
	for _, one := range given.Cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		told = append(told, IsGenuine(given.Secret, header, []byte(one.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(told)
}
`,
    }),
  },
];

for (const { language, missing, of } of PROGRAMS) {
  Deno.test({
    name: `the documentation's ${language} code knows a delivery from a forgery`,
    ignore: missing !== null,
    async fn() {
      const program = of(await snippetIn(PAGE, `${language}:`));
      const all = await casesAt(Math.floor(Date.now() / 1000));
      const cases = all.map(([, received]) => received);
      const told = await runProgram(program, { secret: SECRET, cases });
      const verdicts = Array.isArray(told) ? told : [];
      assertEquals(
        all.map(([what], at) => [what, verdicts[at]]),
        all.map(([what, , expected]) => [what, expected]),
      );
    },
  });
}
