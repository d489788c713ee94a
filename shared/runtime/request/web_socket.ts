/** True when a request asks to become a WebSocket (RFC 6455, 4.1). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}
