/**
 * Runs in a network namespace of its own, where a public address belongs to this process: delivers to a name whose
 * meaning changes between the check and the call, and prints where the calls arrived.
 */
import { dohResolver, pinnedDialer } from "../../library/platform/mod.ts";
import { checkDestination } from "../../shared/runtime/destination/check_destination.ts";

const [publicAddress = ""] = Deno.args;
const arrived: string[] = [];
let meaning = publicAddress;

const servers = [publicAddress, "127.0.0.1"].map((hostname) =>
  Deno.serve({ hostname, port: 80, onListen() {} }, (request) => {
    arrived.push(`${hostname} ${request.headers.get("host")}`);
    return new Response();
  })
);
const resolverServer = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
  const isA = new URL(request.url).searchParams.get("type") === "A";
  return Response.json({ Status: 0, Answer: isA ? [{ type: 1, data: meaning }] : [] });
});

const resolver = dohResolver({
  url: `http://127.0.0.1:${resolverServer.addr.port}/`,
  timeout: 120_000,
});
const dialer = pinnedDialer();
const url = "http://hooks.example.com/in";
const rules = { resolver, allowInsecure: true };

const verdict = await checkDestination(url, rules);
meaning = "127.0.0.1";
if (verdict.kind !== "public") throw new Error(JSON.stringify(verdict));
const [address] = verdict.addresses;
await dialer.post({ url, address, headers: {}, body: "{}", timeout: 120_000, maxBytes: 100 });
const after = await checkDestination(url, rules);

await Promise.all([...servers, resolverServer].map((server) => server.shutdown()));
console.log(JSON.stringify({ arrived, after: after.kind }));
