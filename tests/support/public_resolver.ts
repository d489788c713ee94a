/** A resolver on this machine to which every name is one public address, so that a webhook endpoint may be registered. */
export function publicResolver(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { searchParams } = new URL(request.url);
    const [name, type] = [searchParams.get("name"), searchParams.get("type")];
    const answer = type === "A" ? [{ name, type: 1, TTL: 60, data: "8.8.8.8" }] : [];
    return Response.json({ Status: 0, Answer: answer }, {
      headers: { "content-type": "application/dns-json" },
    });
  });
}
