/** Passes the API's stream of changes on to the page, as the chosen person receives it. */
import { type ApiAddress, credentialOf, sent } from "./ask_api.ts";
import { PlaygroundRefusal } from "./request_body.ts";

/** Streams until the page closes the connection or the API ends it. */
export async function apiFrames(
  as: string | null,
  { origin, credential, events }: ApiAddress,
): Promise<Response> {
  if (events === null) {
    throw new PlaygroundRefusal(
      "ROUTE_NOT_FOUND",
      "The project has no realtime: `realtime: { enabled: true }`",
    );
  }
  const headers = new Headers([
    ["accept", "text/event-stream"],
    ...await credentialOf(as, credential),
  ]);
  const response = await sent(new URL(origin + events), { headers, redirect: "manual" });
  if (response.status === 200) {
    return new Response(response.body, { headers: { "content-type": "text/event-stream" } });
  }
  const body = await response.text();
  throw new PlaygroundRefusal(
    "API_REFUSED",
    `The API answered ${response.status}: ${body.slice(0, 300)}`,
  );
}
